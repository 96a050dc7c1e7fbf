//! Signing secrets: written into the file, or named there and kept in the environment. Must never show one.

use replygate_channels::generic::Secret;
use serde_json::Value;

use super::environment::Environment;

/// What `signing_secret` may be, for people.
pub(super) const ALLOWED: &str = "whsec_ and base64, env:NAME, or a list of two of them (new, old) while the secret is being changed";

/// Reads one secret or two; the problem never shows them.
pub(super) fn read(value: &Value, environment: &Environment) -> Result<Vec<Secret>, String> {
    match value {
        Value::String(text) => Ok(vec![one(text, environment)?]),
        Value::Array(all) if (1..=2).contains(&all.len()) => all
            .iter()
            .map(|value| match value {
                Value::String(text) => one(text, environment),
                _ => Err(format!(
                    "holds something that is no text, allowed: {ALLOWED}"
                )),
            })
            .collect(),
        _ => Err(format!("is no text and no list of two, allowed: {ALLOWED}")),
    }
}

fn one(text: &str, environment: &Environment) -> Result<Secret, String> {
    let Some(name) = text.strip_prefix("env:") else {
        return Secret::parse(text).map_err(|error| error.to_string());
    };
    let value = environment
        .get(name)
        .ok_or_else(|| format!("names the environment variable {name}, which is not set"))?;
    Secret::parse(value).map_err(|error| format!("names {name}: {error}"))
}
