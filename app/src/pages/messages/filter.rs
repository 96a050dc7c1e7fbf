//! What the address of the messages page asks for, and the form that writes it.

use crate::api::MessagesAsked;
use crate::parts::{FilterField, Options};
use crate::view::{ChannelRef, StatusWord, VerdictWord};
use crate::words::words;
use leptos::prelude::*;

/// Reads a query.
#[cfg(feature = "ssr")]
pub(super) fn asked(query: &leptos_router::params::ParamsMap) -> MessagesAsked {
    let given = |name| query.get(name).filter(|value| !value.trim().is_empty());
    MessagesAsked {
        q: given("q"),
        channel: given("channel"),
        status: given("status"),
        decision: given("decision"),
        from: given("from"),
        to: given("to"),
        after: given("after").map(Into::into),
    }
}

/// The filter as a plain form: it works before and without scripts.
#[component]
pub(super) fn Filter(
    asked: MessagesAsked,
    channels: Vec<ChannelRef>,
    #[prop(optional)] wrong: Option<String>,
) -> impl IntoView {
    let words = words();
    let (filter, own) = (&words.filter, &words.messages);
    let clear = !asked.is_empty();
    let more = [
        &asked.channel,
        &asked.status,
        &asked.decision,
        &asked.from,
        &asked.to,
    ];
    let open = more.iter().any(|field| field.is_some());
    let channels: Vec<_> = channels
        .into_iter()
        .map(|each| (each.id.0, each.name))
        .collect();
    let statuses = StatusWord::ALL.map(|each| {
        (
            each.stored().to_owned(),
            (words.domain.status)(each).to_owned(),
        )
    });
    let verdicts = VerdictWord::ALL.map(|each| {
        (
            each.stored().to_owned(),
            (words.domain.verdict)(each).to_owned(),
        )
    });
    view! {
        <form class="filter" method="get" action="/messages" role="search" aria-label=filter.name>
            <FilterField label=own.query hint=own.query_hint value=asked.q wrong/>
            <button type="submit">{filter.apply}</button>
            {clear.then(|| view! { <a href="/messages">{filter.clear}</a> })}
            <details open=open>
                <summary>{filter.more}</summary>
                <div class="more">
                    <Options label=filter.channel name="channel" options=channels chosen=asked.channel/>
                    <Options label=own.columns.status name="status" options=statuses.to_vec() chosen=asked.status/>
                    <Options label=own.columns.decision name="decision" options=verdicts.to_vec() chosen=asked.decision/>
                    <label>{filter.from}<input name="from" value=asked.from placeholder="now-6h"/></label>
                    <label>{filter.to}<input name="to" value=asked.to placeholder="now"/></label>
                </div>
            </details>
        </form>
    }
}
