//! Times of the day, as people and programs write them.

use jiff::civil::{Date, DateTime, Time};

use super::pieces::Pieces;

/// What a clock shows; 24:00 is the end of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    hour: i8,
    minute: i8,
    second: i8,
    nanosecond: i32,
}

impl Clock {
    pub(super) fn on(self, date: Date) -> Option<DateTime> {
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

impl Pieces<'_> {
    /// `9:00`, `09:00:00.000`, `9h30`, `15h`, `9 am`, `0900`.
    pub(super) fn time(&mut self) -> Option<Clock> {
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
    pub(super) fn compact_time(&mut self) -> Option<Clock> {
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
}

fn fraction(digits: &str) -> i32 {
    let nine: String = digits.chars().chain("000000000".chars()).take(9).collect();
    nine.parse().unwrap_or(0)
}
