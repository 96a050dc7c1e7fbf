//! Instants, and how they are written. Never reads a clock: "now" arrives with the data.

use serde::{Deserialize, Serialize};

const SECOND: i64 = 1_000;
const DAY: i64 = 86_400 * SECOND;

/// An instant: milliseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct At(pub i64);

impl At {
    /// The instant for a `datetime` attribute: `2026-11-29T14:03:12.345Z`.
    #[must_use]
    pub fn iso(self) -> String {
        let (civil, ms) = (Civil(self), self.0.rem_euclid(SECOND));
        format!("{}T{}.{ms:03}Z", civil.ymd(), civil.hms())
    }

    /// Milliseconds from `earlier` to this instant, at least zero.
    #[must_use]
    pub fn since(self, earlier: At) -> i64 {
        self.0.saturating_sub(earlier.0).max(0)
    }

    /// Midnight UTC of a date by the proleptic Gregorian calendar (the inverse era arithmetic, `days_from_civil`).
    #[must_use]
    #[cfg(feature = "ssr")]
    pub(crate) fn of_date(year: i64, month: i64, day: i64) -> At {
        let year = if month <= 2 { year - 1 } else { year };
        let year_of_era = year.rem_euclid(400);
        let shifted_month = (month + 9) % 12;
        let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        At((year.div_euclid(400) * 146_097 + day_of_era - 719_468) * DAY)
    }

    /// So many milliseconds earlier.
    #[must_use]
    pub fn minus(self, ms: i64) -> At {
        At(self.0.saturating_sub(ms))
    }
}

/// What clocks show at an instant that was shifted into their zone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Civil(pub(super) At);

impl Civil {
    /// The time of day: `14:03:12`.
    pub(super) fn hms(self) -> String {
        let second = self.second();
        format!("{}:{:02}", self.hm(), second % 60)
    }

    /// Hour and minute: `14:03`.
    pub(super) fn hm(self) -> String {
        let second = self.second();
        format!("{:02}:{:02}", second / 3_600, second / 60 % 60)
    }

    /// The date: `2026-11-29`.
    pub(super) fn ymd(self) -> String {
        let (year, month, day) = self.date();
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// The beginning of the day, as clocks show it.
    pub(super) fn midnight(self) -> At {
        At(self.0.0.div_euclid(DAY) * DAY)
    }

    fn second(self) -> i64 {
        self.0.0.rem_euclid(DAY) / SECOND
    }

    /// Year, month and day by the proleptic Gregorian calendar (the era arithmetic of Howard Hinnant's
    /// `civil_from_days`).
    fn date(self) -> (i64, i64, i64) {
        let z = self.0.0.div_euclid(DAY) + 719_468;
        let era = z.div_euclid(146_097);
        let day_of_era = z.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year, month, day)
    }
}

#[cfg(test)]
mod tests {
    use super::At;

    #[test]
    fn the_epoch_is_written_as_the_first_of_january_1970() {
        assert_eq!(At(0).iso(), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn a_leap_day_keeps_its_date() {
        assert_eq!(At(1_709_164_799_999).iso(), "2024-02-28T23:59:59.999Z");
        assert_eq!(At(1_709_164_800_000).iso(), "2024-02-29T00:00:00.000Z");
        assert_eq!(At(1_709_251_200_000).iso(), "2024-03-01T00:00:00.000Z");
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn a_date_is_found_again() {
        for (year, month, day, iso) in [
            (1970, 1, 1, "1970-01-01"),
            (2000, 2, 29, "2000-02-29"),
            (2024, 12, 31, "2024-12-31"),
            (2100, 3, 1, "2100-03-01"),
        ] {
            assert!(
                At::of_date(year, month, day).iso().starts_with(iso),
                "{iso}"
            );
        }
    }

    #[test]
    fn an_instant_before_the_epoch_counts_back() {
        assert_eq!(At(-1).iso(), "1969-12-31T23:59:59.999Z");
    }

    #[test]
    fn time_since_a_later_instant_is_zero() {
        assert_eq!(At(5).since(At(9)), 0);
    }
}
