//! Time zones: offsets, and names of the time zone database, which is part of the program so that every machine reads a
//! name alike. Must never ask the machine for its zone.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};

use crate::tools::path::{self, Found};
use serde_json::Value;

/// The keys of a zone beside a time.
const KEYS: &[&str] = &[
    "time_zone",
    "tz",
    "timezone_id",
    "zone",
    "start_time_zone",
    "zona_horaria",
    "fuso_horario",
];

/// Where clocks show a time.
#[derive(Clone, Debug)]
pub(super) enum Zone {
    /// There.
    Known(TimeZone),
    /// At a name that no zone has: times that name it can be compared with each other only.
    Unnamed(String),
}

impl Zone {
    /// The zone of that name or offset.
    pub(super) fn named(name: &str) -> Self {
        let name = name.trim();
        offset(name)
            .map(TimeZone::fixed)
            .or_else(|| TimeZoneDatabase::bundled().get(name).ok())
            .map_or_else(|| Self::Unnamed(name.to_lowercase()), Self::Known)
    }

    /// The time there as the one spelling of its instant; the earlier of two, the later where clocks skip it.
    pub(super) fn spell(&self, time: DateTime) -> Option<String> {
        match self {
            Self::Known(zone) => zone
                .to_timestamp(time)
                .ok()
                .map(|instant| instant.to_string()),
            Self::Unnamed(name) => Some(format!("{time}[{name}]")),
        }
    }
}

/// Whether that is an offset or a name of the database.
pub(super) fn is_known(name: &str) -> bool {
    matches!(Zone::named(name), Zone::Known(_))
}

/// The zone that stands beside a time, innermost first, and its path.
pub(super) fn beside<'a>(found: &Found<'a>) -> Option<(&'a str, Vec<&'a str>)> {
    let tables = found.around.iter().enumerate().rev();
    tables
        .flat_map(|(depth, table)| KEYS.iter().map(move |key| (depth, path::entry(table, key))))
        .find_map(|(depth, entry)| match entry {
            Some((key, Value::String(name))) if !name.trim().is_empty() => {
                let mut path = found.path[..depth].to_vec();
                path.push(key);
                Some((name.as_str(), path))
            }
            _ => None,
        })
}

/// `Z`, `UTC`, `GMT+2`, `-03:00`, `-0300`, `+5:30`.
pub(super) fn offset(text: &str) -> Option<Offset> {
    let lower = text.trim().to_lowercase();
    let rest = ["utc", "gmt", "z"]
        .iter()
        .find_map(|name| lower.strip_prefix(name));
    let rest = match rest {
        Some("") => return Some(Offset::UTC),
        Some(rest) => rest.trim(),
        None => lower.as_str(),
    };
    let (sign, digits) = match rest.chars().next()? {
        '+' => (1, &rest[1..]),
        '-' => (-1, &rest[1..]),
        '−' => (-1, &rest['−'.len_utf8()..]),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, minutes)) if minutes.len() == 2 => (hours, minutes),
        Some(_) => return None,
        None if digits.len() > 2 => digits.split_at_checked(digits.len() - 2)?,
        None => (digits, "0"),
    };
    let number = |text: &str, most: i32| {
        let is_short = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<i32>()
            .ok()
            .filter(|value| is_short && *value <= most)
    };
    let seconds = number(hours, 18)? * 3_600 + number(minutes, 59)? * 60;
    Offset::from_seconds(sign * seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_in_all_their_forms() {
        for text in [
            "-03:00",
            "-0300",
            "-03",
            "-3",
            "UTC-3",
            "gmt-03:00",
            "−03:00",
        ] {
            assert_eq!(offset(text), Offset::from_hours(-3).ok(), "{text}");
        }
        for text in ["z", "Z", "UTC", "GMT", "+00:00", "utc+0"] {
            assert_eq!(offset(text), Some(Offset::UTC), "{text}");
        }
        for text in ["3", "-", "+25", "-3:7", "EST", "+1:60", ""] {
            assert_eq!(offset(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_known_whatever_their_case() {
        assert!(is_known("America/Sao_Paulo"));
        assert!(is_known("america/sao_paulo"));
        assert!(!is_known("Pacific Standard Time"));
    }
}
