//! Against forged requests: what changes something comes from our own pages, or from no browser at all. Must stand
//! around every route that a cookie opens.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::failure::Failure;
use crate::service::Service;

/// Lets reads pass, and writes from our own pages.
pub(super) async fn same_site(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let reads = [Method::GET, Method::HEAD, Method::OPTIONS];
    if reads.contains(request.method()) || is_own(request.headers(), service.public_host.as_deref())
    {
        return next.run(request).await;
    }
    let message = "the request comes from another site's page";
    Failure::new(StatusCode::FORBIDDEN, "cross_site", message).into_response()
}

/// A browser says where a request comes from, by `sec-fetch-site` where it trusts the connection, by `origin` everywhere.
/// A program says neither and carries no cookie that it was not given.
pub(super) fn is_own(headers: &HeaderMap, public_host: Option<&str>) -> bool {
    let text = |name: &str| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or_default())
    };
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    let Some(origin) = text(header::ORIGIN.as_str()) else {
        return true;
    };
    let Some((_, host)) = origin.split_once("://") else {
        return false;
    };
    text(header::HOST.as_str()) == Some(host) || public_host == Some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(pairs: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, value.parse().unwrap());
        }
        is_own(&headers, Some("chat.example"))
    }

    #[test]
    fn only_our_own_pages_and_programs_may_write() {
        assert!(own(&[("host", "a:1")]));
        assert!(own(&[("host", "a:1"), ("origin", "http://a:1")]));
        assert!(own(&[
            ("host", "inside:1"),
            ("origin", "https://chat.example")
        ]));
        assert!(own(&[
            ("sec-fetch-site", "same-origin"),
            ("origin", "https://elsewhere")
        ]));
        assert!(!own(&[("host", "a:1"), ("origin", "http://a:2")]));
        assert!(!own(&[("host", "a:1"), ("origin", "null")]));
        assert!(!own(&[("sec-fetch-site", "cross-site"), ("host", "a:1")]));
        assert!(!own(&[
            ("sec-fetch-site", "same-site"),
            ("origin", "http://a:1"),
            ("host", "a:1")
        ]));
    }
}
