//! What an answer's headers say about asking again. Must never believe a time further away than an hour.

use std::time::Duration;

use jiff::Timestamp;
use replygate_gate::At;
use reqwest::header::HeaderMap;

/// A limit that ends later is asked about again after this time: clocks and headers may be wrong.
const MOST: Duration = Duration::from_hours(1);

/// Pairs of what is left and when it is filled up again, in the spellings of OpenAI and of Anthropic.
const LIMITS: [(&str, &str); 6] = [
    (
        "x-ratelimit-remaining-requests",
        "x-ratelimit-reset-requests",
    ),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    (
        "anthropic-ratelimit-requests-remaining",
        "anthropic-ratelimit-requests-reset",
    ),
    (
        "anthropic-ratelimit-tokens-remaining",
        "anthropic-ratelimit-tokens-reset",
    ),
    (
        "anthropic-ratelimit-input-tokens-remaining",
        "anthropic-ratelimit-input-tokens-reset",
    ),
    (
        "anthropic-ratelimit-output-tokens-remaining",
        "anthropic-ratelimit-output-tokens-reset",
    ),
];

/// What an answer's headers say about asking again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// Not before this time has passed.
    pub(crate) wait: Option<Duration>,
    /// Nothing is left until this time has passed.
    pub(crate) used_up: Option<Duration>,
    /// Whether the same may be asked again at all.
    pub(crate) again: Option<bool>,
}

impl Told {
    /// Reads the headers. Instants count from the answer's own `date` where it has one, so that two clocks that differ do
    /// no harm.
    pub(crate) fn read(headers: &HeaderMap, now: At) -> Self {
        let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
        let sent = text("date")
            .and_then(|date| httpdate::parse_http_date(date).ok())
            .and_then(|date| Timestamp::try_from(date).ok())
            .or_else(|| Timestamp::from_millisecond(now.0).ok());
        let until = |instant: Timestamp| {
            let wait = instant.duration_since(sent?);
            Some(Duration::try_from(wait).unwrap_or_default())
        };
        let wait_ms = text("retry-after-ms")
            .and_then(|ms| ms.parse::<f64>().ok())
            .and_then(|ms| seconds(ms / 1_000.0));
        let wait = wait_ms.or_else(|| {
            let text = text("retry-after")?;
            let number = text.parse::<f64>().ok().and_then(seconds);
            number.or_else(|| {
                let date = httpdate::parse_http_date(text).ok()?;
                until(Timestamp::try_from(date).ok()?)
            })
        });
        let used_up = LIMITS
            .iter()
            .filter(|(left, _)| text(left).is_some_and(|left| left.parse::<f64>() == Ok(0.0)))
            .filter_map(|(_, reset)| {
                let text = text(reset)?;
                spoken(text).or_else(|| until(text.parse().ok()?))
            })
            .max();
        Self {
            wait: wait.map(|wait| wait.min(MOST)),
            used_up: used_up.map(|wait| wait.min(MOST)),
            again: text("x-should-retry").and_then(|word| word.parse().ok()),
        }
    }
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok()
}

/// A duration such as `6m0s`, `1.5s`, `20ms` or `1h2m3s`; a bare number counts seconds.
fn spoken(text: &str) -> Option<Duration> {
    if let Ok(number) = text.parse::<f64>() {
        return seconds(number);
    }
    let (mut rest, mut sum) = (text, Duration::ZERO);
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .filter(|digits| *digits > 0)?;
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let letters = rest
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(rest.len());
        let unit = match &rest[..letters] {
            "h" => 3_600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            "us" | "µs" => 0.000_001,
            _ => return None,
        };
        rest = &rest[letters..];
        sum += seconds(number * unit)?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    const NOW: At = At(1_764_000_000_000);

    fn told(headers: &[(&'static str, &str)]) -> Told {
        let headers = headers.iter().map(|(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            )
        });
        Told::read(&headers.collect(), NOW)
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_wait_is_read_in_every_spelling() {
        for (headers, wait) in [
            (&[("retry-after", "7")][..], Some(ms(7_000))),
            (&[("retry-after", "0.25")], Some(ms(250))),
            (
                &[("retry-after-ms", "1500"), ("retry-after", "9")],
                Some(ms(1_500)),
            ),
            (
                &[
                    ("retry-after", "Mon, 24 Nov 2025 16:00:30 GMT"),
                    ("date", "Mon, 24 Nov 2025 16:00:00 GMT"),
                ],
                Some(ms(30_000)),
            ),
            (
                &[("retry-after", "Mon, 24 Nov 2025 16:00:05 GMT")],
                Some(ms(5_000)),
            ),
            (&[("retry-after", "99999")], Some(ms(3_600_000))),
            (&[("retry-after", "-3")], None),
            (&[("retry-after", "soon")], None),
            (&[], None),
        ] {
            assert_eq!(told(headers).wait, wait, "{headers:?}");
        }
    }

    #[test]
    fn what_is_used_up_counts_until_it_is_filled_again() {
        for (left, reset, value, expected) in [
            (
                "x-ratelimit-remaining-requests",
                "x-ratelimit-reset-requests",
                "6m0s",
                Some(ms(360_000)),
            ),
            (
                "x-ratelimit-remaining-tokens",
                "x-ratelimit-reset-tokens",
                "20ms",
                Some(ms(20)),
            ),
            (
                "x-ratelimit-remaining-tokens",
                "x-ratelimit-reset-tokens",
                "1.5s",
                Some(ms(1_500)),
            ),
            (
                "x-ratelimit-remaining-tokens",
                "x-ratelimit-reset-tokens",
                "12",
                Some(ms(12_000)),
            ),
            (
                "x-ratelimit-remaining-tokens",
                "x-ratelimit-reset-tokens",
                "?",
                None,
            ),
            (
                "anthropic-ratelimit-output-tokens-remaining",
                "anthropic-ratelimit-output-tokens-reset",
                "2025-11-24T16:00:12Z",
                Some(ms(12_000)),
            ),
        ] {
            let date = ("date", "Mon, 24 Nov 2025 16:00:00 GMT");
            assert_eq!(
                told(&[(left, "0"), (reset, value), date]).used_up,
                expected,
                "{value}"
            );
            assert_eq!(told(&[(left, "3"), (reset, value), date]).used_up, None);
        }
    }

    #[test]
    fn the_longest_of_several_limits_counts() {
        let told = told(&[
            ("x-ratelimit-remaining-requests", "0"),
            ("x-ratelimit-reset-requests", "1s"),
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "1m2s"),
            ("x-should-retry", "false"),
        ]);
        assert_eq!((told.used_up, told.again), (Some(ms(62_000)), Some(false)));
    }
}
