//! What two calls are compared by: each field of the identity in one spelling, and what is left out. Must never compare
//! by half a recipe: where a field is missing, all arguments count.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::path::{self, Found};
use super::recipe::{Field, Recipe, RecipeKind};
use super::spelling::{self, Read, Reading};
use super::{canonical, known};

/// One field of a call's identity in its one spelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// Its value in one spelling; for `hash` only the hash.
    pub value: String,
}

/// What makes a call's identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The recipe that was used: a kind's name.
    pub recipe: String,
    /// What is compared.
    pub compared: Vec<Compared>,
    /// The paths of what is not compared, sorted.
    pub ignored: Vec<String>,
    /// The field that was missing, so that all arguments are compared instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl Recipe {
    /// What makes the identity of a call of `tool` with these arguments.
    #[must_use]
    pub fn compare(&self, tool: &str, arguments: &Value) -> Comparison {
        let kind = match self.kind {
            RecipeKind::Auto => known::kind_of(tool),
            other => other,
        };
        let chosen = match kind {
            RecipeKind::Calendar => known::calendar(),
            RecipeKind::Email => known::email(),
            RecipeKind::Fields => &self.fields,
            RecipeKind::Auto | RecipeKind::Arguments => return self.whole(arguments, None),
        };
        match chosen_fields(chosen, arguments, &self.reading) {
            Ok((compared, used)) => Comparison {
                recipe: kind.as_str().to_owned(),
                compared,
                ignored: unused(arguments, &used),
                missing: None,
            },
            // A tool whose name only looks like a known one is nothing to tell of.
            Err(_) if self.kind == RecipeKind::Auto => self.whole(arguments, None),
            Err(missing) => self.whole(arguments, Some(missing)),
        }
    }

    fn whole(&self, arguments: &Value, missing: Option<String>) -> Comparison {
        let mut rest = arguments.clone();
        let ignored: Vec<String> = self
            .ignore
            .iter()
            .filter_map(|path| take(&mut rest, path))
            .collect();
        Comparison {
            recipe: RecipeKind::Arguments.as_str().to_owned(),
            compared: vec![Compared {
                name: RecipeKind::Arguments.as_str().to_owned(),
                value: canonical(&rest),
            }],
            ignored,
            missing,
        }
    }
}

type Chosen<'a> = (Vec<Compared>, Vec<Vec<&'a str>>);

/// The fields' values and the paths they were found at, or the name of one that is not there.
fn chosen_fields<'a>(
    fields: &[Field],
    arguments: &'a Value,
    reading: &Reading,
) -> Result<Chosen<'a>, String> {
    let mut compared = Vec::new();
    let mut used = Vec::new();
    for field in fields {
        let Some((value, paths)) = value_of(field, arguments, reading) else {
            if field.optional {
                continue;
            }
            return Err(field.name.clone());
        };
        compared.push(Compared {
            name: field.name.clone(),
            value,
        });
        used.extend(paths);
    }
    Ok((compared, used))
}

/// A value in its one spelling, and the paths it was read from.
type Valued<'a> = (String, Vec<Vec<&'a str>>);

/// The field's value: of the places where it may be the first that is there. A time without its day, or a day whose hour
/// stands somewhere else, is no start.
fn value_of<'a>(field: &Field, arguments: &'a Value, reading: &Reading) -> Option<Valued<'a>> {
    let mut joined: Option<Valued<'a>> = None;
    for from in &field.from {
        let parts: Option<Vec<Found<'a>>> = from
            .split('+')
            .map(|path| path::find(arguments, path))
            .collect();
        let Some(parts) = parts else { continue };
        let (read, paths) = spelling::read(&parts, field, reading);
        match read {
            Read::Whole(value) => return Some((value, paths)),
            Read::Day(day) if joined.is_none() && !names_an_hour(arguments) => {
                return Some((day, paths));
            }
            Read::Day(_) | Read::Hour => {}
            Read::Other(text) if parts.len() == 1 => return joined.or(Some((text, paths))),
            Read::Other(text) => {
                joined.get_or_insert((text, paths));
            }
        }
    }
    joined
}

/// Whether a key speaks of an hour: not of an end, and not of a time zone.
fn names_an_hour(arguments: &Value) -> bool {
    const HOURS: &[&str] = &["time", "hour", "hora", "slot"];
    const OTHERS: &[&str] = &[
        "zone", "zona", "fuso", "end", "fin", "fim", "until", "out", "stamp",
    ];
    path::leaves(arguments).iter().any(|(path, _)| {
        let path = path.to_lowercase();
        HOURS.iter().any(|word| path.contains(word))
            && !OTHERS.iter().any(|word| path.contains(word))
    })
}

fn unused(arguments: &Value, used: &[Vec<&str>]) -> Vec<String> {
    let used: Vec<String> = used.iter().map(|path| path.join(".")).collect();
    let is_used = |path: &str| {
        used.iter().any(|used| {
            path.strip_prefix(used.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    path::leaves(arguments)
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| !is_used(path))
        .collect()
}

/// Takes what is at `path` out; its path as it is spelt.
fn take(value: &mut Value, path: &str) -> Option<String> {
    let (key, rest) = path
        .split_once('.')
        .map_or((path, None), |(key, rest)| (key, Some(rest)));
    let Value::Object(table) = value else {
        return None;
    };
    let key = path::entry(table, key)?.0.to_owned();
    match rest {
        None => table.remove(&key).map(|_| key),
        Some(rest) => take(table.get_mut(&key)?, rest).map(|inner| format!("{key}.{inner}")),
    }
}
