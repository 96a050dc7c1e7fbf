//! Who may enter: passwords, sign-ins, one-time links, tokens. Must never store or log a password or a token in clear,
//! and never tells whether a name exists.

mod browser;
mod change;
mod cookie;
mod door;
mod forms;
mod own;
pub(crate) mod password;
mod sign_ins;
mod throttle;
pub(crate) mod tokens;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::post;

/// A longer password is cut off by nobody, but hashing it would be work for free.
const LONGEST_BYTES: usize = 1_024;

pub(crate) use cookie::CookieStyle;
pub(crate) use door::Door;

/// The three forms.
pub(crate) fn routes(door: &Arc<Door>) -> Router {
    Router::new()
        .route("/sign-in", post(forms::sign_in))
        .route("/first-run", post(forms::first_run))
        .route("/sign-out", post(forms::sign_out))
        .with_state(door.clone())
}

/// Puts who is signed in into the requests of `routes`. It refuses nothing by itself.
pub(crate) fn guarded(door: &Arc<Door>, routes: Router) -> Router {
    routes
        .layer(from_fn_with_state(door.clone(), door::identify))
        .layer(cookie::layer(door))
}
