//! Numbers and amounts of money. Must never read `1.000` where nobody said what it is.

use unicode_normalization::UnicodeNormalization;

use super::DecimalMark;
use crate::text::chars;

/// Signs of currencies that stand for one currency, and those that stand for several.
const SIGNS: &[(&str, &str)] = &[
    ("r$", "BRL"),
    ("us$", "USD"),
    ("u$s", "USD"),
    ("ar$", "ARS"),
    ("mx$", "MXN"),
    ("clp$", "CLP"),
    ("co$", "COP"),
    ("ca$", "CAD"),
    ("c$", "CAD"),
    ("au$", "AUD"),
    ("a$", "AUD"),
    ("nz$", "NZD"),
    ("hk$", "HKD"),
    ("s/", "PEN"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("₹", "INR"),
    ("₩", "KRW"),
    ("₽", "RUB"),
    ("₺", "TRY"),
    ("₪", "ILS"),
    ("zł", "PLN"),
    ("$", "$"),
    ("¥", "¥"),
];
/// Currencies whose amounts have three digits behind the mark, so that `1.250` could be one and a quarter.
const THREE_DIGITS: &[&str] = &["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// A number in plain digits, without a plus, leading zeros, or zeros behind a fraction.
pub(super) fn number(text: &str, mark: Option<DecimalMark>) -> Option<String> {
    read(&clean(text), mark)
}

/// An amount as `BRL 1250.5`; without a currency the number alone.
pub(super) fn money(text: &str, mark: Option<DecimalMark>) -> Option<String> {
    let text = clean(text).to_lowercase();
    let (minus, text) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", text.as_str()),
    };
    let (currency, amount) = currency(text);
    let rest = format!("{minus}{amount}");
    let Some(currency) = currency else {
        return read(&rest, mark);
    };
    let mark = mark.or_else(|| {
        // With two digits behind the mark at most, three digits behind a sign are thousands.
        let grouped = !THREE_DIGITS.contains(&currency.as_str());
        grouped.then(|| thousands_mark(&rest)).flatten()
    });
    read(&rest, mark).map(|amount| format!("{currency} {amount}"))
}

fn clean(text: &str) -> String {
    text.nfkc()
        .filter(|c| !chars::is_invisible(*c))
        .map(|c| if chars::is_blank(c) { ' ' } else { c })
        .collect::<String>()
        .trim()
        .to_owned()
}

/// The currency before or behind the amount, and the amount.
fn currency(text: &str) -> (Option<String>, String) {
    let is_number = |c: char| c.is_ascii_digit() || c == '-' || c == '+' || c == '.' || c == ',';
    let (Some(first), Some(last)) = (
        text.find(is_number),
        text.rfind(|c: char| c.is_ascii_digit()),
    ) else {
        return (None, text.to_owned());
    };
    if first > last {
        return (None, text.to_owned());
    }
    let (before, behind) = (text[..first].trim(), text[last + 1..].trim());
    let amount = text[first..=last].to_owned();
    let named = match (before, behind) {
        ("", "") => return (None, text.to_owned()),
        (name, "") | ("", name) => code(name),
        _ => None,
    };
    match named {
        Some(code) => (Some(code), amount),
        None => (None, text.to_owned()),
    }
}

fn code(name: &str) -> Option<String> {
    let sign = SIGNS.iter().find(|(sign, _)| *sign == name);
    if let Some((_, code)) = sign {
        return Some((*code).to_owned());
    }
    let is_code = name.len() == 3 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    is_code.then(|| name.to_uppercase())
}

/// The decimal mark that makes the only sign, before three digits, one of thousands.
fn thousands_mark(amount: &str) -> Option<DecimalMark> {
    let (_, behind) = amount.rsplit_once(['.', ','])?;
    if behind.len() != 3 {
        return None;
    }
    Some(if amount.contains(',') {
        DecimalMark::Point
    } else {
        DecimalMark::Comma
    })
}

fn read(text: &str, mark: Option<DecimalMark>) -> Option<String> {
    let (negative, body) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(text).trim_start()),
    };
    let (body, exponent) = match body.split_once(['e', 'E']) {
        Some((body, exponent)) => (body, exponent.parse::<i32>().ok()?),
        None => (body, 0),
    };
    let (whole, fraction) = parts(body, mark)?;
    let digits = shifted(&whole, &fraction, exponent)?;
    Some(if negative && digits != "0" {
        format!("-{digits}")
    } else {
        digits
    })
}

/// Digits before and behind the decimal mark.
fn parts(body: &str, mark: Option<DecimalMark>) -> Option<(String, String)> {
    let body = body.replace([' ', '\'', '’', '_'], "\u{1}");
    let marks: Vec<char> = body.chars().filter(|c| matches!(c, '.' | ',')).collect();
    let decimal = match marks.as_slice() {
        [] => None,
        [only] => match (mark, only) {
            (Some(DecimalMark::Point), ',') | (Some(DecimalMark::Comma), '.') => None,
            (None, _) if is_ambiguous(&body, *only) => return None,
            _ => Some(*only),
        },
        [first, .., last] if first == last => None,
        [.., last] => Some(*last),
    };
    let (whole, fraction) = match decimal {
        Some(mark) => body.rsplit_once(mark)?,
        None => (body.as_str(), ""),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    Some((grouped(whole)?, fraction.to_owned()))
}

/// `1.000` and `1,000`; not `0.125`, `1.00` or `1234.567`.
fn is_ambiguous(body: &str, mark: char) -> bool {
    let Some((before, behind)) = body.split_once(mark) else {
        return false;
    };
    let is_group = (1..=3).contains(&before.len()) && !before.starts_with('0');
    is_group && behind.len() == 3
}

/// The digits of groups of three, or of one group.
fn grouped(whole: &str) -> Option<String> {
    let groups: Vec<&str> = whole.split(['.', ',', '\u{1}']).collect();
    let is_digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (first, rest) = groups.split_first()?;
    let is_well = groups.iter().all(is_digits)
        && rest.iter().all(|group| group.len() == 3)
        && (rest.is_empty() || (1..=3).contains(&first.len()));
    is_well.then(|| groups.concat())
}

/// The digits with the mark moved, at most 400 places.
fn shifted(whole: &str, fraction: &str, exponent: i32) -> Option<String> {
    if exponent.unsigned_abs() > 400 {
        return None;
    }
    let mut digits = format!("{whole}{fraction}");
    let mut mark = whole.len() as i32 + exponent;
    if mark < 0 {
        digits.insert_str(0, &"0".repeat(mark.unsigned_abs() as usize));
        mark = 0;
    }
    let missing = (mark as usize).saturating_sub(digits.len());
    digits.push_str(&"0".repeat(missing));
    let (whole, fraction) = digits.split_at(mark as usize);
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(text: &str) -> Option<String> {
        number(text, None)
    }

    #[test]
    fn numbers_are_one_however_they_are_written() {
        for text in [
            "1000.5",
            "1,000.50",
            "1.000,50",
            "1 000,50",
            "1'000.50",
            "１０００.5",
            "+1000.50",
            "1.0005e3",
        ] {
            assert_eq!(plain(text).as_deref(), Some("1000.5"), "{text}");
        }
        for text in ["12", "12.0", "012", "12.", "1.2e1", "120e-1"] {
            assert_eq!(plain(text).as_deref(), Some("12"), "{text}");
        }
        assert_eq!(plain("-0.0").as_deref(), Some("0"));
        assert_eq!(plain("1.000.000").as_deref(), Some("1000000"));
        assert_eq!(plain("0,125"), plain(".125"));
    }

    #[test]
    fn what_could_be_two_numbers_is_read_only_when_it_is_said_how() {
        assert_eq!(plain("1.000"), None);
        assert_eq!(plain("1,000"), None);
        assert_eq!(
            number("1.000", Some(DecimalMark::Point)).as_deref(),
            Some("1")
        );
        assert_eq!(
            number("1.000", Some(DecimalMark::Comma)).as_deref(),
            Some("1000")
        );
        assert_eq!(
            number("1,000", Some(DecimalMark::Point)).as_deref(),
            Some("1000")
        );
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "",
            "twelve",
            "1,00,0",
            "1.2.3",
            "12a",
            "--1",
            ".",
            "1e999999999",
        ] {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    #[test]
    fn amounts_are_one_however_they_are_written() {
        for text in [
            "R$ 1.250,00",
            "BRL 1250",
            "1250 brl",
            "r$1,250.00",
            "R$ 1.250",
            "R$\u{A0}1.250,00",
        ] {
            assert_eq!(money(text, None).as_deref(), Some("BRL 1250"), "{text}");
        }
        assert_eq!(money("-€5,00", None).as_deref(), Some("EUR -5"));
        assert_eq!(money("5", None).as_deref(), Some("5"));
    }

    #[test]
    fn another_currency_is_another_amount() {
        assert_ne!(money("US$ 5", None), money("CA$ 5", None));
        assert_ne!(money("US$ 5", None), money("$ 5", None));
        assert_eq!(money("KWD 1.250", None), None);
        assert_eq!(money("5 apples", None), None);
    }

    proptest! {
        #[test]
        fn whole_numbers_keep_their_value(value: i64) {
            prop_assert_eq!(plain(&value.to_string()), Some(value.to_string()));
        }

        #[test]
        fn reading_what_was_read_changes_nothing(whole in 0u64..1_000_000_000, fraction in 0u32..1_000) {
            let once = number(&format!("{whole}.{fraction:03}"), Some(DecimalMark::Point));
            let once = once.unwrap();
            prop_assert_eq!(number(&once, Some(DecimalMark::Point)), Some(once));
        }
    }
}
