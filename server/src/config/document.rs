//! A configuration file as a tree of values, each with the line it stands on. Must never judge a value.

use std::collections::HashMap;

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::{Origin, Problem};

/// Values by key, and where each came from.
#[derive(Debug, Default)]
pub(super) struct Document {
    /// The values.
    pub(super) root: Map<String, Value>,
    origins: HashMap<String, Origin>,
}

impl Document {
    /// Reads a file.
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        let table = DeTable::parse(text).map_err(|error| {
            let line = error
                .span()
                .map(|span| Origin::Line(line(text, span.start)));
            Problem::new(line, error.message())
        })?;
        let mut document = Self::default();
        document.root = document.table(text, "", table.get_ref());
        Ok(document)
    }

    /// Where the value at this path came from; of the nearest value around it where it is not there itself. A path is
    /// `server.listen` or `channels.0.id`.
    pub(super) fn origin(&self, path: &str) -> Option<Origin> {
        let mut path = path;
        loop {
            if let Some(origin) = self.origins.get(path) {
                return Some(origin.clone());
            }
            path = path.rsplit_once('.')?.0;
        }
    }

    /// Puts a value in place of what the file has there, and makes what is missing on the way.
    pub(super) fn set(&mut self, path: &[String], value: Value, origin: Origin) {
        self.origins.insert(path.join("."), origin);
        let Some((last, way)) = path.split_last() else {
            return;
        };
        let mut root = Value::Object(std::mem::take(&mut self.root));
        let mut place = &mut root;
        for step in way {
            place = child(place, step);
        }
        *child(place, last) = value;
        if let Value::Object(root) = root {
            self.root = root;
        }
    }

    fn table(&mut self, text: &str, path: &str, table: &DeTable<'_>) -> Map<String, Value> {
        let mut map = Map::new();
        for (key, value) in table {
            let path = join(path, key.get_ref());
            let line = Origin::Line(line(text, key.span().start));
            self.origins.insert(path.clone(), line);
            let value = self.value(text, &path, value);
            map.insert(key.get_ref().to_string(), value);
        }
        map
    }

    fn value(&mut self, text: &str, path: &str, value: &Spanned<DeValue<'_>>) -> Value {
        match value.get_ref() {
            DeValue::String(string) => Value::String(string.to_string()),
            DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
                .map_or_else(|_| Value::String(integer.to_string()), Value::from),
            DeValue::Float(float) => float
                .as_str()
                .parse::<f64>()
                .map_or_else(|_| Value::String(float.to_string()), Value::from),
            DeValue::Boolean(value) => Value::Bool(*value),
            DeValue::Datetime(time) => Value::String(time.to_string()),
            DeValue::Array(items) => {
                let mut values = Vec::new();
                for (place, item) in items.iter().enumerate() {
                    let path = join(path, &place.to_string());
                    let line = Origin::Line(line(text, item.span().start));
                    self.origins.insert(path.clone(), line);
                    values.push(self.value(text, &path, item));
                }
                Value::Array(values)
            }
            DeValue::Table(table) => Value::Object(self.table(text, path, table)),
        }
    }
}

/// The value under `step`; made where it is not there.
fn child<'a>(place: &'a mut Value, step: &str) -> &'a mut Value {
    if let (Value::Array(items), Ok(index)) = (&mut *place, step.parse::<usize>()) {
        while items.len() <= index {
            items.push(Value::Object(Map::new()));
        }
        let Value::Array(items) = place else {
            unreachable!("it was a list a line ago")
        };
        return &mut items[index];
    }
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    let Value::Object(map) = place else {
        unreachable!("it was made an object a line ago")
    };
    map.entry(step).or_insert(Value::Null)
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

fn line(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}
