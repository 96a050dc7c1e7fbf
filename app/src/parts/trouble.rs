//! The place of a page that could not be shown.

use crate::view::ConsoleError;
use crate::words::words;
use leptos::prelude::*;

/// Says what failed, whether anything was done, and what to do, and sets the answer's status line.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(crate) fn Trouble(error: ConsoleError) -> impl IntoView {
    if error != ConsoleError::NotSignedIn
        && let Some(response) = use_context::<leptos_axum::ResponseOptions>()
    {
        response.set_status(crate::live::stream::status(&error));
    }
    let words = words();
    let trouble = (words.trouble)(&error);
    let again = matches!(
        error,
        ConsoleError::Unavailable | ConsoleError::TookTooLong | ConsoleError::Conflict { .. }
    );
    let is_role = matches!(error, ConsoleError::Forbidden { .. });
    let may = is_role.then_some(words.shell.what_i_may);
    view! {
        <section class="notice" role="alert">
            <h1 tabindex="-1">{trouble.title}</h1>
            <p>{trouble.text}</p>
            {may.map(|text| view! { <p><a href="/settings/me">{text}</a></p> })}
            {again.then(|| view! { <p><a href="">{words.shell.again}</a></p> })}
        </section>
    }
}
