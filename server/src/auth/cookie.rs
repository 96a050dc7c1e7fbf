//! The session cookie.

use std::sync::Arc;

use tower_sessions::cookie::SameSite;
use tower_sessions::cookie::time::Duration;
use tower_sessions::{Expiry, SessionManagerLayer};

use super::door::Door;
use super::sign_ins::SignIns;

/// A sign-in that is not used for this long is over.
const IDLE: Duration = Duration::hours(8);

/// How browsers are to keep the cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CookieStyle {
    /// Behind TLS: `__Host-`, never sent in clear.
    Secure,
    /// By plain HTTP, where a browser would not send back a secure one: Safari refuses it even on the same machine.
    Plain,
}

impl CookieStyle {
    const fn name(self) -> &'static str {
        match self {
            Self::Secure => "__Host-replygate",
            Self::Plain => "replygate",
        }
    }
}

pub(super) fn layer(door: &Arc<Door>) -> SessionManagerLayer<SignIns> {
    SessionManagerLayer::new(door.sign_ins())
        .with_name(door.cookies.name())
        .with_secure(door.cookies == CookieStyle::Secure)
        .with_same_site(SameSite::Lax)
        .with_expiry(Expiry::OnInactivity(IDLE))
}
