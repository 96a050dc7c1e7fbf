//! A tool's settings: what an agent is told of it, how it runs and how it is guarded.

use replygate_gate::tools::{Guarding, OnUnknown, Recipe, RecipeKind, Scope, misfits};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::settings::{Choice, Kept, SettingError};

/// Whether calls change anything outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// They only look; they are never guarded.
    Read,
    /// They change something; each meaning happens once.
    Write,
}

/// A tool as it is stored and versioned; times in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name: 1 to 64 of letters, digits, `-`, `_`, `.`.
    pub name: String,
    /// What it does, for the agent.
    #[serde(default)]
    pub description: String,
    /// The JSON schema of its arguments, for the agent.
    #[serde(default = "defaults::arguments")]
    pub arguments: Value,
    /// Whether calls change anything outside.
    pub effect: Effect,
    /// How it runs: a name, or a table with a kind and options.
    pub host: Choice,
    /// What makes two calls the same.
    #[serde(default)]
    pub recipe: Recipe,
    /// Among whose calls.
    #[serde(default)]
    pub scope: Scope,
    /// How long after a success the same call is a duplicate.
    #[serde(default = "defaults::window_ms")]
    pub window_ms: u64,
    /// How long a call may take; whether one that takes longer had its effect is unknown.
    #[serde(default = "defaults::timeout_ms")]
    pub timeout_ms: u64,
    /// What a call whose outcome is unknown does to the same call later.
    #[serde(default)]
    pub on_unknown: OnUnknown,
    /// The channels whose agents may call it; every channel where it is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channels: Option<Vec<String>>,
    /// Whether agents may call it at all.
    #[serde(default = "defaults::enabled")]
    pub enabled: bool,
}

mod defaults {
    use super::{Guarding, Value, json};

    pub fn arguments() -> Value {
        json!({ "type": "object" })
    }
    pub fn window_ms() -> u64 {
        Guarding::WINDOW_MS
    }
    pub fn timeout_ms() -> u64 {
        30_000
    }
    pub fn enabled() -> bool {
        true
    }
}

/// A month: the longest that a same call is a duplicate.
const LONGEST_WINDOW_MS: u64 = 30 * 86_400_000;
/// A reservation outlives its call by this, so that an outcome can be written down behind a slow store. Milliseconds.
const GRACE_MS: u64 = 10_000;
const NAME: &str = "1 to 64 letters a-z, A-Z, digits, -, _ and .";

impl Tool {
    /// A tool with every default.
    #[must_use]
    pub fn new(name: &str, effect: Effect, host: Choice) -> Self {
        Self {
            name: name.to_owned(),
            description: String::new(),
            arguments: defaults::arguments(),
            effect,
            host,
            recipe: Recipe::default(),
            scope: Scope::default(),
            window_ms: defaults::window_ms(),
            timeout_ms: defaults::timeout_ms(),
            on_unknown: OnUnknown::default(),
            channels: None,
            enabled: true,
        }
    }

    /// How its calls are guarded.
    #[must_use]
    pub const fn guarding(&self) -> Guarding {
        Guarding {
            window_ms: self.window_ms,
            lease_ms: self.timeout_ms.saturating_add(GRACE_MS),
            on_unknown: self.on_unknown,
        }
    }

    /// Whether agents of that channel may call it.
    #[must_use]
    pub fn serves(&self, channel: &str) -> bool {
        let named = |channels: &Vec<String>| channels.iter().any(|one| one == channel);
        self.enabled && self.channels.as_ref().is_none_or(named)
    }

    /// The name as models take it: letters, digits, `-` and `_` only. No two tools share one.
    #[must_use]
    pub fn model_name(&self) -> String {
        self.name.replace('.', "_")
    }

    /// Why these arguments are none for it, in words for a model: they are no object, or not what the schema asks for.
    #[must_use]
    pub fn misfit(&self, arguments: &Value) -> Option<String> {
        if !arguments.is_object() {
            return Some("the arguments must be a JSON object".to_owned());
        }
        let found = misfits(&self.arguments, arguments);
        let told: Vec<String> = found.iter().map(ToString::to_string).collect();
        (!told.is_empty()).then(|| format!("nothing was done: {}", told.join("; ")))
    }

    /// Everything that is not allowed.
    pub fn validate(&self) -> Result<(), Vec<SettingError>> {
        let mut errors = Vec::new();
        let mut wrong = |key: &str, value: String, allowed: &str| {
            errors.push(SettingError::new(
                format!("tools.{}.{key}", self.name),
                value,
                allowed,
            ));
        };
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if !(1..=64).contains(&self.name.len()) || !self.name.bytes().all(is_sign) {
            wrong("name", format!("`{}`", self.name), NAME);
        }
        if self.description.len() > 4_096 {
            let length = format!("{} bytes long", self.description.len());
            wrong("description", length, "at most 4096 bytes");
        }
        if self.arguments.get("type").and_then(Value::as_str) != Some("object") {
            wrong(
                "arguments",
                self.arguments.to_string(),
                "a JSON schema with `type` = `object`",
            );
        }
        if !(1_000..=LONGEST_WINDOW_MS).contains(&self.window_ms) {
            wrong(
                "window_ms",
                self.window_ms.to_string(),
                "1000 to 2592000000",
            );
        }
        if !(100..=600_000).contains(&self.timeout_ms) {
            wrong("timeout_ms", self.timeout_ms.to_string(), "100 to 600000");
        }
        if self.effect == Effect::Read && self.recipe.kind != RecipeKind::Auto {
            let kind = format!("`{}`", self.recipe.kind);
            wrong(
                "recipe",
                kind,
                "nothing, for effect read: reads are never guarded",
            );
        }
        if let Err(problems) = self.recipe.validate() {
            for problem in problems {
                let key = format!("recipe.{}", problem.key);
                wrong(&key, problem.value, &problem.allowed);
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }
}

impl Kept for Tool {
    const KIND: &'static str = "tool";

    fn id(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool() -> Tool {
        Tool::new(
            "calendar.create_event",
            Effect::Write,
            Choice::named("calendar.create_event"),
        )
    }

    #[test]
    fn the_defaults_are_allowed() {
        assert_eq!(tool().validate(), Ok(()));
        assert_eq!(tool().model_name(), "calendar_create_event");
    }

    #[test]
    fn everything_wrong_is_told_with_what_is_allowed() {
        let wrong = Tool {
            name: "a b".to_owned(),
            arguments: json!([]),
            window_ms: 0,
            timeout_ms: 1,
            recipe: Recipe::fields(Vec::new()),
            ..tool()
        };
        let told: Vec<String> = wrong
            .validate()
            .unwrap_err()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            told,
            [
                "`tools.a b.name` is `a b`, allowed: 1 to 64 letters a-z, A-Z, digits, -, _ and .",
                "`tools.a b.arguments` is [], allowed: a JSON schema with `type` = `object`",
                "`tools.a b.window_ms` is 0, allowed: 1000 to 2592000000",
                "`tools.a b.timeout_ms` is 1, allowed: 100 to 600000",
                "`tools.a b.recipe.fields` is 0 fields, allowed: 1 to 32 fields, for kind fields",
            ]
        );
    }

    #[test]
    fn a_tool_comes_back_as_it_was_written() {
        let text = r#"{"name":"pay","effect":"write","host":{"kind":"http","url":"http://x/"},
            "recipe":{"fields":["order",{"name":"amount","as":"money"}]},"scope":"channel","channels":["shop"]}"#;
        let tool: Tool = serde_json::from_str(text).unwrap();
        assert_eq!(tool.window_ms, 600_000);
        assert!(tool.serves("shop") && !tool.serves("other"));
        let again: Tool = serde_json::from_value(serde_json::to_value(&tool).unwrap()).unwrap();
        assert_eq!(again, tool);
        assert!(serde_json::from_str::<Tool>(r#"{"name":"x"}"#).is_err());
    }
}
