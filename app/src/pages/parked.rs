//! `/parked`: the inbox of replies that wait for a person.

mod list;
mod row;

use crate::api::{ParkedAsked, SaidTerms, list_parked};
use crate::parts::{FilterField, Options, Trouble};
use crate::view::{ChannelRef, ConsoleError, InboxView};
use crate::words::words;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use leptos_router::params::ParamsMap;
use list::ParkedList;

/// The inbox.
#[component]
pub(crate) fn ParkedPage() -> impl IntoView {
    let words = words();
    let query = use_query_map();
    let wanted = Memo::new(move |_| asked(&query.read()));
    let view = Resource::new_blocking(
        move || wanted.get(),
        async |wanted| (wanted.clone(), list_parked(wanted).await),
    );
    view! {
        <Title text=words.titled(words.parked.title)/>
        <Transition fallback=move || view! { <p role="status">{words.shell.loading}</p> }>
            {move || Suspend::new(async move {
                match view.await {
                    (asked, Ok(view)) => view! { <ParkedList asked view/> }.into_any(),
                    (asked, Err(error @ ConsoleError::Invalid { .. })) => {
                        view! { <Misread asked error/> }.into_any()
                    }
                    (_, Err(error)) => view! { <Trouble error/> }.into_any(),
                }
            })}
        </Transition>
    }
}

fn asked(query: &ParamsMap) -> ParkedAsked {
    let given = |name| query.get(name).filter(|value| !value.trim().is_empty());
    ParkedAsked {
        q: given("q"),
        why: given("why"),
        channel: given("channel"),
        age: given("age"),
        view: given("view"),
        after: given("after").map(Into::into),
        said: SaidTerms::of(query),
    }
}

/// A filter that cannot be understood stays in its form, with what is wrong below it.
#[component]
fn Misread(asked: ParkedAsked, error: ConsoleError) -> impl IntoView {
    #[cfg(feature = "ssr")]
    if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(crate::live::stream::status(&error));
    }
    let words = words();
    let wrong = (words.trouble)(&error).text;
    view! {
        <div class="heading"><h1 tabindex="-1">{words.parked.title}</h1></div>
        <Filter asked channels=Vec::new() wrong=Some(wrong)/>
    }
}

/// The filter as a plain form: it works before and without scripts.
#[component]
fn Filter(asked: ParkedAsked, channels: Vec<ChannelRef>, wrong: Option<String>) -> impl IntoView {
    let words = words();
    let (filter, own) = (&words.filter, &words.parked);
    let clear = !asked.is_empty();
    let open = asked.channel.is_some() || asked.age.is_some() || asked.view.is_some();
    let channels: Vec<_> = channels
        .into_iter()
        .map(|each| (each.id.0, each.name))
        .collect();
    let views = InboxView::ALL
        .iter()
        .map(|view| (view.stored().to_owned(), (own.view_of)(*view).to_owned()))
        .collect();
    view! {
        <form class="filter" method="get" action="/parked" role="search" aria-label=filter.name>
            <input type="hidden" name="why" value=asked.why/>
            <FilterField label=own.query hint=own.query_hint value=asked.q wrong/>
            <button type="submit">{filter.apply}</button>
            {clear.then(|| view! { <a href="/parked">{filter.clear}</a> })}
            <details open=open>
                <summary>{filter.more}</summary>
                <div class="more">
                    <Options label=filter.channel name="channel" options=channels chosen=asked.channel/>
                    <Options label=own.view name="view" options=views chosen=asked.view/>
                    <label>{own.age}<input name="age" value=asked.age placeholder="15m"/></label>
                </div>
            </details>
        </form>
    }
}
