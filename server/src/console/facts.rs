//! The event log as lines: each event's name and its values. Events hold no texts, so none can come out.

use replygate_app::view::{EventId, Fact, TimelineEvent};
use replygate_gate::{At, Event};
use replygate_ports::store::Step;
use serde_json::{Map, Value};

use super::at;

/// Names that only the machine needs: the event's own name, its time, and proofs of ownership.
const INTERNAL: [&str; 5] = ["event", "at", "fence", "token", "epoch"];
/// Names whose values are instants.
const TIMES: [&str; 8] = [
    "due",
    "awaited",
    "until",
    "base",
    "not_before",
    "retry_at",
    "lease_until",
    "expires",
];

/// The events of one step, in order.
pub(super) fn of_step(step: &Step) -> impl DoubleEndedIterator<Item = TimelineEvent> + '_ {
    step.events
        .iter()
        .enumerate()
        .map(|(place, event)| TimelineEvent {
            id: EventId(format!("evt_{}_{place}", step.version)),
            at: at(step.at),
            kind: event.name().to_owned(),
            facts: facts(event, step),
        })
}

fn facts(event: &Event, step: &Step) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Ok(Value::Object(values)) = serde_json::to_value(event) {
        let values = values
            .into_iter()
            .filter(|(name, _)| !INTERNAL.contains(&name.as_str()));
        for (name, value) in values {
            match value {
                Value::Object(spent) if name == "usage" => facts.extend(spent_on(&spent)),
                value => facts.extend(fact(name, &value, step.at)),
            }
        }
    }
    let by = step.actor.strip_prefix("user:");
    if let Some(by) = by.filter(|_| !facts.iter().any(|fact| fact.name == "by")) {
        facts.push(Fact {
            name: "by".to_owned(),
            value: by.to_owned(),
        });
    }
    facts
}

/// What a model was asked, in tokens.
fn spent_on(usage: &Map<String, Value>) -> impl Iterator<Item = Fact> {
    let told = |(name, value): (&String, &Value)| {
        let value = match value {
            Value::Bool(yes) => yes.then(|| "yes".to_owned())?,
            value => value.to_string(),
        };
        let name = format!("tokens_{name}");
        Some(Fact { name, value })
    };
    usage.iter().filter_map(told)
}

fn fact(name: String, value: &Value, now: At) -> Option<Fact> {
    let value = match value {
        Value::Number(number) if TIMES.contains(&name.as_str()) => {
            after(now, At(number.as_i64().unwrap_or_default()))
        }
        Value::Null | Value::Bool(false) => return None,
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => return None,
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            items.join(" ")
        }
        Value::Number(number) if number.is_f64() => {
            format!("{:.2}", number.as_f64().unwrap_or_default())
        }
        other => plain(other),
    };
    Some(Fact { name, value })
}

/// A time as a person reads it beside the line's own: how much later.
fn after(now: At, at: At) -> String {
    let ms = at.since(now);
    if ms == 0 {
        return "now".to_owned();
    }
    format!("in {}.{} s", ms / 1_000, ms % 1_000 / 100)
}

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use replygate_gate::{ReplyId, TurnId, Usage};

    use super::*;

    #[test]
    fn what_a_turn_asked_of_a_model_is_told_with_its_end() {
        let event = Event::Committed {
            turn: TurnId(2),
            fence: 1,
            reply: Some(ReplyId(1)),
            burst: Vec::new(),
            run_ms: 412,
            usage: Usage {
                input: 310,
                cached: 0,
                output: 21,
                estimated: true,
            },
        };
        let step = Step {
            version: 1,
            at: At(10_000),
            actor: "turn".to_owned(),
            events: vec![event],
        };
        let line = of_step(&step).next().unwrap();
        let told = |name: &str| {
            let fact = line.facts.iter().find(|fact| fact.name == name);
            fact.map(|fact| fact.value.as_str())
        };
        assert_eq!(told("tokens_input"), Some("310"));
        assert_eq!(told("tokens_output"), Some("21"));
        assert_eq!(told("tokens_estimated"), Some("yes"));
        assert_eq!(told("tokens_cached"), None);
        assert_eq!(told("usage"), None);
    }

    #[test]
    fn a_time_is_told_from_the_line_it_stands_in_and_internals_are_not_told() {
        let event = Event::AttemptBlocked {
            reply: ReplyId(1),
            attempt: 2,
            not_before: At(10_600),
        };
        let step = Step {
            version: 1,
            at: At(10_000),
            actor: "dispatch".to_owned(),
            events: vec![event],
        };
        let line = of_step(&step).next().unwrap();
        let facts: Vec<_> = line
            .facts
            .iter()
            .map(|fact| (fact.name.as_str(), fact.value.as_str()))
            .collect();
        assert!(facts.contains(&("not_before", "in 0.6 s")), "{facts:?}");
        assert!(facts.iter().all(|(name, _)| *name != "event"));
    }
}
