//! What makes two calls of a tool the same call: the recipe that a tool's settings name. Must never leave a field out
//! that nobody said may differ.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::spelling::{DateOrder, DecimalMark, Reading, Spelling};
use crate::status::words;

words! {
    /// The kinds of recipes.
    RecipeKind, "recipe", {
        /// What the tool's name says, else all arguments.
        Auto = "auto",
        /// Title and start.
        Calendar = "calendar.create_event",
        /// Recipients, subject, and a hash of the content.
        Email = "email.send",
        /// All arguments.
        Arguments = "arguments",
        /// Chosen fields.
        Fields = "fields",
    }
}

/// One field of a call's identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Where it is found, the first that is there: `start.dateTime`, or `date+time` for two that belong together.
    pub from: Vec<String>,
    /// How its values are brought to one spelling.
    pub spelling: Spelling,
    /// Whether a call without it can still be compared by the other fields.
    pub optional: bool,
    /// Whether a list's order does not matter.
    pub any_order: bool,
}

impl Field {
    /// A field that every call must have, found under its own name.
    #[must_use]
    pub fn named(name: &str, spelling: Spelling) -> Self {
        Self {
            name: name.to_owned(),
            from: vec![name.to_owned()],
            spelling,
            optional: false,
            any_order: false,
        }
    }
}

/// What makes two calls of a tool the same call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Which kind.
    pub kind: RecipeKind,
    /// The fields, for `fields`.
    pub fields: Vec<Field>,
    /// What may differ, by path, where all arguments are compared.
    pub ignore: Vec<String>,
    /// How spellings are read that could mean two things.
    pub reading: Reading,
}

impl Default for Recipe {
    fn default() -> Self {
        Self::of(RecipeKind::Auto)
    }
}

/// Something in a recipe is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("recipe.{key} is {value}, allowed: {allowed}")]
pub struct RecipeError {
    /// The key inside the recipe.
    pub key: String,
    /// The value that was given.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

/// The most fields that a recipe compares.
const MOST_FIELDS: usize = 32;

impl Recipe {
    /// A recipe of that kind.
    #[must_use]
    pub fn of(kind: RecipeKind) -> Self {
        Self {
            kind,
            fields: Vec::new(),
            ignore: Vec::new(),
            reading: Reading::default(),
        }
    }

    /// A recipe of chosen fields.
    #[must_use]
    pub fn fields(fields: Vec<Field>) -> Self {
        Self {
            fields,
            ..Self::of(RecipeKind::Fields)
        }
    }

    /// Everything in it that is not allowed.
    pub fn validate(&self) -> Result<(), Vec<RecipeError>> {
        let mut errors = Vec::new();
        let mut wrong = |key: &str, value: String, allowed: &str| {
            errors.push(RecipeError {
                key: key.to_owned(),
                value,
                allowed: allowed.to_owned(),
            });
        };
        let is_of_fields = self.kind == RecipeKind::Fields;
        if is_of_fields && !(1..=MOST_FIELDS).contains(&self.fields.len()) {
            let given = format!("{} fields", self.fields.len());
            wrong("fields", given, "1 to 32 fields, for kind fields");
        }
        if !is_of_fields && !self.fields.is_empty() {
            wrong("fields", "set".to_owned(), "only with kind fields");
        }
        if !self.ignore.is_empty() && matches!(self.kind, RecipeKind::Fields) {
            wrong(
                "ignore",
                "set".to_owned(),
                "not with kind fields: what is no field may differ",
            );
        }
        for (place, field) in self.fields.iter().enumerate() {
            let twice = self.fields[..place]
                .iter()
                .any(|other| other.name == field.name);
            if field.name.trim().is_empty() || twice {
                wrong("fields", format!("`{}`", field.name), "names of their own");
            }
            if field.from.is_empty() || field.from.iter().any(|from| from.trim().is_empty()) {
                wrong(
                    &format!("fields.{}.from", field.name),
                    format!("{:?}", field.from),
                    "paths such as start.dateTime",
                );
            }
        }
        if !self.fields.is_empty() && self.fields.iter().all(|field| field.optional) {
            wrong(
                "fields",
                "all optional".to_owned(),
                "at least one that is not optional",
            );
        }
        self.reading.validate(&mut wrong);
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }
}

/// A recipe as it is written: a kind's name, or a table.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<RecipeKind>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Field>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignore: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dates: Option<DateOrder>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decimal: Option<DecimalMark>,
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<String>,
}

/// A value that is a name or a table.
enum NameOr<T> {
    Name(String),
    Table(T),
}

fn name_or<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<NameOr<T>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(name) => Ok(NameOr::Name(name)),
        table @ Value::Object(_) => serde_json::from_value(table)
            .map(NameOr::Table)
            .map_err(D::Error::custom),
        other => Err(D::Error::custom(format!(
            "is {other}, allowed: a name or a table"
        ))),
    }
}

impl Serialize for Recipe {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if *self == Self::of(self.kind) {
            return self.kind.serialize(serializer);
        }
        let is_told = !self.fields.is_empty() && self.kind == RecipeKind::Fields;
        Written {
            kind: (!is_told).then_some(self.kind),
            fields: self.fields.clone(),
            ignore: self.ignore.clone(),
            zone: self.reading.zone.clone(),
            dates: self.reading.dates,
            decimal: self.reading.decimal,
            country: self.reading.country.clone(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Recipe {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match name_or::<Written, D>(deserializer)? {
            NameOr::Name(name) => name.parse().map(Self::of).map_err(D::Error::custom),
            NameOr::Table(written) => {
                let told = if written.fields.is_empty() {
                    RecipeKind::Auto
                } else {
                    RecipeKind::Fields
                };
                Ok(Self {
                    kind: written.kind.unwrap_or(told),
                    fields: written.fields,
                    ignore: written.ignore,
                    reading: Reading {
                        zone: written.zone,
                        dates: written.dates,
                        decimal: written.decimal,
                        country: written.country,
                    },
                })
            }
        }
    }
}

/// A field as it is written: its name, or a table.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenField {
    name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    from: Vec<String>,
    #[serde(rename = "as", default)]
    spelling: Spelling,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    any_order: bool,
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if *self == Self::named(&self.name, Spelling::Text) {
            return self.name.serialize(serializer);
        }
        let own_name = self.from == [self.name.clone()];
        WrittenField {
            name: self.name.clone(),
            from: if own_name {
                Vec::new()
            } else {
                self.from.clone()
            },
            spelling: self.spelling,
            optional: self.optional,
            any_order: self.any_order,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match name_or::<WrittenField, D>(deserializer)? {
            NameOr::Name(name) => Self::named(&name, Spelling::Text),
            NameOr::Table(written) => Self {
                from: if written.from.is_empty() {
                    vec![written.name.clone()]
                } else {
                    written.from
                },
                name: written.name,
                spelling: written.spelling,
                optional: written.optional,
                any_order: written.any_order,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: serde_json::Value) -> Recipe {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_recipe_is_a_name_or_a_table() {
        assert_eq!(read(json!("email.send")), Recipe::of(RecipeKind::Email));
        let chosen = read(json!({
            "fields": ["order_id", { "name": "amount", "as": "money", "optional": true }],
            "zone": "America/Sao_Paulo",
        }));
        assert_eq!(chosen.kind, RecipeKind::Fields);
        assert_eq!(chosen.fields[0], Field::named("order_id", Spelling::Text));
        assert_eq!(chosen.fields[1].spelling, Spelling::Money);
        assert_eq!(chosen.reading.zone.as_deref(), Some("America/Sao_Paulo"));
        let zoned = read(json!({ "kind": "calendar.create_event", "zone": "America/Santiago" }));
        assert_eq!(zoned.kind, RecipeKind::Calendar);
        for recipe in [chosen, zoned, Recipe::default()] {
            assert_eq!(read(serde_json::to_value(&recipe).unwrap()), recipe);
        }
    }

    #[test]
    fn what_is_not_allowed_is_named() {
        let recipe = Recipe {
            ignore: vec!["x".to_owned()],
            ..Recipe::fields(vec![
                Field {
                    optional: true,
                    ..Field::named("a", Spelling::Text)
                },
                Field {
                    optional: true,
                    from: Vec::new(),
                    ..Field::named("a", Spelling::Text)
                },
            ])
        };
        let errors = recipe.validate().unwrap_err();
        let keys: Vec<&str> = errors.iter().map(|error| error.key.as_str()).collect();
        assert_eq!(keys, ["ignore", "fields", "fields.a.from", "fields"]);
        let error = Recipe::fields(Vec::new()).validate().unwrap_err().remove(0);
        assert_eq!(
            error.to_string(),
            "recipe.fields is 0 fields, allowed: 1 to 32 fields, for kind fields"
        );
    }
}
