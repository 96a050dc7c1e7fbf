//! Forms: everything that a person changes. Plain HTML posts them, with or without scripts, and each is answered with
//! 303 to a page that shows from the store what came of it.
//!
//! A form is read here, and the [console](crate::console) is asked; nothing is decided and no permission is checked
//! here. Every form that acts carries a request id that was minted with its page, so that sending it again does nothing.

mod channels;
mod decide;
mod duplicates;
mod lab;
mod me;
mod operations;
mod password;
mod posted;
mod reveal;
mod saved;
mod session;
mod sign_ins;
mod team;

use crate::console::ConsoleHandle;
use axum::middleware::from_fn;
use axum::routing::post;
use axum::{Extension, Router};
use leptos::config::LeptosOptions;

pub(crate) use posted::Posted;

/// The routes of all forms.
pub(crate) fn routes(options: &LeptosOptions, console: ConsoleHandle) -> Router<LeptosOptions> {
    Router::new()
        .route("/channels/{cid}", post(channels::post))
        .route("/channels/{cid}/debounce", post(lab::post))
        .route("/duplicates/{did}", post(duplicates::post))
        .route("/duplicates/calls/{aid}", post(duplicates::settle))
        .route("/operations/{op}", post(operations::steer))
        .route("/parked/plan", post(operations::plan))
        .route("/parked/{rid}/reprocess", post(decide::post))
        .route("/reveal", post(reveal::post))
        .route("/sessions/{sid}", post(session::post))
        .route("/settings/me", post(me::post))
        .route("/settings/password", post(password::post))
        .route("/settings/sign-ins", post(sign_ins::post))
        .route("/settings/team", post(team::post))
        .route("/views", post(saved::post))
        .route("/views/{slug}", post(saved::remove))
        .layer(from_fn(posted::in_frame))
        .layer(Extension(console))
        .layer(Extension(options.clone()))
}
