//! Points in time, as people and programs write them. Must never take a time for an instant without its day, nor choose
//! between day and month where nobody said how.

mod clock;
mod day;
mod pieces;

use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use self::clock::Clock;
use self::pieces::Pieces;
use super::zone::Zone;
use super::{Read, Reading, text};
use crate::ids::At;
use crate::text::chars;

/// Reads an instant or a day. `zone` is the one that stands beside it.
pub(super) fn read(value: &Value, zone: Option<&str>, reading: &Reading) -> Read {
    let (plain, read) = match value {
        Value::Number(number) => {
            let plain = number.to_string();
            (plain.clone(), epoch(&plain).map(Read::Whole))
        }
        Value::String(string) => (string.clone(), written(string, zone, reading)),
        other => (super::plain(other), None),
    };
    read.unwrap_or_else(|| Read::Other(text::fold(&plain)))
}

/// The instant behind its one spelling; nothing for a time whose zone nobody knows.
pub(super) fn at(spelling: &str) -> Option<At> {
    let instant: Timestamp = spelling.parse().ok()?;
    Some(At(instant.as_millisecond()))
}

/// An instant in its one spelling; the first of 1970 for one that no calendar has.
pub(super) fn written_at(at: At) -> String {
    Timestamp::from_millisecond(at.0)
        .unwrap_or_default()
        .to_string()
}

fn written(text: &str, beside: Option<&str>, reading: &Reading) -> Option<Read> {
    let text: String = text
        .nfkc()
        .filter(|c| !chars::is_invisible(*c))
        .map(|c| if c == '−' { '-' } else { c })
        .flat_map(char::to_lowercase)
        .collect();
    let text = text.trim();
    if let Some(read) = epoch(text) {
        return Some(Read::Whole(read));
    }
    let (text, bracket) = without_bracket(text);
    let mut pieces = Pieces { rest: text };
    let (date, time) = if let Some(date) = pieces.date(reading.dates) {
        pieces.joints();
        (date, pieces.time())
    } else {
        let time = pieces.time()?;
        pieces.joints();
        match pieces.date(reading.dates) {
            Some(date) => (date, Some(time)),
            None if pieces.rest.is_empty() => return Some(Read::Hour),
            None => return None,
        }
    };
    let Some(time) = time else {
        return pieces.rest.is_empty().then(|| Read::Day(date.to_string()));
    };
    let said = pieces.zone()?;
    let zone = said
        .or_else(|| bracket.map(Zone::named))
        .or_else(|| beside.map(Zone::named))
        .or_else(|| reading.zone.as_deref().map(Zone::named))
        .unwrap_or_else(|| Zone::named("UTC"));
    zone.spell(time.on(date)?).map(Read::Whole)
}

/// `2026-03-05T09:00[America/Sao_Paulo]`: the text and the zone in its brackets.
fn without_bracket(text: &str) -> (&str, Option<&str>) {
    let Some((before, bracket)) = text.split_once('[') else {
        return (text, None);
    };
    let name = bracket.split(']').next().filter(|name| !name.contains('='));
    (before.trim_end(), name)
}

/// Seconds, milliseconds, microseconds or nanoseconds since 1970, by their size: seconds from 1973 to 5138.
fn epoch(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || !(9..=19).contains(&whole.len()) {
        return None;
    }
    let value: i128 = whole.parse().ok()?;
    let nanoseconds = match whole.len() {
        9..=11 => {
            let digits: String = fraction
                .chars()
                .chain("000000000".chars())
                .take(9)
                .collect();
            value * 1_000_000_000 + digits.parse::<i128>().ok()?
        }
        // A day and an hour without any mark, which a count of seconds or milliseconds cannot be.
        12 | 14 if whole.starts_with("20") && compact(whole).is_some() => return None,
        12..=14 => value * 1_000_000,
        15..=17 => value * 1_000,
        _ => value,
    };
    Timestamp::from_nanosecond(nanoseconds)
        .ok()
        .map(|instant| instant.to_string())
}

fn compact(digits: &str) -> Option<(Date, Clock)> {
    let mut pieces = Pieces { rest: digits };
    let date = pieces.compact_date()?;
    let time = pieces.compact_time()?;
    pieces.rest.is_empty().then_some((date, time))
}

#[cfg(test)]
mod tests;
