//! The event log as lines: each event's name and its values. Events hold no texts, so none can come out.

use replygate_app::view::{EventId, Fact, TimelineEvent};
use replygate_ports::store::Step;
use serde_json::Value;

use super::at;

/// The events of one step, in order.
pub(super) fn of_step(step: &Step) -> impl DoubleEndedIterator<Item = TimelineEvent> + '_ {
    step.events
        .iter()
        .enumerate()
        .map(|(place, event)| TimelineEvent {
            id: EventId(format!("evt_{}_{place}", step.version)),
            at: at(step.at),
            kind: event.name().to_owned(),
            facts: facts(event, &step.actor),
        })
}

fn facts(event: &replygate_gate::Event, actor: &str) -> Vec<Fact> {
    let mut facts = Vec::new();
    if let Ok(Value::Object(values)) = serde_json::to_value(event) {
        let values = values.into_iter().filter(|(name, _)| name != "event");
        facts.extend(values.filter_map(|(name, value)| fact(name, &value)));
    }
    let by = actor.strip_prefix("user:");
    if let Some(by) = by.filter(|_| !facts.iter().any(|fact| fact.name == "by")) {
        facts.push(Fact {
            name: "by".to_owned(),
            value: by.to_owned(),
        });
    }
    facts
}

fn fact(name: String, value: &Value) -> Option<Fact> {
    let value = match value {
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

fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
