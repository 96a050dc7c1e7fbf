//! What an agent elsewhere asks for. Everything that is wrong is told by field, value and what is allowed.

use axum::http::StatusCode;
use replygate_engine::{Toolbox, Wish};
use replygate_gate::SessionKey;
use replygate_gate::text::Tongue;
use replygate_ports::tools::Effect;
use serde_json::{Map, Value};

use crate::http::failure::Failure;
use crate::http::hooks::unread;
use crate::http::v1::body::Body;

/// A wish with its arguments may be so long. Bytes.
pub(in crate::http::v1) const MOST_BYTES: usize = 1024 * 1024;

const FIELDS: [&str; 8] = [
    "tool",
    "arguments",
    "channel",
    "contact",
    "effect",
    "account",
    "conversation",
    "language",
];
const NAME: &str = "1 to 128 of a-z, A-Z, 0-9, -, _, . and /";
const TEXT: &str = "a text of 1 to 256 bytes";

/// What is asked.
pub(super) enum Asked {
    /// It only looks: nobody needs to be asked.
    Unguarded,
    /// It may have an effect.
    Guarded(Box<Wish>),
}

pub(super) fn read(body: Body, toolbox: &Toolbox) -> Result<Asked, Failure> {
    let body = body.map_err(|error| unread(&error))?;
    if body.len() > MOST_BYTES {
        let message = format!("the body is too large, allowed: {MOST_BYTES} bytes");
        return Err(Failure::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            message,
        ));
    }
    let read: Value = serde_json::from_slice(&body).map_err(|error| {
        let place = (error.line(), error.column());
        Failure::malformed(format!(
            "the body is not JSON: line {}, column {}",
            place.0, place.1
        ))
    })?;
    let Value::Object(fields) = read else {
        return Err(Failure::malformed("the body is no JSON object"));
    };
    asked(&fields, toolbox)
}

fn asked(fields: &Map<String, Value>, toolbox: &Toolbox) -> Result<Asked, Failure> {
    if let Some(other) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(Failure::field(
            other,
            "set",
            "nothing: there is no such field",
        ));
    }
    let name = required(fields, "tool", NAME)?;
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    if name.len() > 128 || !name.bytes().all(is_sign) {
        return Err(Failure::field("tool", name, NAME));
    }
    let arguments = match fields.get("arguments") {
        Some(arguments @ Value::Object(_)) => arguments.clone(),
        Some(other) => return Err(Failure::field("arguments", &shown(other), "an object")),
        None => return Err(Failure::field("arguments", "not set", "an object")),
    };
    let whom = whom(fields)?;
    let tongue = tongue(fields)?;
    let effect = effect(fields)?;
    let live = toolbox.tool(name);
    let declared = live.as_ref().map(|live| live.tool.effect);
    // Where settings and caller say different things, the one who fears an effect is right.
    let effects = [effect, declared];
    let only_reads =
        effects.contains(&Some(Effect::Read)) && !effects.contains(&Some(Effect::Write));
    if only_reads {
        return Ok(Asked::Unguarded);
    }
    let wish = match live {
        Some(live) => Wish::of(&live.tool, arguments, whom),
        None => Wish::undeclared(name, arguments, whom),
    };
    Ok(Asked::Guarded(Box::new(Wish { tongue, ..wish })))
}

fn whom(fields: &Map<String, Value>) -> Result<SessionKey, Failure> {
    let contact = required(fields, "contact", TEXT)?.to_owned();
    let conversation = optional(fields, "conversation")?.map(str::to_owned);
    Ok(SessionKey {
        channel: required(fields, "channel", "a channel's id")?.to_owned(),
        account: optional(fields, "account")?.unwrap_or_default().to_owned(),
        conversation: conversation.unwrap_or_else(|| contact.clone()),
        contact,
    })
}

fn effect(fields: &Map<String, Value>) -> Result<Option<Effect>, Failure> {
    match fields.get("effect").map(Value::as_str) {
        None => Ok(None),
        Some(Some("read")) => Ok(Some(Effect::Read)),
        Some(Some("write")) => Ok(Some(Effect::Write)),
        Some(_) => Err(Failure::field(
            "effect",
            &shown(&fields["effect"]),
            "read, write",
        )),
    }
}

fn tongue(fields: &Map<String, Value>) -> Result<Tongue, Failure> {
    let Some(wanted) = fields.get("language") else {
        return Ok(Tongue::default());
    };
    let found = Tongue::ALL
        .into_iter()
        .find(|tongue| wanted.as_str() == Some(tongue.code()));
    found.ok_or_else(|| Failure::field("language", &shown(wanted), "en, pt, es"))
}

fn required<'a>(
    fields: &'a Map<String, Value>,
    name: &'static str,
    allowed: &str,
) -> Result<&'a str, Failure> {
    optional(fields, name)?.ok_or_else(|| Failure::field(name, "not set", allowed))
}

fn optional<'a>(
    fields: &'a Map<String, Value>,
    name: &'static str,
) -> Result<Option<&'a str>, Failure> {
    let Some(value) = fields.get(name) else {
        return Ok(None);
    };
    let text = value
        .as_str()
        .filter(|text| (1..=256).contains(&text.len()));
    text.map(Some)
        .ok_or_else(|| Failure::field(name, &shown(value), TEXT))
}

/// A value as an error shows it: short, for it may be anything.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.chars().take(64).collect(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}
