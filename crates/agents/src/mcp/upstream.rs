//! The way to the server behind. Must never send a request twice, nor follow it anywhere else.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::HeaderMap;
use reqwest::{Method, Url};

/// A name that does not resolve or a host that does not answer is a definite failure after this time.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// Shorter than the five seconds after which common servers close an idle connection: a request that meets a closing one
/// may or may not have arrived.
const IDLE_FOR: Duration = Duration::from_secs(4);

/// A server did not answer.
#[derive(Debug, thiserror::Error)]
pub enum Unreached {
    /// It was never asked.
    #[error("the MCP server cannot be reached")]
    Connect(#[source] reqwest::Error),
    /// It may have got the request.
    #[error("the MCP server gave no answer")]
    Broken(#[source] reqwest::Error),
}

/// A client that follows no redirect and sends nothing twice.
///
/// # Errors
/// When the system's TLS roots or resolver settings cannot be read.
pub fn http_client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        // A repeated request could repeat an effect.
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT_WITHIN)
        .pool_idle_timeout(IDLE_FOR)
        .tcp_nodelay(true)
        .build()
}

/// Where a server is, with what it gets of this one with every request.
#[derive(Clone)]
pub struct Upstream {
    client: reqwest::Client,
    url: Url,
    headers: HeaderMap,
}

impl fmt::Debug for Upstream {
    /// Its headers hold secrets, and its address may.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstream")
            .field("host", &self.url.host_str())
            .finish_non_exhaustive()
    }
}

impl Upstream {
    /// The server at `url`, which gets `headers` with every request.
    #[must_use]
    pub const fn new(client: reqwest::Client, url: Url, headers: HeaderMap) -> Self {
        Self {
            client,
            url,
            headers,
        }
    }

    /// Passes a request on; the answer as soon as its head is there. `query` is the request's own, if it had one.
    ///
    /// # Errors
    /// `Connect` when the server certainly did not get it.
    pub async fn pass(
        &self,
        method: Method,
        query: Option<&str>,
        mut headers: HeaderMap,
        body: Bytes,
    ) -> Result<reqwest::Response, Unreached> {
        for (name, value) in &self.headers {
            headers.insert(name.clone(), value.clone());
        }
        let mut url = self.url.clone();
        if query.is_some() {
            url.set_query(query);
        }
        let request = self.client.request(method, url).headers(headers).body(body);
        request.send().await.map_err(|error| {
            if error.is_connect() || error.is_builder() {
                Unreached::Connect(error.without_url())
            } else {
                Unreached::Broken(error.without_url())
            }
        })
    }
}
