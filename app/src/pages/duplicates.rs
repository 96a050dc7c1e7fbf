//! `/duplicates`: tool calls that were held back, newest first, and calls whose outcome nobody knows.

mod filter;
mod list;
mod row;
mod unknown;

use crate::api::{DuplicatesAsked, SaidTerms, list_duplicates};
use crate::parts::Trouble;
use crate::view::ConsoleError;
use crate::words::words;
use filter::Filter;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use leptos_router::params::ParamsMap;
use list::DuplicateList;

/// The page of avoided duplicates.
#[component]
pub(crate) fn DuplicatesPage() -> impl IntoView {
    let words = words();
    let query = use_query_map();
    let wanted = Memo::new(move |_| asked(&query.read()));
    let view = Resource::new_blocking(
        move || wanted.get(),
        async |wanted| (wanted.clone(), list_duplicates(wanted).await),
    );
    view! {
        <Title text=words.titled(words.duplicates.title)/>
        <Transition fallback=move || view! { <p role="status">{words.shell.loading}</p> }>
            {move || Suspend::new(async move {
                match view.await {
                    (asked, Ok(view)) => view! { <DuplicateList asked view/> }.into_any(),
                    (asked, Err(error @ ConsoleError::Invalid { .. })) => {
                        view! { <Misread asked error/> }.into_any()
                    }
                    (_, Err(error)) => view! { <Trouble error/> }.into_any(),
                }
            })}
        </Transition>
    }
}

fn asked(query: &ParamsMap) -> DuplicatesAsked {
    let given = |name| query.get(name).filter(|value| !value.trim().is_empty());
    DuplicatesAsked {
        q: given("q"),
        tool: given("tool"),
        channel: given("channel"),
        verdict: given("verdict"),
        from: given("from"),
        to: given("to"),
        after: given("after").map(Into::into),
        settled: given("settled"),
        said: SaidTerms::of(query),
    }
}

/// A filter that cannot be understood stays in its form, with what is wrong below it.
#[component]
fn Misread(asked: DuplicatesAsked, error: ConsoleError) -> impl IntoView {
    #[cfg(feature = "ssr")]
    if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(crate::live::stream::status(&error));
    }
    let words = words();
    let wrong = (words.trouble)(&error).text;
    view! {
        <div class="heading"><h1 tabindex="-1">{words.duplicates.title}</h1></div>
        <Filter asked channels=Vec::new() tools=Vec::new() wrong=Some(wrong)/>
    }
}
