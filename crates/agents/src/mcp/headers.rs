//! Headers: which pass, and whether those that repeat the message say the same. Must never pass the caller's own
//! credentials on: they are for this server.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::message::Posted;

const VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// How a value is written that is no plain header text.
const SENTINEL: (&str, &str) = ("=?base64?", "?=");

/// Headers of one connection only, by RFC 9110.
const OF_THE_CONNECTION: [&str; 9] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// For this server only. A length is counted again, a packed answer could not be read on its way, and what a browser says
/// of its page concerns nobody behind.
const OF_THIS_SERVER: [&str; 7] = [
    "accept-encoding",
    "authorization",
    "content-length",
    "cookie",
    "expect",
    "host",
    "origin",
];

/// What begins so says for whom a call is, to this server.
const OURS: &str = "x-replygate-";

/// The two kinds of revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Up to 2025-11-25: sessions, and streams that can be taken up again.
    Sessions,
    /// From 2026-07-28: every request stands alone.
    Stateless,
}

impl Era {
    /// What the request says; without a word it is of the older kind.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        let version = headers.get(VERSION).and_then(|value| value.to_str().ok());
        // Revisions are dates, so that they sort as texts.
        match version {
            Some(version) if version >= "2026-07-28" => Self::Stateless,
            _ => Self::Sessions,
        }
    }
}

/// A header says something else than the message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the header {header} does not say what the message says")]
pub struct Mismatch {
    /// Its name.
    pub header: &'static str,
}

/// Whether the headers that repeat the message say what it says: whoever routes by them must not be told another story.
///
/// # Errors
/// The header that does not.
pub fn agree(headers: &HeaderMap, posted: &Posted) -> Result<(), Mismatch> {
    let method = match posted {
        Posted::Call(_) => Some("tools/call"),
        Posted::List(_) => Some("tools/list"),
        Posted::Cancel(_) => Some("notifications/cancelled"),
        Posted::Other(method) => method.as_deref(),
        Posted::Batch => None,
    };
    same(headers, METHOD, method)?;
    match posted {
        Posted::Call(call) => same(headers, NAME, Some(&call.tool)),
        _ => Ok(()),
    }
}

fn same(headers: &HeaderMap, header: &'static str, said: Option<&str>) -> Result<(), Mismatch> {
    let mut values = headers.get_all(header).iter();
    let agrees = values.all(|value| plain(value).as_deref() == said);
    if agrees {
        Ok(())
    } else {
        Err(Mismatch { header })
    }
}

fn decoded(value: &str) -> Option<String> {
    let inner = value
        .strip_prefix(SENTINEL.0)
        .and_then(|rest| rest.strip_suffix(SENTINEL.1));
    match inner {
        Some(inner) => String::from_utf8(STANDARD.decode(inner).ok()?).ok(),
        None => Some(value.to_owned()),
    }
}

/// The text of a header's value, which may be written in base64 as the protocol has it, or as UTF-8; `None` when it is
/// neither.
#[must_use]
pub fn plain(value: &HeaderValue) -> Option<String> {
    decoded(std::str::from_utf8(value.as_bytes()).ok()?.trim())
}

/// A text as a header's value.
pub(super) fn coded(text: &str) -> String {
    // Blanks at an end get lost on the way.
    let is_plain = text.bytes().all(|byte| (0x20..=0x7e).contains(&byte)) && text.trim() == text;
    if is_plain && !text.starts_with(SENTINEL.0) {
        return text.to_owned();
    }
    format!("{}{}{}", SENTINEL.0, STANDARD.encode(text), SENTINEL.1)
}

/// The request's headers that the server behind gets.
#[must_use]
pub fn passes_on(headers: &HeaderMap) -> HeaderMap {
    let named = named_by_connection(headers);
    let kept = |name: &HeaderName| {
        let name = name.as_str();
        !OF_THE_CONNECTION.contains(&name)
            && !OF_THIS_SERVER.contains(&name)
            && !name.starts_with(OURS)
            && !name.starts_with("sec-fetch-")
            && !named.iter().any(|one| one == name)
    };
    chosen(headers, kept)
}

/// The answer's headers that the client gets.
#[must_use]
pub fn passes_back(headers: &HeaderMap) -> HeaderMap {
    let named = named_by_connection(headers);
    // A cookie of the server behind would be one of ours in a browser.
    let kept = |name: &HeaderName| {
        let name = name.as_str();
        !OF_THE_CONNECTION.contains(&name)
            && name != "set-cookie"
            && !named.iter().any(|one| one == name)
    };
    chosen(headers, kept)
}

fn chosen(headers: &HeaderMap, kept: impl Fn(&HeaderName) -> bool) -> HeaderMap {
    let pairs = headers.iter().filter(|(name, _)| kept(name));
    pairs.fold(HeaderMap::new(), |mut chosen, (name, value)| {
        chosen.append(name.clone(), value.clone());
        chosen
    })
}

/// What the connection header names is of the connection too.
fn named_by_connection(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all("connection").iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|name| name.trim().to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            headers.append(*name, value);
        }
        headers
    }

    fn call(tool: &str) -> Posted {
        let body = format!(r#"{{"id":1,"method":"tools/call","params":{{"name":"{tool}"}}}}"#);
        read(body.as_bytes()).unwrap()
    }

    #[test]
    fn headers_that_tell_another_story_are_found_out() {
        let told = |pairs: &[(&'static str, &str)]| agree(&headers(pairs), &call("book"));
        assert_eq!(told(&[]), Ok(()));
        assert_eq!(
            told(&[("mcp-method", "tools/call"), ("mcp-name", "book")]),
            Ok(())
        );
        let header = "mcp-method";
        assert_eq!(told(&[(header, "tools/list")]), Err(Mismatch { header }));
        let header = "mcp-name";
        assert_eq!(told(&[(header, "look")]), Err(Mismatch { header }));
        assert_eq!(
            told(&[(header, "book"), (header, "look")]),
            Err(Mismatch { header }),
            "nor may a second one"
        );
    }

    #[test]
    fn a_name_that_is_no_header_text_is_read_as_it_was_meant() {
        let said = coded("agéndame");
        assert!(said.starts_with("=?base64?"));
        assert_eq!(
            agree(&headers(&[("mcp-name", &said)]), &call("agéndame")),
            Ok(())
        );
        assert_eq!(
            agree(&headers(&[("mcp-name", "agéndame")]), &call("agéndame")),
            Ok(())
        );
        let broken = headers(&[("mcp-name", "=?base64?%?=")]);
        assert!(agree(&broken, &call("agéndame")).is_err());
        for name in ["book", "a b", " a", "=?base64?x?="] {
            let said = coded(name);
            assert_eq!(plain(&said.parse().unwrap()).as_deref(), Some(name));
        }
    }

    #[test]
    fn credentials_and_what_is_of_one_connection_stay_here() {
        let passed = passes_on(&headers(&[
            ("authorization", "Bearer ours"),
            ("x-replygate-contact", "c1"),
            ("connection", "close, x-hop"),
            ("x-hop", "1"),
            ("host", "ours"),
            ("accept-encoding", "gzip"),
            ("origin", "http://ours"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-session-id", "s1"),
            ("mcp-protocol-version", "2025-11-25"),
            ("last-event-id", "7"),
            ("mcp-param-region", "eu"),
        ]));
        let mut names: Vec<&str> = passed.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "accept",
                "last-event-id",
                "mcp-param-region",
                "mcp-protocol-version",
                "mcp-session-id"
            ]
        );
    }

    #[test]
    fn answers_keep_what_clients_need() {
        let back = passes_back(&headers(&[
            ("mcp-session-id", "s1"),
            ("content-type", "text/event-stream"),
            ("set-cookie", "a=b"),
            ("transfer-encoding", "chunked"),
        ]));
        assert_eq!(back.len(), 2);
    }

    #[test]
    fn the_revision_tells_the_era() {
        let era = |version| Era::of(&headers(&[("mcp-protocol-version", version)]));
        assert_eq!(era("2025-11-25"), Era::Sessions);
        assert_eq!(era("2026-07-28"), Era::Stateless);
        assert_eq!(Era::of(&HeaderMap::new()), Era::Sessions);
    }
}
