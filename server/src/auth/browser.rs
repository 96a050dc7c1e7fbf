//! Which browser somebody signs in with, as far as a person has to know it to recognise it.

use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;

/// What gives a family away, and its name. Most browsers also claim to be others: the first that fits is right.
const FAMILIES: [(&str, &str); 8] = [
    ("Edg/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// The family; empty where it is not known.
pub(super) fn family(headers: &HeaderMap) -> &'static str {
    let agent = headers
        .get(USER_AGENT)
        .and_then(|agent| agent.to_str().ok());
    let agent = agent.unwrap_or_default();
    let found = FAMILIES.iter().find(|(sign, _)| agent.contains(sign));
    found.map_or("", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(agent: &str) -> &'static str {
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, agent.parse().unwrap());
        family(&headers)
    }

    #[test]
    fn a_browser_is_told_from_those_it_claims_to_be() {
        let webkit = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)";
        assert_eq!(
            of(&format!("{webkit} Chrome/141.0 Safari/537.36")),
            "Chrome"
        );
        let edge = format!("{webkit} Chrome/141.0 Safari/537.36 Edg/141.0");
        assert_eq!(of(&edge), "Edge");
        assert_eq!(of(&format!("{webkit} Version/18 Safari/605.1")), "Safari");
        let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
        assert_eq!(of(firefox), "Firefox");
        assert_eq!(of("curl/8"), "");
        assert_eq!(family(&HeaderMap::new()), "");
    }
}
