//! The page for an address that leads nowhere.

use crate::words::words;
use leptos::prelude::*;
use leptos_meta::Title;

/// Says so, with the status line 404.
#[component]
pub(crate) fn NotFoundPage() -> impl IntoView {
    #[cfg(feature = "ssr")]
    if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(axum::http::StatusCode::NOT_FOUND);
    }
    let lost = &words().lost;
    view! {
        <Title text=lost.title/>
        <section class="notice">
            <h1 tabindex="-1">{lost.title}</h1>
            <p>{lost.what_next}</p>
            <p><a href="/sessions">{lost.to_sessions}</a></p>
        </section>
    }
}
