//! The choice of an agent or evaluator: a name, or a table with a `kind` and options.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

/// Which agent or evaluator, and how it is set up. What the options may be, its builder says.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Such as `demo`, `echo`, `http`, `rules`, `marker`.
    pub kind: String,
    /// The rest of the table.
    pub options: BTreeMap<String, Value>,
}

impl Choice {
    /// A choice without options.
    #[must_use]
    pub fn named(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            options: BTreeMap::new(),
        }
    }
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.options.is_empty() {
            return serializer.serialize_str(&self.kind);
        }
        let mut table = self.options.clone();
        table.insert("kind".to_owned(), Value::String(self.kind.clone()));
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(kind) => Ok(Self::named(&kind)),
            Value::Object(table) => {
                let mut options: BTreeMap<String, Value> = table.into_iter().collect();
                match options.remove("kind") {
                    Some(Value::String(kind)) => Ok(Self { kind, options }),
                    _ => Err(de::Error::missing_field("kind")),
                }
            }
            other => Err(de::Error::custom(format!(
                "is {other}, allowed: a name, or a table with `kind`"
            ))),
        }
    }
}
