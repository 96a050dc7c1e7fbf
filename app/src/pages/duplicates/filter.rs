//! What the list can be narrowed to: the form that writes an address.

use crate::api::{DuplicatesAsked, UNJUDGED};
use crate::parts::{FilterField, Options};
use crate::view::{ChannelRef, OpinionWord};
use crate::words::words;
use leptos::prelude::*;

/// The filter as a plain form: it works before and without scripts.
#[component]
pub(super) fn Filter(
    asked: DuplicatesAsked,
    channels: Vec<ChannelRef>,
    tools: Vec<String>,
    wrong: Option<String>,
) -> impl IntoView {
    let words = words();
    let (filter, own) = (&words.filter, &words.duplicates);
    let clear = !asked.is_empty();
    let more = [&asked.tool, &asked.channel, &asked.from, &asked.to];
    let open = more.iter().any(|field| field.is_some());
    let channels: Vec<_> = channels
        .into_iter()
        .map(|each| (each.id.0, each.name))
        .collect();
    // A tool that is gone has left its records.
    let gone = asked.tool.iter().filter(|tool| !tools.contains(tool));
    let gone: Vec<String> = gone.cloned().collect();
    let tools: Vec<_> = tools
        .into_iter()
        .chain(gone)
        .map(|tool| (tool.clone(), tool))
        .collect();
    let opinions = OpinionWord::ALL.iter().map(|word| {
        let told = (own.opinion_of)(*word);
        (word.stored().to_owned(), told.to_owned())
    });
    let none = (UNJUDGED.to_owned(), own.unjudged.to_owned());
    let opinions: Vec<_> = std::iter::once(none).chain(opinions).collect();
    view! {
        <form class="filter" method="get" action="/duplicates" role="search" aria-label=filter.name>
            <FilterField label=own.query hint=own.query_hint value=asked.q wrong/>
            <button type="submit">{filter.apply}</button>
            {clear.then(|| view! { <a href="/duplicates">{filter.clear}</a> })}
            <details open=open>
                <summary>{filter.more}</summary>
                <div class="more">
                    <Options label=own.tool name="tool" options=tools chosen=asked.tool/>
                    <Options label=filter.channel name="channel" options=channels chosen=asked.channel/>
                    <Options label=own.columns.verdict name="verdict" options=opinions chosen=asked.verdict/>
                    <label>{filter.from}<input name="from" value=asked.from placeholder="now-7d"/></label>
                    <label>{filter.to}<input name="to" value=asked.to placeholder="now"/></label>
                </div>
            </details>
        </form>
    }
}
