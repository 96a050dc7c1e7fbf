//! Points in time, as people and programs write them. Must never take a time for an instant without its day, nor choose
//! between day and month where nobody said how.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::zone::Zone;
use super::{DateOrder, Read, Reading, text};
use crate::ids::At;
use crate::text::chars;

/// Months in English, Portuguese and Spanish, by the beginnings that tell them apart.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene"],
    &["feb", "fev"],
    &["mar"],
    &["apr", "abr"],
    &["may", "mai", "mayo"],
    &["jun"],
    &["jul"],
    &["aug", "ago"],
    &["sep", "set"],
    &["oct", "out"],
    &["nov"],
    &["dec", "dez", "dic"],
];
const WEEKDAYS: &[&str] = &[
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "lun", "mar", "mie", "mié", "jue", "vie",
    "sab", "sáb", "dom", "seg", "ter", "qua", "qui", "sex",
];
/// Words between the pieces of a date.
const JOINTS: &[&str] = &[
    "de", "of", "at", "on", "a", "las", "la", "às", "as", "em", "el", "dia", "día", "the",
];

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

/// What a clock shows; 24:00 is the end of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clock {
    hour: i8,
    minute: i8,
    second: i8,
    nanosecond: i32,
}

impl Clock {
    fn on(self, date: Date) -> Option<DateTime> {
        if self.hour == 24 {
            let is_end = self.minute == 0 && self.second == 0 && self.nanosecond == 0;
            return is_end
                .then(|| date.tomorrow().ok())
                .flatten()
                .map(|day| day.at(0, 0, 0, 0));
        }
        let time = Time::new(self.hour, self.minute, self.second, self.nanosecond).ok()?;
        Some(DateTime::from_parts(date, time))
    }
}

/// What is left to read.
struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    fn skip(&mut self, signs: &[char]) {
        self.rest = self.rest.trim_start_matches(signs);
    }

    /// Takes between `least` and `most` digits, and not a part of more.
    fn digits(&mut self, least: usize, most: usize) -> Option<&'a str> {
        let count = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if !(least..=most).contains(&count) {
            return None;
        }
        Some(self.take(count))
    }

    fn take(&mut self, count: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(count);
        self.rest = rest;
        taken
    }

    fn sign(&mut self, signs: &[char]) -> Option<char> {
        let sign = self.rest.chars().next().filter(|c| signs.contains(c))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    /// The next word of letters, without taking it.
    fn word(&self) -> &'a str {
        let end = self
            .rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    /// Takes blanks, commas and words that only join.
    fn joints(&mut self) {
        loop {
            self.skip(&[' ', ',', '\t']);
            let word = self.word();
            let is_t = word == "t" && self.rest[1..].starts_with(|c: char| c.is_ascii_digit());
            if !is_t && !JOINTS.contains(&word) {
                return;
            }
            // "a.m." is no joint.
            if word == "a" && self.rest[1..].starts_with('.') {
                return;
            }
            self.rest = &self.rest[word.len()..];
        }
    }

    fn tried<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.rest;
        let found = read(self);
        if found.is_none() {
            self.rest = before;
        }
        found
    }

    fn date(&mut self, order: Option<DateOrder>) -> Option<Date> {
        self.tried(|pieces| {
            pieces.weekday();
            pieces
                .tried(Self::year_first)
                .or_else(|| pieces.tried(Self::compact_date))
                .or_else(|| pieces.tried(|pieces| pieces.year_last(order)))
                .or_else(|| pieces.tried(Self::named_month))
        })
    }

    fn weekday(&mut self) {
        let before = self.rest;
        let word = self.word();
        let is_weekday = WEEKDAYS.iter().any(|day| word.starts_with(day));
        if !is_weekday || month(word).is_some() && !self.rest[word.len()..].starts_with(',') {
            self.rest = before;
            return;
        }
        self.rest = &self.rest[word.len()..];
        if let Some(rest) = self.rest.strip_prefix("-feira") {
            self.rest = rest;
        }
        self.skip(&['.']);
        self.joints();
    }

    /// `2026-03-05`, `2026/3/5`, `2026.03.05`.
    fn year_first(&mut self) -> Option<Date> {
        let year = self.digits(4, 4)?;
        let sign = self.sign(&['-', '/', '.'])?;
        let month = self.digits(1, 2)?;
        self.sign(&[sign])?;
        let day = self.digits(1, 2)?;
        date(year, month, day)
    }

    /// `20260305`.
    fn compact_date(&mut self) -> Option<Date> {
        let count = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if !matches!(count, 8 | 12 | 14) {
            return None;
        }
        let digits = self.take(8);
        date(&digits[..4], &digits[4..6], &digits[6..])
    }

    /// `05/03/2026`, `5.3.2026`, `05-03-2026`. Between points the day comes first.
    fn year_last(&mut self, order: Option<DateOrder>) -> Option<Date> {
        let first = self.digits(1, 2)?;
        let sign = self.sign(&['-', '/', '.'])?;
        let second = self.digits(1, 2)?;
        self.sign(&[sign])?;
        let year = self.digits(4, 4)?;
        let over = |text: &str| text.parse::<u8>().is_ok_and(|value| value > 12);
        let order = match sign {
            _ if over(first) => DateOrder::DayFirst,
            _ if over(second) => DateOrder::MonthFirst,
            '.' => DateOrder::DayFirst,
            _ if first.trim_start_matches('0') == second.trim_start_matches('0') => {
                DateOrder::DayFirst
            }
            _ => order?,
        };
        match order {
            DateOrder::DayFirst => date(year, second, first),
            DateOrder::MonthFirst => date(year, first, second),
        }
    }

    /// `5 March 2026`, `March 5th, 2026`, `5 de marzo de 2026`.
    fn named_month(&mut self) -> Option<Date> {
        if let Some(day) = self.tried(|pieces| pieces.digits(1, 2)) {
            self.ordinal();
            self.separators();
            let month = self.month()?;
            self.separators();
            return date(self.digits(4, 4)?, &month.to_string(), day);
        }
        let month = self.month()?;
        self.separators();
        let day = self.digits(1, 2)?;
        self.ordinal();
        self.separators();
        date(self.digits(4, 4)?, &month.to_string(), day)
    }

    fn separators(&mut self) {
        self.skip(&['-', '.', '/']);
        self.joints();
    }

    fn month(&mut self) -> Option<usize> {
        let word = self.word();
        let month = month(word)?;
        self.rest = &self.rest[word.len()..];
        Some(month)
    }

    fn ordinal(&mut self) {
        for ending in ["st", "nd", "rd", "th", "º", "°", "o"] {
            if self.word() == ending || (!ending.is_ascii() && self.rest.starts_with(ending)) {
                self.rest = &self.rest[ending.len()..];
                return;
            }
        }
    }

    /// `9:00`, `09:00:00.000`, `9h30`, `15h`, `9 am`, `0900`.
    fn time(&mut self) -> Option<Clock> {
        self.tried(|pieces| {
            pieces
                .tried(Self::clock)
                .or_else(|| pieces.tried(Self::compact_time))
        })
    }

    fn clock(&mut self) -> Option<Clock> {
        let hour = self.digits(1, 2)?;
        let mut clock = Clock {
            hour: hour.parse().ok()?,
            minute: 0,
            second: 0,
            nanosecond: 0,
        };
        let mark = self.sign(&[':', 'h', '.']);
        match mark {
            Some(':' | '.') => clock.minute = self.digits(2, 2)?.parse().ok()?,
            Some(_) => {
                if let Some(minute) = self.tried(|pieces| pieces.digits(2, 2)) {
                    clock.minute = minute.parse().ok()?;
                } else {
                    self.skip(&['r', 's', 'o', 'a']);
                }
            }
            None => {}
        }
        if mark == Some(':') && self.sign(&[':']).is_some() {
            clock.second = self.digits(2, 2)?.parse().ok()?;
            if self.sign(&['.', ',']).is_some() {
                clock.nanosecond = fraction(self.digits(1, 18)?);
            }
        }
        let half = self.half_of_day();
        if mark.is_none() && half.is_none() {
            return None;
        }
        clock.hour = match half {
            None => clock.hour,
            Some(_) if !(1..=12).contains(&clock.hour) => return None,
            Some(after_noon) => clock.hour % 12 + after_noon,
        };
        Some(clock)
    }

    /// Twelve for the hours after noon.
    fn half_of_day(&mut self) -> Option<i8> {
        self.tried(|pieces| {
            pieces.skip(&[' ']);
            let half = match pieces.rest.chars().next()? {
                'a' => 0,
                'p' => 12,
                _ => return None,
            };
            let rest = pieces.rest[1..].trim_start_matches('.');
            let rest = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix('m')?;
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            if rest.starts_with(char::is_alphabetic) {
                return None;
            }
            pieces.rest = rest;
            Some(half)
        })
    }

    /// `0900`, `090000`.
    fn compact_time(&mut self) -> Option<Clock> {
        let digits = self.digits(4, 6).filter(|digits| digits.len() != 5)?;
        let at = |from: usize| {
            digits
                .get(from..from + 2)
                .map_or(Some(0), |two| two.parse().ok())
        };
        Some(Clock {
            hour: at(0)?,
            minute: at(2)?,
            second: at(4)?,
            nanosecond: 0,
        })
    }

    /// The zone that is written behind the time: none, one, or something else.
    #[expect(
        clippy::option_option,
        reason = "no zone and no reading are two answers"
    )]
    fn zone(&mut self) -> Option<Option<Zone>> {
        let rest = self
            .rest
            .trim()
            .trim_start_matches('(')
            .trim_end_matches(')');
        if rest.is_empty() {
            return Some(None);
        }
        match Zone::named(rest) {
            Zone::Unnamed(_) => None,
            known @ Zone::Known(_) => Some(Some(known)),
        }
    }
}

fn month(word: &str) -> Option<usize> {
    if word.chars().count() < 3 {
        return None;
    }
    let place = MONTHS
        .iter()
        .position(|names| names.iter().any(|name| word.starts_with(name)))?;
    Some(place + 1)
}

fn date(year: &str, month: &str, day: &str) -> Option<Date> {
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

fn fraction(digits: &str) -> i32 {
    let nine: String = digits.chars().chain("000000000".chars()).take(9).collect();
    nine.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(text: &str, reading: &Reading) -> Read {
        read(&json!(text), None, reading)
    }

    fn plain(text: &str) -> Read {
        with(text, &Reading::default())
    }

    fn nine() -> Read {
        Read::Whole("2026-03-05T09:00:00Z".to_owned())
    }

    #[test]
    fn an_instant_is_one_however_it_is_written() {
        for text in [
            "2026-03-05T09:00:00Z",
            "2026-03-05t09:00:00.000z",
            "2026-03-05 9:00",
            "2026-03-05 09:00:00 UTC",
            "2026-03-05T06:00-03:00",
            "2026-03-05T06:00:00-0300",
            "2026-03-05T06:00:00 -03",
            "2026-03-05T06:00:00[America/Sao_Paulo]",
            "2026-03-05T06:00:00-03:00[America/Sao_Paulo]",
            "2026-03-05 06:00 America/Sao_Paulo",
            "2026-03-05 06:00 (GMT-3)",
            "20260305T090000Z",
            "202603050900",
            "20260305 0900",
            "2026/3/5 9:00",
            "2026.03.05 9h",
            "2026-03-05 9h00",
            "2026-03-05 9:00 AM",
            "2026-03-05 9am",
            "2026-03-05, 9 a.m.",
            "Thu, 05 Mar 2026 09:00:00 GMT",
            "Thu, 5 Mar 2026 06:00:00 -0300",
            "5 March 2026 9:00",
            "5 March 2026 at 9:00",
            "March 5, 2026 9:00 am",
            "March 5th, 2026 at 9am",
            "5 de marzo de 2026 a las 9:00",
            "5 de março de 2026 às 9h",
            "jueves, 5 de marzo de 2026, 9:00",
            "quinta-feira, 5 de março de 2026, 9:00",
            "9:00 5 March 2026",
            "05.03.2026 09:00",
            "1772701200",
            "1772701200000",
            "1772701200.0",
            "２０２６-03-05T09:00Z",
        ] {
            assert_eq!(plain(text), nine(), "{text}");
        }
        assert_eq!(
            read(&json!(1_772_701_200), None, &Reading::default()),
            nine()
        );
        assert_eq!(
            read(&json!(1_772_701_200_000_u64), None, &Reading::default()),
            nine()
        );
    }

    #[test]
    fn afternoon_and_midnight_are_read_as_people_mean_them() {
        for (text, expected) in [
            ("2026-03-05 9:30 PM", "2026-03-05T21:30:00Z"),
            ("2026-03-05 12:00 am", "2026-03-05T00:00:00Z"),
            ("2026-03-05 12 p.m.", "2026-03-05T12:00:00Z"),
            ("2026-03-05 24:00", "2026-03-06T00:00:00Z"),
            ("2026-03-05T09:00:00.25Z", "2026-03-05T09:00:00.25Z"),
        ] {
            assert_eq!(plain(text), Read::Whole(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_local_time_is_read_in_the_zone_beside_it_else_in_the_one_that_is_set() {
        let set = Reading {
            zone: Some("America/Santiago".to_owned()),
            ..Reading::default()
        };
        assert_eq!(with("2026-03-05 06:00", &set), nine());
        let beside = read(&json!("2026-03-05 10:00"), Some("Europe/Madrid"), &set);
        assert_eq!(beside, nine());
        let said = read(&json!("2026-03-05 09:00Z"), Some("Europe/Madrid"), &set);
        assert_eq!(said, nine());
    }

    #[test]
    fn a_zone_that_no_database_has_keeps_its_times_among_themselves() {
        let of = |text, zone| read(&json!(text), Some(zone), &Reading::default());
        let there = of("2026-03-05 09:00", "Pacific Standard Time");
        assert_eq!(
            there,
            of("2026-03-05T09:00:00.0000000", "pacific standard time")
        );
        assert_ne!(there, nine());
    }

    #[test]
    fn day_and_month_are_told_apart_only_where_it_is_certain_or_set() {
        let order = |dates| Reading {
            dates: Some(dates),
            ..Reading::default()
        };
        assert_eq!(
            plain("05/03/2026 09:00"),
            Read::Other("05/03/2026 09:00".to_owned())
        );
        assert_eq!(
            with("05/03/2026 09:00", &order(DateOrder::DayFirst)),
            nine()
        );
        assert_eq!(
            with("03/05/2026 09:00", &order(DateOrder::MonthFirst)),
            nine()
        );
        assert_eq!(plain("25/03/2026 9:00"), plain("2026-03-25 09:00"));
        assert_eq!(plain("03/25/2026 9:00"), plain("2026-03-25 09:00"));
        assert_eq!(plain("03/03/2026 9:00"), plain("2026-03-03 09:00"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let nine = At(1_772_701_200_000);
        assert_eq!(written_at(nine), "2026-03-05T09:00:00Z");
        assert_eq!(at("2026-03-05T09:00:00Z"), Some(nine));
        assert_eq!(at("2026-03-05T09:00:00[somewhere]"), None);
    }

    #[test]
    fn a_day_is_no_midnight_and_an_hour_no_instant() {
        assert_eq!(plain("2026-03-05"), Read::Day("2026-03-05".to_owned()));
        assert_eq!(
            plain("5 de marzo de 2026"),
            Read::Day("2026-03-05".to_owned())
        );
        for text in ["15:00", "3pm", "15h", "9:00 am"] {
            assert_eq!(plain(text), Read::Hour, "{text}");
        }
    }

    #[test]
    fn what_is_no_instant_stays_a_text() {
        for text in [
            "",
            "tue 09:00",
            "tomorrow at 9",
            "2026-13-05 09:00",
            "2026-02-30 09:00",
            "2026-03-05 25:00",
            "2026-03-05 9",
            "2026-03-05 09:00 somewhere",
            "2026-03-05 09:00 to 10:00",
            "12",
            "[",
            "t",
        ] {
            assert_eq!(plain(text), Read::Other(text.to_owned()), "{text}");
        }
        assert_eq!(plain("Tue 09:00"), plain(" tue  09:00"));
    }

    #[test]
    fn clocks_that_skip_or_repeat_an_hour_read_it_one_way() {
        let of = |text| read(&json!(text), Some("America/New_York"), &Reading::default());
        assert_eq!(of("2026-03-08 02:30"), of("2026-03-08 03:30"));
        assert_eq!(of("2026-11-01 01:30"), plain("2026-11-01T01:30:00-04:00"));
    }

    proptest::proptest! {
        #[test]
        fn no_text_breaks_the_reading(text in "\\PC{0,40}", other in "[0-9a-z :./,-]{0,24}") {
            plain(&text);
            plain(&other);
        }
    }
}
