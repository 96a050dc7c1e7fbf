//! The members of a JSON object as they stand there, twice or not. Must never choose between two of one name.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::NotMcp;

/// The members of an object, in their order.
pub(super) struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// Whether each of these names is there at most once, and nothing that another parser could take for it: some fold
    /// the case of names.
    pub(super) fn are_plain(&self, names: &[&'static str]) -> Result<(), NotMcp> {
        for name in names {
            let mut alike = self.0.iter().filter(|(other, _)| folded(other) == *name);
            let is_plain = match (alike.next(), alike.next()) {
                (None, _) => true,
                (Some((only, _)), None) => only == name,
                (Some(_), Some(_)) => false,
            };
            if !is_plain {
                return Err(NotMcp::Ambiguous(name));
            }
        }
        Ok(())
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let found = self.0.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| *value)
    }

    pub(super) fn read<T: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, serde_json::Error> {
        let raw = self.get(name);
        raw.map(|raw| serde_json::from_str(raw.get())).transpose()
    }
}

/// Upper case first: the long s and the sign for kelvin are letters to some parsers.
fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Collect)
    }
}

struct Collect;

impl<'de> Visitor<'de> for Collect {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
