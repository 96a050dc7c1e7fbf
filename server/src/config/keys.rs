//! The keys of a channel's settings, with their forms and what is allowed: one list for the file, the environment and
//! the console. A test holds it against the settings themselves, so that a new setting cannot be forgotten.

use replygate_ports::settings::ChannelSettings;
use serde_json::{Map, Value};

/// How a key's value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A word or an address, written as it is.
    Word,
    /// A number, a switch or a list, written as TOML writes it.
    Plain,
    /// As [`Form::Plain`], and nothing where it is not set.
    Optional,
    /// A name, or a table with `kind`.
    Choice,
}

/// One key.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    /// As in the file: `debounce.closed_ms`.
    pub path: &'static str,
    /// How its value is written.
    pub form: Form,
    /// What is allowed, for people.
    pub allowed: &'static str,
}

const fn key(path: &'static str, form: Form, allowed: &'static str) -> Key {
    Key {
        path,
        form,
        allowed,
    }
}

/// What an acknowledgement may be.
const NOTICE: &str = "a text of at most 1000 characters; an empty one is not said";

/// The keys that say what a channel is. They are set once.
pub const IDENTITY: &[Key] = &[
    self::key("id", Form::Word, "1 to 64 of a-z, 0-9, - and _"),
    self::key("kind", Form::Word, "webchat, generic"),
];

/// The keys that may be changed at any time, in the order in which a form shows them.
pub const SETTINGS: &[Key] = &[
    self::key(
        "agent",
        Form::Choice,
        "demo, echo, or a table with kind (http, openai, anthropic, langgraph, adk too) and options",
    ),
    self::key("agent_timeout_ms", Form::Plain, "100 to 3600000"),
    self::key("history", Form::Plain, "0 to 1000"),
    self::key(
        "strategy",
        Form::Word,
        "triage, enqueue, reject, interrupt, rollback",
    ),
    self::key("abort_on_triage", Form::Plain, "true, false"),
    self::key(
        "evaluator",
        Form::Choice,
        "rules, marker, or a table with kind (http, openai, anthropic, hybrid too) and options",
    ),
    self::key("triage.timing", Form::Word, "early, at_turn"),
    self::key("triage.soft_ms", Form::Plain, "1 to triage.hard_ms"),
    self::key("triage.hard_ms", Form::Plain, "1 to 60000"),
    self::key("triage.threshold", Form::Plain, "0 to 1"),
    self::key("debounce.enabled", Form::Plain, "true, false"),
    self::key("debounce.closed_ms", Form::Plain, "0 to 120000"),
    self::key("debounce.neutral_ms", Form::Plain, "0 to 120000"),
    self::key("debounce.greeting_ms", Form::Plain, "0 to 120000"),
    self::key("debounce.dangling_ms", Form::Plain, "0 to 120000"),
    self::key(
        "debounce.max_wait_ms",
        Form::Optional,
        "1 to 120000, or not set",
    ),
    self::key("debounce.max_messages", Form::Plain, "1 to 1000"),
    self::key("operational_delay_ms", Form::Plain, "0 to 600000"),
    self::key(
        "deliver_url",
        Form::Optional,
        "an http:// or https:// address, for kind generic",
    ),
    self::key("send_timeout_ms", Form::Plain, "100 to 120000"),
    self::key(
        "rate",
        Form::Optional,
        "{ per_second = 0.001 to 1000, burst = 1 to 1000 }, or not set",
    ),
    self::key("guarantee", Form::Word, "at_most_once, at_least_once"),
    self::key(
        "ladder_ms",
        Form::Plain,
        "at most 16 waits of 0 to 86400000 milliseconds",
    ),
    self::key(
        "channel_ladder_ms",
        Form::Plain,
        "at most 16 waits of 0 to 86400000 milliseconds",
    ),
    self::key("late_after_ms", Form::Plain, "60000 to 2592000000"),
    self::key("max_hold_ms", Form::Plain, "1000 to 86400000"),
    self::key("park_age_ms", Form::Plain, "1000 to 2592000000"),
    self::key("expire_age_ms", Form::Plain, "park_age_ms to 31536000000"),
    self::key("commands.stop", Form::Plain, "a list of texts"),
    self::key("commands.reset", Form::Plain, "a list of texts"),
    self::key("notices.language", Form::Word, "en, pt, es"),
    self::key("notices.stop_en", Form::Word, NOTICE),
    self::key("notices.stop_pt", Form::Word, NOTICE),
    self::key("notices.stop_es", Form::Word, NOTICE),
    self::key("notices.reset_en", Form::Word, NOTICE),
    self::key("notices.reset_pt", Form::Word, NOTICE),
    self::key("notices.reset_es", Form::Word, NOTICE),
];

/// The key with that path.
#[must_use]
pub fn key_of(path: &str) -> Option<&'static Key> {
    IDENTITY.iter().chain(SETTINGS).find(|key| key.path == path)
}

/// Whether keys lie under this path, as under `debounce`.
#[must_use]
pub fn is_table(path: &str) -> bool {
    SETTINGS.iter().any(|key| {
        key.path
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}

/// Every key's value as text, in the order of [`SETTINGS`].
#[must_use]
pub fn flatten(settings: &ChannelSettings) -> Vec<(&'static Key, String)> {
    let json = serde_json::to_value(settings).unwrap_or_default();
    SETTINGS
        .iter()
        .map(|key| (key, show(at(&json, key.path))))
        .collect()
}

/// The value as text, as [`parse`] reads it back. Nothing for what is not set.
#[must_use]
pub fn show(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => inline(other),
    }
}

/// Reads a value from text; `None` when it is of another form.
#[must_use]
pub fn parse(key: &Key, text: &str) -> Option<Value> {
    let text = text.trim();
    match key.form {
        Form::Optional if text.is_empty() => Some(Value::Null),
        Form::Optional if key.path == "deliver_url" => Some(Value::String(text.to_owned())),
        Form::Choice if text.starts_with('{') => toml_value(text),
        Form::Word | Form::Choice => Some(Value::String(text.to_owned())),
        Form::Plain | Form::Optional => toml_value(text),
    }
}

/// Whether a channel's settings can hold this value under this key. Ranges are not checked here.
#[must_use]
pub fn fits(key: &Key, value: &Value) -> bool {
    let mut json = serde_json::to_value(ChannelSettings::new("a", "webchat")).unwrap_or_default();
    put(&mut json, key.path, value.clone());
    serde_json::from_value::<ChannelSettings>(json).is_ok()
}

/// Sets the value at `path`, making the tables on the way.
pub fn put(json: &mut Value, path: &str, value: Value) {
    let mut place = json;
    for step in path.split('.') {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        place = &mut place[step];
    }
    *place = value;
}

/// A value as TOML writes it.
#[must_use]
pub fn toml_value(text: &str) -> Option<Value> {
    let mut table: Map<String, Value> = toml::from_str(&format!("value = {text}")).ok()?;
    let value = table.remove("value")?;
    table.is_empty().then_some(value)
}

fn at<'a>(json: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(json, |place, step| &place[step])
}

fn inline(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_f64() => {
            (number.as_f64().unwrap_or_default() as f32).to_string()
        }
        Value::String(text) => toml::Value::String(text.clone()).to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(table) => {
            let pairs: Vec<String> = table
                .iter()
                .map(|(name, value)| format!("{name} = {}", inline(value)))
                .collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use replygate_ports::budgets::Rate;
    use replygate_ports::settings::Choice;

    use super::*;

    fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(table) => {
                for (name, value) in table {
                    let path = if path.is_empty() {
                        name.clone()
                    } else {
                        format!("{path}.{name}")
                    };
                    leaves(value, &path, found);
                }
            }
            _ => found.push(path.to_owned()),
        }
    }

    #[test]
    fn every_setting_has_a_key_and_every_key_a_setting() {
        let mut settings = ChannelSettings::new("a", "generic");
        settings.deliver_url = Some("http://x".to_owned());
        let mut found = Vec::new();
        leaves(&serde_json::to_value(&settings).unwrap(), "", &mut found);
        found.sort();
        let mut known: Vec<&str> = IDENTITY
            .iter()
            .chain(SETTINGS)
            .map(|key| key.path)
            .collect();
        known.sort_unstable();
        assert_eq!(found, known);
    }

    #[test]
    fn what_is_shown_is_read_back() {
        let mut settings = ChannelSettings::new("a", "webchat");
        settings.agent = Choice::named("echo");
        settings
            .agent
            .options
            .insert("latency_ms".to_owned(), Value::from(300));
        settings.debounce.max_wait_ms = Some(9_000);
        settings.rate = Some(Rate {
            per_second: 0.5,
            burst: 3,
        });
        let mut json = serde_json::to_value(ChannelSettings::new("a", "webchat")).unwrap();
        for (key, text) in flatten(&settings) {
            put(&mut json, key.path, parse(key, &text).unwrap());
        }
        assert_eq!(
            serde_json::from_value::<ChannelSettings>(json).unwrap(),
            settings
        );
    }

    #[test]
    fn a_value_of_another_form_does_not_fit() {
        let closed = key_of("debounce.closed_ms").unwrap();
        assert!(fits(closed, &Value::from(5)));
        assert!(!fits(closed, &Value::from("soon")));
        assert!(!fits(closed, &Value::from(-1)));
    }
}
