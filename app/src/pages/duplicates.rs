//! `/duplicates`: tool calls that were held back, newest first, and calls whose outcome nobody knows.

mod filter;
mod list;
mod row;
mod unknown;

pub(super) use list::DuplicateList;

#[cfg(feature = "ssr")]
use super::{live, opened::LivePage};
#[cfg(feature = "ssr")]
use crate::api::{DuplicatesAsked, SaidTerms};
#[cfg(feature = "ssr")]
use crate::parts::title;
#[cfg(feature = "ssr")]
use crate::view::ConsoleError;
#[cfg(feature = "ssr")]
use filter::Filter;
#[cfg(feature = "ssr")]
use leptos::prelude::*;

/// The page of avoided duplicates.
#[cfg(feature = "ssr")]
pub(super) async fn open(request: crate::plain::Asked) -> Result<LivePage, AnyView> {
    let words = crate::words::words();
    title(|| words.titled(words.duplicates.title));
    let asked = asked(&request);
    match crate::api::list_duplicates(asked.clone()).await {
        Ok(view) => Ok(LivePage::Duplicates(asked, view)),
        Err(error @ ConsoleError::Invalid { .. }) => {
            Err(view! { <Misread asked error/> }.into_any())
        }
        Err(error) => Err(live::trouble(error)),
    }
}

#[cfg(feature = "ssr")]
fn asked(request: &crate::plain::Asked) -> DuplicatesAsked {
    let query = &request.query;
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
#[cfg(feature = "ssr")]
fn Misread(asked: DuplicatesAsked, error: ConsoleError) -> impl IntoView {
    live::refuse(&error);
    let words = crate::words::words();
    let wrong = (words.trouble)(&error).text;
    view! {
        <div class="heading"><h1 tabindex="-1">{words.duplicates.title}</h1></div>
        <Filter asked channels=Vec::new() tools=Vec::new() wrong=Some(wrong)/>
    }
}
