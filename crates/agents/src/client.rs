//! The HTTP client that agents and evaluators share. Must never follow a redirect: a conversation goes to the configured
//! address only.

use std::time::Duration;

/// An address that nobody answers at is given up after this time, and the next try is made.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);
/// Shorter than the five seconds after which common servers close an idle connection.
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
