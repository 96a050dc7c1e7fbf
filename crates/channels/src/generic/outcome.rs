//! What an HTTP answer says about a hand-over. Pure. Must never call something certain that may have reached the other
//! side's application.

use http::{HeaderMap, StatusCode, header};
use replygate_gate::{At, Outcome};

/// What became of a part that was answered with `status`.
///
/// | status | outcome |
/// |---|---|
/// | 2xx | accepted |
/// | 408, 425, 429, 500, 503 and other 5xx | failed for now, not before `retry-after` |
/// | 502, 504 | unknown: a proxy speaks, and the application behind it may have the part |
/// | 3xx | refused: redirects are not followed |
/// | other 4xx | refused for good |
pub(super) fn of_answer(status: StatusCode, headers: &HeaderMap, now: At) -> Outcome {
    let code = format!("http_{}", status.as_u16());
    match status.as_u16() {
        200..=299 => Outcome::Accepted { receipt: None },
        502 | 504 => Outcome::Unknown { code },
        408 | 425 | 429 | 500..=599 => Outcome::Failed {
            code,
            retry_after_ms: retry_after_ms(headers, now),
        },
        _ => Outcome::Refused { code },
    }
}

/// What became of a part that got no answer.
pub(super) fn of_error(error: &reqwest::Error) -> Outcome {
    if error.is_builder() {
        return Outcome::Failed {
            code: "address".to_owned(),
            retry_after_ms: None,
        };
    }
    if error.is_connect() {
        return Outcome::Failed {
            code: "connect".to_owned(),
            retry_after_ms: None,
        };
    }
    let code = if error.is_timeout() {
        "timeout"
    } else {
        "connection_lost"
    };
    Outcome::Unknown {
        code: code.to_owned(),
    }
}

/// The wait that `retry-after` asks for, in seconds or as a date; `None` when it is missing or unreadable.
fn retry_after_ms(headers: &HeaderMap, now: At) -> Option<u64> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(seconds.saturating_mul(1_000));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let ms = date.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis();
    Some(At(i64::try_from(ms).unwrap_or(i64::MAX)).since(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: At = At(1_700_000_000_000);

    fn answered(status: u16, retry_after: Option<&str>) -> Outcome {
        let mut headers = HeaderMap::new();
        if let Some(value) = retry_after {
            headers.insert(header::RETRY_AFTER, value.parse().unwrap());
        }
        of_answer(StatusCode::from_u16(status).unwrap(), &headers, NOW)
    }

    #[test]
    fn each_status_has_its_outcome() {
        let failed = |code: &str| Outcome::Failed {
            code: code.into(),
            retry_after_ms: None,
        };
        let refused = |code: &str| Outcome::Refused { code: code.into() };
        let unknown = |code: &str| Outcome::Unknown { code: code.into() };
        for (status, expected) in [
            (200, Outcome::Accepted { receipt: None }),
            (204, Outcome::Accepted { receipt: None }),
            (302, refused("http_302")),
            (307, refused("http_307")),
            (400, refused("http_400")),
            (403, refused("http_403")),
            (404, refused("http_404")),
            (408, failed("http_408")),
            (410, refused("http_410")),
            (425, failed("http_425")),
            (429, failed("http_429")),
            (500, failed("http_500")),
            (502, unknown("http_502")),
            (503, failed("http_503")),
            (504, unknown("http_504")),
        ] {
            assert_eq!(answered(status, None), expected, "{status}");
        }
    }

    #[test]
    fn the_asked_wait_is_read_as_seconds_and_as_a_date() {
        for (text, expected) in [
            ("7", Some(7_000)),
            ("0", Some(0)),
            ("99999999999999999999", None),
            ("18446744073709551615", Some(u64::MAX)),
            ("Tue, 14 Nov 2023 22:14:20 GMT", Some(60_000)),
            ("Tue, 14 Nov 2023 22:00:00 GMT", Some(0)),
            ("soon", None),
            ("-3", None),
        ] {
            let outcome = answered(429, Some(text));
            assert_eq!(
                outcome,
                Outcome::Failed {
                    code: "http_429".into(),
                    retry_after_ms: expected
                },
                "{text}"
            );
        }
    }
}
