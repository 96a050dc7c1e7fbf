//! Times in addresses: `now-6h`, `now/d`, `now-1d/d`, or a date with a time of day. They are resolved once, on the
//! server, by the clocks of the reader's place.

use super::{At, ConsoleError, Zone};

/// What may stand for a time.
const ALLOWED: &str = "now, now-30m, now-6h, now-7d, now/d, 2026-11-29, 2026-11-29T14:30";

/// The instant that `text` names for a reader in `zone` at `now`.
pub(crate) fn instant(field: &str, text: &str, now: At, zone: &Zone) -> Result<At, ConsoleError> {
    let found = match text.strip_prefix("now") {
        Some(rest) => relative(rest, now, zone),
        None => absolute(text, zone),
    };
    found.ok_or_else(|| ConsoleError::Invalid {
        field: field.to_owned(),
        value: text.chars().take(64).collect(),
        allowed: ALLOWED.to_owned(),
    })
}

/// A span such as `15m`, in milliseconds.
pub(crate) fn span(text: &str) -> Option<i64> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(unit_at);
    let number: i64 = number.parse().ok()?;
    let unit_ms = match unit {
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        "w" => 604_800_000,
        _ => return None,
    };
    number.checked_mul(unit_ms)
}

fn relative(rest: &str, now: At, zone: &Zone) -> Option<At> {
    let (back, rounded) = match rest.split_once('/') {
        Some((back, unit)) => (back, Some(unit)),
        None => (rest, None),
    };
    let at = match back.strip_prefix('-') {
        Some(back) => now.minus(span(back)?),
        None if back.is_empty() => now,
        None => return None,
    };
    match rounded {
        None => Some(at),
        Some("d") => Some(zone.day(at)),
        Some("h") => Some(At(at.0.div_euclid(3_600_000) * 3_600_000)),
        Some("m") => Some(At(at.0.div_euclid(60_000) * 60_000)),
        Some(_) => None,
    }
}

fn absolute(text: &str, zone: &Zone) -> Option<At> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let mut date = date.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let mut time = time.splitn(3, ':').map(str::parse::<i64>);
    let (hour, minute) = (time.next()?.ok()?, time.next()?.ok()?);
    let second = time.next().transpose().ok()?.unwrap_or(0);
    let is_date = (1970..=9999).contains(&year) && (1..=12).contains(&month);
    let is_day = (1..=31).contains(&day);
    let is_time = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
    if !(is_date && is_day && is_time) {
        return None;
    }
    let shown = At::of_date(year, month, day).0 + (hour * 3_600 + minute * 60 + second) * 1_000;
    Some(zone.instant(At(shown)))
}

#[cfg(test)]
mod tests {
    use super::{instant, span};
    use crate::view::{At, Shift, Zone};

    /// 2024-03-01 00:00:00 UTC.
    const NOW: At = At(1_709_251_200_000);

    fn west() -> Zone {
        Zone {
            name: "America/Sao_Paulo".to_owned(),
            shifts: vec![Shift {
                from: At(0),
                seconds: -10_800,
            }],
        }
    }

    fn long(text: &str) -> String {
        west().long(instant("from", text, NOW, &west()).unwrap())
    }

    #[test]
    fn relative_times_count_back_and_days_begin_where_the_reader_is() {
        assert_eq!(long("now"), "2024-02-29 21:00:00 UTC-3");
        assert_eq!(long("now-90m"), "2024-02-29 19:30:00 UTC-3");
        assert_eq!(long("now/d"), "2024-02-29 00:00:00 UTC-3");
        assert_eq!(long("now-1d/d"), "2024-02-28 00:00:00 UTC-3");
    }

    #[test]
    fn dates_are_those_of_the_readers_place() {
        assert_eq!(long("2024-02-29"), "2024-02-29 00:00:00 UTC-3");
        assert_eq!(long("2024-02-29T14:30"), "2024-02-29 14:30:00 UTC-3");
        assert_eq!(long("2024-02-29T14:30:05"), "2024-02-29 14:30:05 UTC-3");
    }

    #[test]
    fn what_is_no_time_is_named() {
        for text in [
            "",
            "yesterday",
            "now-",
            "now-6x",
            "now/y",
            "2024-13-01",
            "2024-02-29T25:00",
        ] {
            let error = instant("from", text, NOW, &west()).unwrap_err();
            assert!(error.to_string().contains("from"), "{text}: {error}");
        }
        assert_eq!(span("15m"), Some(900_000));
        assert_eq!(span("m"), None);
    }
}
