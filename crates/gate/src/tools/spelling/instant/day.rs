//! Days of the calendar, as people and programs write them. Must never choose between day and month where nobody said how.

use jiff::civil::Date;

use super::super::DateOrder;
use super::pieces::Pieces;

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
impl Pieces<'_> {
    pub(super) fn date(&mut self, order: Option<DateOrder>) -> Option<Date> {
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
    pub(super) fn compact_date(&mut self) -> Option<Date> {
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
