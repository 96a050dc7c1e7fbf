//! Where the reader is: an instant becomes a time of day by a table that the server sends along, so that both halves
//! write the same text. Never asks the machine where it stands.

use super::At;
use super::time::Civil;
use serde::{Deserialize, Serialize};

/// A time zone: its name, and how far its clocks are from UTC over the years that a page may show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zone {
    /// The IANA name, for example `America/Sao_Paulo`.
    pub name: String,
    /// Changes of the clocks, earliest first. Before the first one its own shift holds; without any it is UTC.
    pub shifts: Vec<Shift>,
}

/// From an instant on, clocks are so far ahead of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shift {
    /// From then on.
    pub from: At,
    /// Seconds ahead of UTC; negative in the west.
    pub seconds: i32,
}

impl Default for Zone {
    fn default() -> Self {
        Self::utc()
    }
}

impl Zone {
    /// Coordinated universal time.
    #[must_use]
    pub fn utc() -> Self {
        Self {
            name: "UTC".to_owned(),
            shifts: Vec::new(),
        }
    }

    /// The time of day: `14:03:12`.
    #[must_use]
    pub fn hms(&self, at: At) -> String {
        self.civil(at).hms()
    }

    /// The instant in full: `2026-11-29 14:03:12 UTC`, `2026-11-29 11:03:12 UTC-3`.
    #[must_use]
    pub fn long(&self, at: At) -> String {
        let civil = self.civil(at);
        format!("{} {} {}", civil.ymd(), civil.hms(), self.offset(at))
    }

    /// The instant for programs, by ISO 8601: `2026-11-29T11:03:12.042-03:00`.
    #[cfg(feature = "ssr")]
    #[must_use]
    pub fn iso(&self, at: At) -> String {
        let (civil, minutes) = (self.civil(at), self.shift_ms(at) / 60_000);
        let sign = if minutes < 0 { '-' } else { '+' };
        let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
        let (date, time, ms) = (civil.ymd(), civil.hms(), at.0.rem_euclid(1_000));
        format!("{date}T{time}.{ms:03}{sign}{hours:02}:{rest:02}")
    }

    /// As short as it can be told apart on a page made at `now`: the time of day on the same day, else with the date.
    #[must_use]
    pub fn stamp(&self, at: At, now: At) -> String {
        let (civil, today) = (self.civil(at), self.civil(now));
        if civil.ymd() == today.ymd() {
            return civil.hms();
        }
        format!("{} {}", civil.ymd(), civil.hm())
    }

    /// Hour and minute: `14:03`.
    #[must_use]
    pub fn hm(&self, at: At) -> String {
        self.civil(at).hm()
    }

    /// The date: `2026-11-29`.
    #[must_use]
    pub fn ymd(&self, at: At) -> String {
        self.civil(at).ymd()
    }

    /// The beginning of the day in which `at` lies.
    #[must_use]
    pub fn day(&self, at: At) -> At {
        let day = self.civil(at).midnight();
        // A day may begin under another shift than the instant in it.
        let guess = At(day.0 - self.shift_ms(at));
        At(day.0 - self.shift_ms(guess))
    }

    /// The instant at which clocks here show this date and time of day; the earlier one where they show it twice.
    #[must_use]
    pub fn instant(&self, shown: At) -> At {
        let guess = At(shown.0 - self.shift_ms(shown));
        At(shown.0 - self.shift_ms(guess))
    }

    fn civil(&self, at: At) -> Civil {
        Civil(At(at.0.saturating_add(self.shift_ms(at))))
    }

    fn offset(&self, at: At) -> String {
        let minutes = self.shift_ms(at) / 60_000;
        if minutes == 0 {
            return "UTC".to_owned();
        }
        let (hours, rest) = (minutes / 60, (minutes % 60).abs());
        let sign = if minutes < 0 { "-" } else { "+" };
        let hours = hours.abs();
        if rest == 0 {
            format!("UTC{sign}{hours}")
        } else {
            format!("UTC{sign}{hours}:{rest:02}")
        }
    }

    fn shift_ms(&self, at: At) -> i64 {
        let known = self.shifts.iter().rev().find(|shift| shift.from <= at);
        let shift = known.or(self.shifts.first());
        shift.map_or(0, |shift| i64::from(shift.seconds) * 1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::{Shift, Zone};
    use crate::view::At;

    /// Lisbon in 2024: summer time from 31 March 01:00 UTC to 27 October 01:00 UTC.
    fn lisbon() -> Zone {
        let shift = |from, seconds| Shift {
            from: At(from),
            seconds,
        };
        Zone {
            name: "Europe/Lisbon".to_owned(),
            shifts: vec![
                shift(1_698_541_200_000, 0),
                shift(1_711_846_800_000, 3_600),
                shift(1_729_990_800_000, 0),
            ],
        }
    }

    #[test]
    fn an_instant_is_told_by_the_clocks_of_its_own_season() {
        let winter = At(1_709_251_200_000);
        let summer = At(1_719_792_000_000);
        assert_eq!(lisbon().long(winter), "2024-03-01 00:00:00 UTC");
        assert_eq!(lisbon().long(summer), "2024-07-01 01:00:00 UTC+1");
        assert_eq!(Zone::utc().long(summer), "2024-07-01 00:00:00 UTC");
    }

    #[test]
    fn west_of_greenwich_and_half_hours_are_written_as_people_do() {
        let at = At(1_709_251_200_000);
        let zone = |seconds| Zone {
            name: String::new(),
            shifts: vec![Shift {
                from: At(0),
                seconds,
            }],
        };
        assert_eq!(zone(-10_800).long(at), "2024-02-29 21:00:00 UTC-3");
        assert_eq!(zone(19_800).long(at), "2024-03-01 05:30:00 UTC+5:30");
        assert_eq!(zone(-12_600).long(at), "2024-02-29 20:30:00 UTC-3:30");
    }

    #[test]
    fn only_another_day_is_told_with_its_date() {
        let now = At(1_709_251_200_000);
        let before = At(now.0 - 60_000);
        assert_eq!(Zone::utc().stamp(before, now), "2024-02-29 23:59");
        assert_eq!(Zone::utc().stamp(now, now), "00:00:00");
    }

    #[test]
    fn a_day_begins_at_midnight_of_the_place_even_when_clocks_change_on_it() {
        let noon_of_the_change = At(1_711_846_800_000 + 36_000_000);
        let midnight = lisbon().day(noon_of_the_change);
        assert_eq!(lisbon().long(midnight), "2024-03-31 00:00:00 UTC");
        assert_eq!(
            lisbon().instant(At(1_719_792_000_000)),
            At(1_719_788_400_000)
        );
    }
}
