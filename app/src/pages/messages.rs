//! `/messages`: every customer's message, newest first.

mod filter;
mod list;
mod row;

use crate::api::{MessagesAsked, list_messages};
use crate::parts::Trouble;
use crate::view::ConsoleError;
use crate::words::words;
use filter::{Filter, asked};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use list::MessageList;

/// The messages page.
#[component]
pub(crate) fn MessagesPage() -> impl IntoView {
    let words = words();
    let query = use_query_map();
    let wanted = Memo::new(move |_| asked(&query.read()));
    let view = Resource::new_blocking(
        move || wanted.get(),
        async |wanted| (wanted.clone(), list_messages(wanted).await),
    );
    view! {
        <Title text=words.titled(words.messages.title)/>
        <Transition fallback=move || view! { <p role="status">{words.shell.loading}</p> }>
            {move || Suspend::new(async move {
                match view.await {
                    (asked, Ok(view)) => view! { <MessageList asked view/> }.into_any(),
                    (asked, Err(error @ (ConsoleError::Invalid { .. } | ConsoleError::TookTooLong))) => {
                        view! { <Misread asked error/> }.into_any()
                    }
                    (_, Err(error)) => view! { <Trouble error/> }.into_any(),
                }
            })}
        </Transition>
    }
}

/// A filter that cannot be understood, or asks too much at once, stays in its form, with what is wrong below it.
#[component]
fn Misread(asked: MessagesAsked, error: ConsoleError) -> impl IntoView {
    #[cfg(feature = "ssr")]
    if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(crate::live::stream::status(&error));
    }
    let words = words();
    let wrong = (words.trouble)(&error).text;
    view! {
        <div class="heading"><h1 tabindex="-1">{words.messages.title}</h1></div>
        <Filter asked channels=Vec::new() wrong/>
    }
}
