//! Phone numbers and e-mail addresses. Must never make two people one.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::text::chars;
use crate::tools::canonical::quoted;
use crate::tools::path;

/// From so many digits on a number without a plus is taken to begin with its country's code, as WhatsApp writes them.
const INTERNATIONAL: usize = 11;

/// A phone number as `+5511999990000`, or its national digits where no country is known.
pub(super) fn phone(text: &str, country: Option<&str>) -> Option<String> {
    let text: String = text.nfkc().filter(|c| !chars::is_invisible(*c)).collect();
    let lower = text.trim().to_lowercase();
    let body = lower
        .strip_prefix("tel:")
        .or_else(|| lower.strip_prefix("whatsapp:"))
        .unwrap_or(&lower);
    let (number, extension) = extension(body.trim());
    let is_sign = |c: char| c.is_ascii_digit() || " ()-./+".contains(c);
    let plus = number.trim_start().trim_start_matches('(').starts_with('+');
    if !number.chars().all(is_sign) || number.matches('+').count() > usize::from(plus) {
        return None;
    }
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let digits = match digits.strip_prefix("00") {
        Some(rest) if !plus => format!("+{rest}"),
        _ if plus => format!("+{}", without_trunk_zero(number, &digits)),
        _ => national(&digits, country),
    };
    let count = digits.trim_start_matches('+').len();
    (3..=15).contains(&count).then(|| digits + &extension)
}

/// `+44 (0)20` is written for people who dial from inside: the zero is not dialled from outside.
fn without_trunk_zero(number: &str, digits: &str) -> String {
    match number.split_once("(0)") {
        Some((before, after)) => before
            .chars()
            .chain(after.chars())
            .filter(char::is_ascii_digit)
            .collect(),
        None => digits.to_owned(),
    }
}

fn national(digits: &str, country: Option<&str>) -> String {
    let is_long = digits.len() >= INTERNATIONAL && !digits.starts_with('0');
    match country {
        Some(code) if is_long && digits.starts_with(code) && digits.len() > code.len() + 8 => {
            format!("+{digits}")
        }
        Some(code) => format!("+{code}{}", digits.trim_start_matches('0')),
        None if is_long => format!("+{digits}"),
        None => digits.to_owned(),
    }
}

fn extension(text: &str) -> (&str, String) {
    for mark in [";ext=", "ext.", "ext", "x", "ramal", "#"] {
        let Some((number, extension)) = text.split_once(mark) else {
            continue;
        };
        let extension = extension.trim();
        if !extension.is_empty() && extension.bytes().all(|byte| byte.is_ascii_digit()) {
            return (number.trim_end_matches([' ', ',']), format!("x{extension}"));
        }
    }
    (text, String::new())
}

/// One or more addresses, sorted, each once: from a text, a list, or tables that hold an address.
pub(super) fn emails(value: &Value) -> Option<String> {
    let mut found = Vec::new();
    collect(value, &mut found)?;
    found.sort();
    found.dedup();
    match found.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        several => {
            let quoted: Vec<String> = several.iter().map(|one| quoted(one)).collect();
            Some(format!("[{}]", quoted.join(",")))
        }
    }
}

fn collect(value: &Value, found: &mut Vec<String>) -> Option<()> {
    match value {
        Value::String(text) => {
            for one in split(text) {
                found.push(email(one)?);
            }
            Some(())
        }
        Value::Array(items) => items.iter().try_for_each(|item| collect(item, found)),
        Value::Object(_) => {
            let inside = ["email_address.address", "email_address", "address", "email"];
            let inner = inside.iter().find_map(|path| path::find(value, path))?;
            collect(inner.value, found)
        }
        _ => None,
    }
}

/// The addresses of a list: commas and semicolons part them, except inside quotes and angle brackets.
fn split(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut quoted, mut inside) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '<' if !quoted => inside = true,
            '>' if !quoted => inside = false,
            ',' | ';' if !quoted && !inside => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
}

/// `Ana Souza <Ana@Example.org>` as `ana@example.org`.
fn email(text: &str) -> Option<String> {
    let text: String = text.nfkc().filter(|c| !chars::is_invisible(*c)).collect();
    let text = text.trim();
    let address = match text.rsplit_once('<') {
        Some((_, rest)) => rest.split_once('>')?.0,
        None => text,
    };
    let lower = address.trim().to_lowercase();
    let address = lower.strip_prefix("mailto:").unwrap_or(&lower);
    let address = address
        .split_once('?')
        .map_or(address, |(address, _)| address);
    let (local, domain) = address.rsplit_once('@')?;
    let domain = domain.trim_end_matches('.');
    let is_blank = |c: char| c.is_whitespace() || c == '@';
    let is_address = !local.is_empty() && !domain.is_empty() && !domain.contains(is_blank);
    (is_address && !local.contains(char::is_whitespace)).then(|| format!("{local}@{domain}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn phone_numbers_are_one_however_they_are_written() {
        for text in [
            "+55 (11) 99999-0000",
            "+5511999990000",
            "0055 11 99999 0000",
            "tel:+55-11-99999-0000",
            "whatsapp:+5511999990000",
            "5511999990000",
            "＋55 11 99999.0000",
        ] {
            assert_eq!(
                phone(text, None).as_deref(),
                Some("+5511999990000"),
                "{text}"
            );
        }
        assert_eq!(
            phone("+44 (0)20 7946 0000", None),
            phone("+442079460000", None)
        );
    }

    #[test]
    fn a_national_number_takes_the_country_that_is_set() {
        for text in [
            "11 99999-0000",
            "(011) 99999-0000",
            "5511999990000",
            "+5511999990000",
        ] {
            assert_eq!(
                phone(text, Some("55")).as_deref(),
                Some("+5511999990000"),
                "{text}"
            );
        }
        assert_eq!(phone("212 555 0100", None).as_deref(), Some("2125550100"));
    }

    #[test]
    fn other_numbers_stay_other_numbers() {
        assert_ne!(phone("+5511999990000", None), phone("+5511999990001", None));
        assert_ne!(
            phone("+1 212 555 0100 ext 5", None),
            phone("+1 212 555 0100 ext 6", None)
        );
        for text in ["call me", "12", "+55+11", "1234567890123456"] {
            assert_eq!(phone(text, None), None, "{text}");
        }
    }

    #[test]
    fn addresses_are_one_however_they_are_written() {
        for value in [
            json!("ana@example.org"),
            json!(" Ana@Example.ORG "),
            json!("mailto:ana@example.org?subject=x"),
            json!("\"Souza, Ana\" <ana@example.org>"),
            json!(["ana@example.org"]),
            json!({ "email": "ana@example.org", "name": "Ana" }),
            json!([{ "emailAddress": { "address": "Ana@example.org", "name": "Ana" } }]),
        ] {
            assert_eq!(
                emails(&value).as_deref(),
                Some("ana@example.org"),
                "{value}"
            );
        }
    }

    #[test]
    fn recipients_are_one_in_any_order_and_another_one_is_another() {
        let both = emails(&json!("ana@x.org; rui@x.org"));
        assert_eq!(both, emails(&json!(["rui@x.org", "Ana <ana@x.org>"])));
        assert_ne!(both, emails(&json!("ana@x.org")));
        assert_ne!(emails(&json!("ana+1@x.org")), emails(&json!("ana@x.org")));
        assert_eq!(emails(&json!("ana")), None);
        assert_eq!(emails(&json!(["ana@x.org", 5])), None);
    }
}
