//! `/parked`: the inbox of replies that wait for a person.

mod list;
mod row;

use crate::api::ParkedAsked;
use crate::parts::{FilterField, Options};
use crate::view::{ChannelRef, InboxView};
use crate::words::words;
use leptos::prelude::*;

pub(super) use list::ParkedList;

#[cfg(feature = "ssr")]
use super::{live, opened::LivePage};
#[cfg(feature = "ssr")]
use crate::api::SaidTerms;
#[cfg(feature = "ssr")]
use crate::parts::title;
#[cfg(feature = "ssr")]
use crate::view::ConsoleError;

/// The inbox.
#[cfg(feature = "ssr")]
pub(super) async fn open(request: crate::plain::Asked) -> Result<LivePage, AnyView> {
    let words = words();
    title(|| words.titled(words.parked.title));
    let asked = asked(&request);
    match crate::api::list_parked(asked.clone()).await {
        Ok(view) => Ok(LivePage::Parked(asked, view)),
        Err(error @ ConsoleError::Invalid { .. }) => {
            Err(view! { <Misread asked error/> }.into_any())
        }
        Err(error) => Err(live::trouble(error)),
    }
}

#[cfg(feature = "ssr")]
fn asked(request: &crate::plain::Asked) -> ParkedAsked {
    let query = &request.query;
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
#[cfg(feature = "ssr")]
fn Misread(asked: ParkedAsked, error: ConsoleError) -> impl IntoView {
    live::refuse(&error);
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
