//! Why a body could not be read, told to whoever sent it. Must never repeat a person's words: it names the field, the
//! class of the value and what is allowed.

use serde_json::{Map, Value};

/// A body that is authentic but cannot be read; answered with 400 and this text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// It is not JSON, or not valid UTF-8.
    #[error("the body is not JSON: line {line}, column {column}")]
    Syntax {
        /// From 1; 0 when it broke off before the first line.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// It is JSON, but no object.
    #[error("the body is {found}, allowed: an object")]
    NoObject {
        /// The class of value, such as `a list`.
        found: &'static str,
    },
    /// It has a field that nobody reads.
    #[error("`{field}` is no field of the body, allowed: {allowed}")]
    UnknownField {
        /// Its name, cut to 64 characters.
        field: String,
        /// The names that are known.
        allowed: String,
    },
    /// A field's value cannot be used.
    #[error("`{field}` is {found}, allowed: {allowed}")]
    Field {
        /// Its name.
        field: &'static str,
        /// The class of the value, such as `a number` or `missing`.
        found: &'static str,
        /// What it may be.
        allowed: &'static str,
    },
    /// The body is of a type that nobody reads.
    #[error("the content type is not known, allowed: {allowed}")]
    ContentType {
        /// The types that are known.
        allowed: &'static str,
    },
}

/// The longest identifier from outside, in bytes.
const ID_BYTES: usize = 256;

/// The names of a body's fields, as the error about an unknown one lists them.
pub(crate) type Names = &'static [&'static str];

/// A JSON object whose fields are taken out one by one.
pub(crate) struct Fields {
    map: Map<String, Value>,
}

impl Fields {
    pub(crate) fn read(body: &[u8], names: Names) -> Result<Self, Malformed> {
        let value: Value = serde_json::from_slice(body).map_err(|error| Malformed::Syntax {
            line: error.line(),
            column: error.column(),
        })?;
        let Value::Object(map) = value else {
            return Err(Malformed::NoObject {
                found: class(&value),
            });
        };
        if let Some(unknown) = map.keys().find(|key| !names.contains(&key.as_str())) {
            return Err(Malformed::UnknownField {
                field: printable(unknown),
                allowed: names.join(", "),
            });
        }
        Ok(Self { map })
    }

    /// The value, or `None` when it is missing or null.
    pub(crate) fn take(&mut self, field: &str) -> Option<Value> {
        self.map.remove(field).filter(|value| !value.is_null())
    }

    /// An identifier that must be there.
    pub(crate) fn id(&mut self, field: &'static str) -> Result<String, Malformed> {
        self.optional_id(field)?
            .ok_or_else(|| wrong(field, "missing", ID_ALLOWED))
    }

    /// An identifier that may be missing.
    pub(crate) fn optional_id(&mut self, field: &'static str) -> Result<Option<String>, Malformed> {
        match self.take(field) {
            None => Ok(None),
            Some(Value::String(text)) => check_id(field, text).map(Some),
            Some(other) => Err(wrong(field, class(&other), ID_ALLOWED)),
        }
    }
}

const ID_ALLOWED: &str = "a string of 1 to 256 bytes without control characters";

fn check_id(field: &'static str, text: String) -> Result<String, Malformed> {
    if text.is_empty() {
        return Err(wrong(field, "an empty string", ID_ALLOWED));
    }
    if text.len() > ID_BYTES {
        return Err(wrong(field, "a string of more than 256 bytes", ID_ALLOWED));
    }
    if text.chars().any(char::is_control) {
        return Err(wrong(field, "a string with control characters", ID_ALLOWED));
    }
    Ok(text)
}

pub(crate) fn wrong(field: &'static str, found: &'static str, allowed: &'static str) -> Malformed {
    Malformed::Field {
        field,
        found,
        allowed,
    }
}

pub(crate) fn class(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn printable(name: &str) -> String {
    name.chars()
        .take(64)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}
