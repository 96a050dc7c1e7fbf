//! One of `[[mcp]]`: an MCP server behind the guard, and which of its tools are guarded how.

use std::collections::BTreeMap;

use http::header::{HeaderMap, HeaderName, HeaderValue};
use replygate_ports::settings::Choice;
use replygate_ports::tools::{Effect, Tool};
use serde_json::{Map, Value};

use super::environment::Environment;
use super::keys;

/// What a server's own word about a tool counts for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// A tool that says `readOnlyHint` is not guarded.
    pub read_only: bool,
    /// A tool that says `idempotentHint` may be called again when its outcome is not known.
    pub idempotent: bool,
}

impl Trust {
    /// Whether any hint counts.
    #[must_use]
    pub const fn any(self) -> bool {
        self.read_only || self.idempotent
    }
}

/// What happens to tools that the configuration does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undeclared {
    /// They are taken for tools with an effect, compared by all their arguments unless their name is a known one.
    #[default]
    Guard,
    /// They pass.
    Pass,
}

/// An MCP server behind the guard.
#[derive(Clone)]
pub struct McpConfig {
    /// Its name, in the address `/mcp/{name}`.
    pub name: String,
    /// Where it is.
    pub url: reqwest::Url,
    /// What it gets with every request; may hold secrets.
    pub headers: HeaderMap,
    /// The channel of calls that do not say theirs.
    pub channel: Option<String>,
    /// What its own hints count for.
    pub trust: Trust,
    /// What happens to tools that are not named here.
    pub undeclared: Undeclared,
    /// The tools that are named here, by their name on the server.
    pub tools: BTreeMap<String, Tool>,
}

impl std::fmt::Debug for McpConfig {
    /// Its headers may hold secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpConfig")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl McpConfig {
    /// How calls of that tool are guarded, where nothing else is said.
    #[must_use]
    pub fn undeclared_tool(&self, tool: &str) -> Tool {
        Tool::new(&ledger_name(&self.name, tool), Effect::Write, host())
    }
}

/// What a server's tool is called in the ledger and to operators.
fn ledger_name(server: &str, tool: &str) -> String {
    format!("{server}.{tool}")
}

fn host() -> Choice {
    Choice::named("mcp")
}

const KEYS: &str = "name, url, headers, channel, trust, undeclared, tools";
const NAME: &str = "1 to 32 of a-z, 0-9, - and _";
const HINTS: &str = "a list of readOnlyHint, idempotentHint";
const HEADER: &str = "a text, or env:NAME for one that is kept in the environment";

/// A wrong value: the key below the table, and what is wrong with it.
type Wrong = (String, String);

/// Reads a table, or tells everything that is wrong with it.
pub(super) fn read(
    table: &Map<String, Value>,
    environment: &Environment,
) -> Result<McpConfig, Vec<Wrong>> {
    let mut reading = Reading {
        environment,
        wrong: Vec::new(),
    };
    let config = reading.config(table);
    match config {
        Some(config) if reading.wrong.is_empty() => Ok(config),
        _ => Err(reading.wrong),
    }
}

struct Reading<'a> {
    environment: &'a Environment,
    wrong: Vec<Wrong>,
}

impl Reading<'_> {
    fn config(&mut self, table: &Map<String, Value>) -> Option<McpConfig> {
        for key in table.keys() {
            if !KEYS.split(", ").any(|known| known == key) {
                self.words(key, format!("is no setting, allowed: {KEYS}"));
            }
        }
        let name = table.get("name").and_then(Value::as_str).unwrap_or("");
        let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        if !(1..=32).contains(&name.len()) || !name.bytes().all(is_sign) {
            self.refused("name", table.get("name"), NAME);
        }
        let url = self.url(table.get("url"));
        let config = McpConfig {
            name: name.to_owned(),
            headers: self.headers(table.get("headers")),
            channel: self.channel(table.get("channel")),
            trust: self.trust(table.get("trust")),
            undeclared: self.undeclared(table.get("undeclared")),
            tools: self.tools(name, table.get("tools")),
            url: url?,
        };
        Some(config)
    }

    fn url(&mut self, value: Option<&Value>) -> Option<reqwest::Url> {
        let url = value.and_then(Value::as_str).and_then(|text| text.parse::<reqwest::Url>().ok());
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        if url.is_none() {
            self.refused("url", value, "an http:// or https:// address");
        }
        url
    }

    fn headers(&mut self, value: Option<&Value>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let Some(table) = self.table("headers", value) else {
            return headers;
        };
        for (name, value) in table {
            let key = format!("headers.{name}");
            let Ok(header) = name.parse::<HeaderName>() else {
                self.words(&key, "is no header's name".to_owned());
                continue;
            };
            match value.as_str().map(|text| self.secret(text)) {
                Some(Ok(value)) => {
                    headers.insert(header, value);
                }
                Some(Err(why)) => self.words(&key, why),
                None => self.words(&key, format!("is no text, allowed: {HEADER}")),
            }
        }
        headers
    }

    /// The value, or what it names; a problem never shows it.
    fn secret(&self, text: &str) -> Result<HeaderValue, String> {
        let text = match text.strip_prefix("env:") {
            Some(name) => self.environment.get(name).ok_or_else(|| {
                format!("names the environment variable {name}, which is not set")
            })?,
            None => text,
        };
        let mut value = HeaderValue::from_str(text)
            .map_err(|_| "holds signs that a header cannot have".to_owned())?;
        value.set_sensitive(true);
        Ok(value)
    }

    fn channel(&mut self, value: Option<&Value>) -> Option<String> {
        let value = value?;
        let channel = value.as_str().filter(|text| !text.is_empty());
        if channel.is_none() {
            self.refused("channel", Some(value), "a channel's id");
        }
        channel.map(str::to_owned)
    }

    fn trust(&mut self, value: Option<&Value>) -> Trust {
        let mut trust = Trust::default();
        let Some(value) = value else { return trust };
        let Some(hints) = value.as_array() else {
            self.refused("trust", Some(value), HINTS);
            return trust;
        };
        for hint in hints {
            match hint.as_str() {
                Some("readOnlyHint") => trust.read_only = true,
                Some("idempotentHint") => trust.idempotent = true,
                _ => self.refused("trust", Some(hint), HINTS),
            }
        }
        trust
    }

    fn undeclared(&mut self, value: Option<&Value>) -> Undeclared {
        match value.map(Value::as_str) {
            None | Some(Some("guard")) => Undeclared::Guard,
            Some(Some("pass")) => Undeclared::Pass,
            Some(_) => {
                self.refused("undeclared", value, "guard, pass");
                Undeclared::Guard
            }
        }
    }

    fn tools(&mut self, server: &str, value: Option<&Value>) -> BTreeMap<String, Tool> {
        let Some(table) = self.table("tools", value) else {
            return BTreeMap::new();
        };
        let read = table.iter().filter_map(|(name, value)| {
            let tool = self.tool(server, name, value)?;
            Some((name.clone(), tool))
        });
        read.collect()
    }

    fn tool(&mut self, server: &str, name: &str, value: &Value) -> Option<Tool> {
        let key = format!("tools.{name}");
        let Some(table) = value.as_object() else {
            self.refused(&key, Some(value), "a table with `effect`");
            return None;
        };
        let mut table = table.clone();
        for ours in ["name", "host", "arguments", "description", "channels", "enabled"] {
            if table.contains_key(ours) {
                let why = "is no setting here: the server itself says it".to_owned();
                self.words(&format!("{key}.{ours}"), why);
                return None;
            }
        }
        table.insert("name".to_owned(), ledger_name(server, name).into());
        table.insert("host".to_owned(), "mcp".into());
        let tool: Tool = match serde_json::from_value(Value::Object(table)) {
            Ok(tool) => tool,
            Err(error) => {
                self.words(&key, format!("cannot be read: {error}"));
                return None;
            }
        };
        // A server names its tools as it likes.
        let named = Tool {
            name: "tool".to_owned(),
            ..tool.clone()
        };
        for error in named.validate().err().into_iter().flatten() {
            let below = error.key.strip_prefix("tools.tool.").unwrap_or(&error.key);
            let why = format!("is {}, allowed: {}", error.value, error.allowed);
            self.words(&format!("{key}.{below}"), why);
        }
        Some(tool)
    }

    fn table<'v>(&mut self, key: &str, value: Option<&'v Value>) -> Option<&'v Map<String, Value>> {
        let value = value?;
        if value.as_object().is_none() {
            self.refused(key, Some(value), "a table");
        }
        value.as_object()
    }

    fn refused(&mut self, key: &str, value: Option<&Value>, allowed: &str) {
        let value = value.map_or_else(|| "not set".to_owned(), |value| format!("`{}`", keys::show(value)));
        self.words(key, format!("is {value}, allowed: {allowed}"));
    }

    fn words(&mut self, key: &str, words: String) {
        self.wrong.push((key.to_owned(), words));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_json(table: &Value) -> Result<McpConfig, Vec<String>> {
        let environment = Environment::of([("CAL", "Bearer secret")]);
        super::read(table.as_object().unwrap(), &environment)
            .map_err(|wrong| wrong.iter().map(|(key, words)| format!("{key} {words}")).collect())
    }

    #[test]
    fn a_server_is_read_with_its_tools_and_secrets() {
        let config = read_json(&json!({
            "name": "cal", "url": "https://cal.example/mcp", "channel": "shop",
            "headers": { "authorization": "env:CAL" },
            "trust": ["readOnlyHint"],
            "tools": {
                "create_event": { "effect": "write", "recipe": "calendar.create_event", "window_ms": 60_000 },
                "look": { "effect": "read" },
            },
        }))
        .unwrap();
        assert_eq!(config.headers["authorization"], "Bearer secret");
        assert!(config.trust.read_only && !config.trust.idempotent);
        assert_eq!(config.tools["create_event"].name, "cal.create_event");
        assert_eq!(config.tools["create_event"].window_ms, 60_000);
        assert_eq!(config.tools["look"].effect, Effect::Read);
        assert_eq!(config.undeclared_tool("x/y").name, "cal.x/y");
        assert!(!format!("{config:?}").contains("secret"));
    }

    #[test]
    fn everything_wrong_is_told_with_what_is_allowed_and_no_secret_is_shown() {
        let wrong = read_json(&json!({
            "name": "Cal", "url": "cal.example", "colour": 1,
            "headers": { "authorization": "env:NOPE", "x": "a\nsecret" },
            "trust": ["destructiveHint"], "undeclared": "deny",
            "tools": { "a": 1, "b": { "effect": "write", "window_ms": 1 }, "c": { "effect": "odd" }, "d": { "effect": "write", "host": "x" } },
        }))
        .unwrap_err();
        let all = wrong.join("\n");
        for told in [
            "colour is no setting, allowed: name, url, headers, channel, trust, undeclared, tools",
            "name is `Cal`, allowed: 1 to 32 of a-z, 0-9, - and _",
            "url is `cal.example`, allowed: an http:// or https:// address",
            "headers.authorization names the environment variable NOPE, which is not set",
            "headers.x holds signs that a header cannot have",
            "trust is `destructiveHint`, allowed: a list of readOnlyHint, idempotentHint",
            "undeclared is `deny`, allowed: guard, pass",
            "tools.a is `1`, allowed: a table with `effect`",
            "tools.b.window_ms is 1, allowed: 1000 to 2592000000",
            "tools.d.host is no setting here",
        ] {
            assert!(all.contains(told), "{told} in\n{all}");
        }
        assert!(!all.contains("secret"));
    }
}
