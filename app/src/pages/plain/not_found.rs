//! The page for an address that leads nowhere.

use crate::plain::Asked;
use crate::words::words;
use axum::http::StatusCode;
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use leptos_meta::Title;

/// Says so, with the status line 404.
#[expect(
    clippy::unused_async,
    reason = "a page may wait; this one has nothing to wait for"
)]
pub(super) async fn page(_asked: Asked) -> AnyView {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(StatusCode::NOT_FOUND);
    }
    let lost = &words().lost;
    view! {
        <Title text=words().titled(lost.title)/>
        <section class="notice">
            <h1 tabindex="-1">{lost.title}</h1>
            <p>{lost.what_next}</p>
            <p><a href="/sessions">{lost.to_sessions}</a></p>
        </section>
    }
    .into_any()
}
