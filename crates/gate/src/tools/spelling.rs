//! One spelling for each meaning: texts, instants, numbers, amounts of money, phone numbers, e-mail addresses. Must never
//! guess: a value that could mean two things keeps the spelling it has.

mod contact;
mod decimal;
mod instant;
mod text;
mod zone;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::canonical::{canonical, quoted};
use super::path::Found;
use super::recipe::Field;
use crate::ids::At;
use crate::status::words;

words! {
    /// How a field's values are brought to one spelling.
    #[derive(Default)]
    Spelling, "spelling", {
        /// Case, blanks, width and typographic signs do not matter.
        #[default]
        Text = "text",
        /// Everything matters.
        Exact = "exact",
        /// A point in time, or a day.
        Instant = "instant",
        /// A number, in digits or as a text.
        Number = "number",
        /// A number with a currency.
        Money = "money",
        /// A phone number.
        Phone = "phone",
        /// One or more e-mail addresses, in any order.
        Email = "email",
        /// The hash of a text, whose letters matter and whose line ends do not.
        Hash = "hash",
    }
}

words! {
    /// Which comes first in `05/03/2026`.
    DateOrder, "order of dates", {
        /// The day.
        DayFirst = "day_first",
        /// The month.
        MonthFirst = "month_first",
    }
}

words! {
    /// What `1.000` is.
    DecimalMark, "decimal mark", {
        /// One.
        Point = "point",
        /// A thousand.
        Comma = "comma",
    }
}

/// How spellings are read that could mean two things. What is not said is not guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The zone of times that name none, as `America/Sao_Paulo` or `-03:00`; UTC where it is not said.
    pub zone: Option<String>,
    /// Which comes first in `05/03/2026`.
    pub dates: Option<DateOrder>,
    /// What `1.000` is.
    pub decimal: Option<DecimalMark>,
    /// The country code of phone numbers that have none, such as `55`.
    pub country: Option<String>,
}

impl Reading {
    pub(super) fn validate(&self, wrong: &mut impl FnMut(&str, String, &str)) {
        if let Some(zone) = self.zone.as_deref().filter(|zone| !zone::is_known(zone)) {
            wrong(
                "zone",
                format!("`{zone}`"),
                "a zone of the time zone database such as America/Sao_Paulo, or an offset such as -03:00",
            );
        }
        let is_code = |code: &str| {
            (1..=3).contains(&code.len())
                && !code.starts_with('0')
                && code.bytes().all(|byte| byte.is_ascii_digit())
        };
        if let Some(code) = self.country.as_deref().filter(|code| !is_code(code)) {
            wrong(
                "country",
                format!("`{code}`"),
                "a country code of 1 to 3 digits such as 55",
            );
        }
    }
}

/// The instant that a value names, as the guard reads it; `zone` is the one that stands beside it.
#[must_use]
pub fn instant(value: &Value, zone: Option<&str>, reading: &Reading) -> Option<At> {
    match instant::read(value, zone, reading) {
        Read::Whole(text) => instant::at(&text),
        Read::Day(_) | Read::Hour | Read::Other(_) => None,
    }
}

/// An instant as RFC 3339 writes it, by UTC.
#[must_use]
pub fn written(at: At) -> String {
    instant::written_at(at)
}

/// A value as its field's spelling reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// In its one spelling.
    Whole(String),
    /// A day without an hour.
    Day(String),
    /// An hour without its day.
    Hour,
    /// Of another form: compared as a text.
    Other(String),
}

/// Reads what was found, joined by blanks, with the paths that were read: a time zone beside a time is read with it.
pub(super) fn read<'a>(
    parts: &[Found<'a>],
    field: &Field,
    reading: &Reading,
) -> (Read, Vec<Vec<&'a str>>) {
    let mut paths: Vec<Vec<&str>> = parts.iter().map(|part| part.path.clone()).collect();
    let joined;
    let value = match parts {
        [only] => only.value,
        several => {
            let texts: Vec<String> = several.iter().map(|part| plain(part.value)).collect();
            joined = Value::String(texts.join(" "));
            &joined
        }
    };
    if field.spelling != Spelling::Instant {
        return (one(value, field, reading), paths);
    }
    let beside = parts.first().and_then(zone::beside);
    let (name, path) = beside.unzip();
    let read = instant::read(value, name, reading);
    paths.extend(path);
    (read, paths)
}

fn one(value: &Value, field: &Field, reading: &Reading) -> Read {
    match value {
        Value::Array(items)
            if field.spelling != Spelling::Hash && field.spelling != Spelling::Exact =>
        {
            list(items, field, reading)
        }
        _ => single(value, field.spelling, reading),
    }
}

fn list(items: &[Value], field: &Field, reading: &Reading) -> Read {
    let mut texts = Vec::new();
    let mut whole = true;
    for item in items {
        match single(item, field.spelling, reading) {
            Read::Whole(text) => texts.push(text),
            Read::Other(text) => {
                whole = false;
                texts.push(text);
            }
            Read::Day(_) | Read::Hour => {}
        }
    }
    if field.spelling == Spelling::Email || field.any_order {
        texts.sort();
        texts.dedup();
    }
    let text = match texts.as_slice() {
        // One recipient in a list is that recipient.
        [only] if field.spelling == Spelling::Email => only.clone(),
        several => {
            let quoted: Vec<String> = several.iter().map(|text| quoted(text)).collect();
            format!("[{}]", quoted.join(","))
        }
    };
    if whole {
        Read::Whole(text)
    } else {
        Read::Other(text)
    }
}

fn single(value: &Value, spelling: Spelling, reading: &Reading) -> Read {
    let read = match spelling {
        Spelling::Text => Some(text::fold(&plain(value))),
        Spelling::Exact => Some(canonical(value)),
        Spelling::Number => decimal::number(&plain(value), reading.decimal),
        Spelling::Money => decimal::money(&plain(value), reading.decimal),
        Spelling::Phone => contact::phone(&plain(value), reading.country.as_deref()),
        Spelling::Email => contact::emails(value),
        Spelling::Hash => Some(hash(&plain(value))),
        Spelling::Instant => None,
    };
    read.map_or_else(|| Read::Other(text::fold(&plain(value))), Read::Whole)
}

/// A string as it is, anything else as JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => canonical(other),
    }
}

/// `sha256:` and 64 hexadecimal digits. Blanks around the text and the kind of line ends do not matter.
fn hash(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    let digest = Sha256::digest(lines.join("\n").as_bytes());
    let hex: Vec<String> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{}", hex.concat())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::path;

    fn value(spelling: Spelling, value: &Value) -> Read {
        let arguments = json!({ "f": value });
        let found = path::find(&arguments, "f").unwrap();
        let field = Field::named("f", spelling);
        read(&[found], &field, &Reading::default()).0
    }

    #[test]
    fn a_list_keeps_its_order_unless_it_is_of_recipients() {
        assert_ne!(
            value(Spelling::Text, &json!(["a", "b"])),
            value(Spelling::Text, &json!(["b", "a"]))
        );
        assert_eq!(
            value(Spelling::Email, &json!(["a@x.org", "B@X.org"])),
            value(Spelling::Email, &json!(["b@x.org", "a@x.org", "a@X.ORG"]))
        );
    }

    #[test]
    fn a_list_is_not_the_text_that_looks_like_it() {
        assert_ne!(
            value(Spelling::Text, &json!(["a,b"])),
            value(Spelling::Text, &json!(["a", "b"]))
        );
    }

    #[test]
    fn a_hash_sees_every_letter_and_no_line_end() {
        let of = |text: &str| value(Spelling::Hash, &json!(text));
        assert_eq!(of("Hi\r\nthere  \n"), of("Hi\nthere"));
        assert_ne!(of("Hi\nthere"), of("hi\nthere"));
        assert_ne!(of("Hi\n\nthere"), of("Hi\nthere"));
    }

    #[test]
    fn a_number_and_its_text_are_one_text() {
        assert_eq!(
            value(Spelling::Text, &json!(12)),
            value(Spelling::Text, &json!("12"))
        );
        assert_eq!(
            value(Spelling::Number, &json!("twelve")),
            Read::Other("twelve".to_owned())
        );
    }
}
