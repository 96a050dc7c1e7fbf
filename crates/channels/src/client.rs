//! The HTTP client that senders share. Must never follow a redirect: a signed reply goes to the configured address only.

use std::time::Duration;

/// A name that does not resolve or a host that does not answer is a definite failure after this time.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);

/// Shorter than the five seconds after which common servers close an idle connection, so that a reply rarely meets a
/// connection that the other side is just closing: its outcome would not be known.
const IDLE_FOR: Duration = Duration::from_secs(4);

/// A client that keeps connections alive, follows no redirect and gives up connecting after three seconds.
///
/// # Errors
/// When the system's TLS roots or resolver settings cannot be read.
pub fn http_client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_WITHIN)
        .pool_idle_timeout(IDLE_FOR)
        .tcp_nodelay(true)
        .user_agent(concat!("replygate/", env!("CARGO_PKG_VERSION")))
        .build()
}
