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
        let ms = self.0.rem_euclid(SECOND);
        format!("{}T{}.{ms:03}Z", self.ymd(), self.hms())
    }

    /// The instant for a reader: `2026-11-29 14:03:12 UTC`.
    #[must_use]
    pub fn long(self) -> String {
        format!("{} {} UTC", self.ymd(), self.hms())
    }

    /// The time of day, UTC: `14:03:12`.
    #[must_use]
    pub fn hms(self) -> String {
        let second = self.0.rem_euclid(DAY) / SECOND;
        format!(
            "{:02}:{:02}:{:02}",
            second / 3_600,
            second / 60 % 60,
            second % 60
        )
    }

    /// Milliseconds from `earlier` to this instant, at least zero.
    #[must_use]
    pub fn since(self, earlier: At) -> i64 {
        self.0.saturating_sub(earlier.0).max(0)
    }

    fn ymd(self) -> String {
        let (year, month, day) = self.date();
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// Year, month and day by the proleptic Gregorian calendar (the era arithmetic of Howard Hinnant's
    /// `civil_from_days`).
    fn date(self) -> (i64, i64, i64) {
        let z = self.0.div_euclid(DAY) + 719_468;
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
        assert_eq!(At(1_709_164_800_000).long(), "2024-02-29 00:00:00 UTC");
        assert_eq!(At(1_709_251_200_000).long(), "2024-03-01 00:00:00 UTC");
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
