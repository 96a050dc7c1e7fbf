//! One of `[[mcp]]`: an MCP server that tools may be on and that clients reach by `/mcp/{name}` through the guard. Must never
//! hold a secret that the file itself has: it names where one is.

use axum::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use replygate_agents::mcp::ToolErrors;
use serde_json::{Map, Value};

use super::environment::Environment;
use super::{keys, secret};

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

/// What happens to calls of tools that no `[[tools]]` declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undeclared {
    /// They are taken for tools with an effect.
    #[default]
    Guard,
    /// They pass.
    Pass,
}

/// One of `[[mcp]]`.
#[derive(Clone)]
pub struct McpConfig {
    /// Its name, in the address `/mcp/{name}` and in a tool's `host`.
    pub name: String,
    /// Where it is.
    pub url: reqwest::Url,
    /// What it gets with every request: secrets.
    pub headers: HeaderMap,
    /// The channel of calls that do not say theirs.
    pub channel: Option<String>,
    /// What its own hints count for.
    pub trust: Trust,
    /// What happens to calls of tools that are not declared.
    pub undeclared: Undeclared,
    /// How long a call of such a tool may take, in milliseconds; 30000 unless set.
    pub timeout_ms: u64,
    /// What a tool's own error says of its effect.
    pub tool_errors: ToolErrors,
}

impl std::fmt::Debug for McpConfig {
    /// Its headers hold secrets, and its address may.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpConfig")
            .field("name", &self.name)
            .field("trust", &self.trust)
            .field("undeclared", &self.undeclared)
            .finish_non_exhaustive()
    }
}

const KEYS: &str = "name, url, token, headers, channel, trust, undeclared, timeout_ms, tool_errors";
const NAME: &str = "1 to 32 of a-z, 0-9, - and _, a name of its own";
const HINTS: &str = "a list of readOnlyHint, idempotentHint";
const SECRET: &str = "env:NAME or file:PATH, where visible ASCII characters are";
const HEADER: &str = "a header's name that is not the protocol's";
/// Headers that belong to the exchange itself.
const TAKEN: [&str; 8] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "idempotency-key",
    "transfer-encoding",
];
const TIMEOUT_MS: std::ops::RangeInclusive<u64> = 100..=600_000;

/// A wrong value: the key below the table, and what is wrong with it.
pub(super) type Wrong = (String, String);

/// Reads a table, or tells everything that is wrong with it. `others` have their names.
pub(super) fn read(
    table: &Map<String, Value>,
    others: &[McpConfig],
    environment: &Environment,
) -> Result<McpConfig, Vec<Wrong>> {
    let mut reading = Reading {
        table,
        environment,
        wrong: Vec::new(),
    };
    let config = reading.config(others);
    match config {
        Some(config) if reading.wrong.is_empty() => Ok(config),
        _ => Err(reading.wrong),
    }
}

struct Reading<'a> {
    table: &'a Map<String, Value>,
    environment: &'a Environment,
    wrong: Vec<Wrong>,
}

impl Reading<'_> {
    fn config(&mut self, others: &[McpConfig]) -> Option<McpConfig> {
        for key in self.table.keys() {
            if !KEYS.split(", ").any(|known| known == key) {
                self.words(key, format!("is no setting, allowed: {KEYS}"));
            }
        }
        let (name, url) = (self.name(others), self.url());
        let config = McpConfig {
            headers: self.headers(),
            channel: self.channel(),
            trust: self.trust(),
            undeclared: self.word(
                "undeclared",
                &[("guard", Undeclared::Guard), ("pass", Undeclared::Pass)],
            ),
            timeout_ms: self.timeout_ms(),
            tool_errors: self.word(
                "tool_errors",
                &[
                    ("failed", ToolErrors::Failed),
                    ("unknown", ToolErrors::Unknown),
                ],
            ),
            name,
            url: url?,
        };
        Some(config)
    }

    fn name(&mut self, others: &[McpConfig]) -> String {
        let name = self.table.get("name").and_then(Value::as_str);
        let name = name.unwrap_or_default();
        let is_sign =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        let is_name = (1..=32).contains(&name.len()) && name.bytes().all(is_sign);
        if !is_name || others.iter().any(|other| other.name == name) {
            self.refused("name", NAME);
        }
        name.to_owned()
    }

    fn url(&mut self) -> Option<reqwest::Url> {
        let text = self.table.get("url").and_then(Value::as_str);
        let url = text.and_then(|text| text.parse::<reqwest::Url>().ok());
        let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        if url.is_none() {
            self.refused("url", "an http:// or https:// address");
        }
        url
    }

    fn headers(&mut self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(token) = self.table.get("token")
            && let Some(value) = self.secret("token", "Bearer ", token)
        {
            headers.insert(AUTHORIZATION, value);
        }
        let table = match self.table.get("headers") {
            None => return headers,
            Some(Value::Object(table)) => table,
            Some(_) => {
                self.refused("headers", "a table");
                return headers;
            }
        };
        for (name, value) in table {
            let key = format!("headers.{name}");
            let header = name.parse::<HeaderName>().ok().filter(is_free);
            let Some(header) = header else {
                self.words(&key, format!("is no such header, allowed: {HEADER}"));
                continue;
            };
            if headers.contains_key(&header) {
                self.words(
                    &key,
                    "is set twice, allowed: once, or by `token`".to_owned(),
                );
            }
            if let Some(value) = self.secret(&key, "", value) {
                headers.insert(header, value);
            }
        }
        headers
    }

    /// What stands where the value points; a problem never shows it.
    fn secret(&mut self, key: &str, prefix: &str, value: &Value) -> Option<HeaderValue> {
        let Some(reference) = value.as_str() else {
            self.words(key, format!("is no text, allowed: {SECRET}"));
            return None;
        };
        let text = match secret::followed(reference, self.environment) {
            Ok(text) => text,
            Err(why) => {
                self.words(key, why);
                return None;
            }
        };
        let text = text.trim();
        let header = HeaderValue::from_str(&format!("{prefix}{text}"));
        match header {
            Ok(mut header) if !text.is_empty() => {
                header.set_sensitive(true);
                Some(header)
            }
            _ => {
                let why = "names a place where nothing is that a header can hold";
                self.words(key, format!("{why}, allowed: {SECRET}"));
                None
            }
        }
    }

    fn channel(&mut self) -> Option<String> {
        let channel = self.table.get("channel")?.as_str();
        let channel = channel.filter(|text| (1..=256).contains(&text.len()));
        if channel.is_none() {
            self.refused("channel", "a channel's id");
        }
        channel.map(str::to_owned)
    }

    fn trust(&mut self) -> Trust {
        let mut trust = Trust::default();
        let Some(value) = self.table.get("trust") else {
            return trust;
        };
        let Some(hints) = value.as_array() else {
            self.refused("trust", HINTS);
            return trust;
        };
        let says = |word: &str| hints.iter().any(|hint| hint == word);
        trust.read_only = says("readOnlyHint");
        trust.idempotent = says("idempotentHint");
        let is_hint = |hint: &Value| hint == "readOnlyHint" || hint == "idempotentHint";
        if !hints.iter().all(is_hint) {
            self.refused("trust", HINTS);
        }
        trust
    }

    fn timeout_ms(&mut self) -> u64 {
        let Some(value) = self.table.get("timeout_ms") else {
            return 30_000;
        };
        let ms = value.as_u64().filter(|ms| TIMEOUT_MS.contains(ms));
        if ms.is_none() {
            self.refused("timeout_ms", "100 to 600000");
        }
        ms.unwrap_or_default()
    }

    /// One of a few words, by what they stand for.
    fn word<T: Copy + Default>(&mut self, key: &str, words: &[(&str, T)]) -> T {
        let Some(value) = self.table.get(key) else {
            return T::default();
        };
        let found = words.iter().find(|(word, _)| value.as_str() == Some(word));
        if found.is_none() {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.refused(key, &names.join(", "));
        }
        found.map(|(_, value)| *value).unwrap_or_default()
    }

    fn refused(&mut self, key: &str, allowed: &str) {
        let value = self.table.get(key);
        let value = value.map_or_else(
            || "not set".to_owned(),
            |value| format!("`{}`", keys::show(value)),
        );
        self.words(key, format!("is {value}, allowed: {allowed}"));
    }

    fn words(&mut self, key: &str, words: String) {
        self.wrong.push((key.to_owned(), words));
    }
}

fn is_free(header: &HeaderName) -> bool {
    let name = header.as_str();
    !TAKEN.contains(&name) && !name.starts_with("mcp-")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_json(table: &Value, others: &[McpConfig]) -> Result<McpConfig, Vec<String>> {
        let environment = Environment::of([("CAL", "secret"), ("BAD", "a\nsecret")]);
        super::read(table.as_object().unwrap(), others, &environment).map_err(|wrong| {
            let lines = wrong.iter().map(|(key, words)| format!("{key} {words}"));
            lines.collect()
        })
    }

    #[test]
    fn a_server_is_read_with_its_secrets() {
        let config = read_json(
            &json!({
                "name": "cal", "url": "https://cal.example/mcp", "channel": "shop", "token": "env:CAL",
                "headers": { "x-api-key": "env:CAL" }, "trust": ["readOnlyHint"], "undeclared": "pass",
                "timeout_ms": 500, "tool_errors": "unknown",
            }),
            &[],
        )
        .unwrap();
        assert_eq!(config.headers["authorization"], "Bearer secret");
        assert_eq!(config.headers["x-api-key"], "secret");
        assert!(config.trust.read_only && !config.trust.idempotent);
        assert_eq!(config.undeclared, Undeclared::Pass);
        assert_eq!(config.tool_errors, ToolErrors::Unknown);
        assert!(!format!("{config:?}").contains("secret"));
    }

    #[test]
    fn what_is_not_said_is_the_careful_choice() {
        let config = read_json(&json!({ "name": "cal", "url": "http://x/" }), &[]).unwrap();
        assert_eq!(
            (config.trust, config.undeclared),
            (Trust::default(), Undeclared::Guard)
        );
        assert_eq!(config.timeout_ms, 30_000);
        assert!(config.headers.is_empty());
    }

    #[test]
    fn everything_wrong_is_told_with_what_is_allowed_and_no_secret_is_shown() {
        let other = read_json(&json!({ "name": "cal", "url": "http://x/" }), &[]).unwrap();
        let wrong = read_json(
            &json!({
                "name": "cal", "url": "cal.example", "colour": 1, "token": "sk-secret",
                "headers": { "x-a": "env:NOPE", "x-b": "env:BAD", "mcp-session-id": "env:CAL", "x-c": 7 },
                "channel": "", "trust": ["destructiveHint"], "undeclared": "deny", "timeout_ms": 5,
                "tool_errors": "done",
            }),
            &[other],
        )
        .unwrap_err();
        assert_eq!(
            wrong,
            [
                "colour is no setting, allowed: name, url, token, headers, channel, trust, undeclared, timeout_ms, tool_errors",
                "name is `cal`, allowed: 1 to 32 of a-z, 0-9, - and _, a name of its own",
                "url is `cal.example`, allowed: an http:// or https:// address",
                "token is no reference, allowed: env:NAME, file:PATH",
                "headers.mcp-session-id is no such header, allowed: a header's name that is not the protocol's",
                "headers.x-a names the environment variable NOPE, which is not set",
                "headers.x-b names a place where nothing is that a header can hold, allowed: env:NAME or file:PATH, where visible ASCII characters are",
                "headers.x-c is no text, allowed: env:NAME or file:PATH, where visible ASCII characters are",
                "channel is ``, allowed: a channel's id",
                "trust is `[\"destructiveHint\"]`, allowed: a list of readOnlyHint, idempotentHint",
                "undeclared is `deny`, allowed: guard, pass",
                "timeout_ms is `5`, allowed: 100 to 600000",
                "tool_errors is `done`, allowed: failed, unknown",
            ]
        );
    }
}
