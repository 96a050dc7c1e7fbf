//! A session on screen: its head, its conversation and its events, kept up to date.

use super::bubble::Bubble;
use super::following::follow;
use crate::api::SessionView;
use crate::live::Live;
use crate::pages::sessions::Waiting;
use crate::parts::{Ago, LiveMark, Moment, StateBadge, StatusBadge};
use crate::view::{ConversationItem, Cursor, Personal, SessionId, TimelineEvent};
use crate::words::words;
use leptos::prelude::*;
use leptos_meta::Title;

/// The page of one session; `after` is the place in the conversation where it begins.
#[component]
pub(super) fn SessionSheet(after: Option<Cursor>, view: SessionView) -> impl IntoView {
    let words = &words().session;
    let live = Live::made(view.detail.as_of);
    let id = view.detail.row.id.clone();
    let older = view
        .conversation
        .next
        .as_ref()
        .map(|next| older_address(&id, next));
    let shown = RwSignal::new(view);
    follow(id, after, shown, live);
    let quiet = move || shown.read().conversation.rows.is_empty();
    view! {
        <Head shown live/>
        <div class="columns">
            <section aria-labelledby="conversation">
                <h2 id="conversation">{words.conversation}</h2>
                {older.map(|address| view! {
                    <p><a href=address rel="next">{crate::words::words().sessions.older}</a></p>
                })}
                <Show when=quiet>
                    <p class="empty">{words.silent}</p>
                </Show>
                <ol class="conversation">
                    <For
                        each=move || oldest_first(&shown.read().conversation.rows)
                        key=ConversationItem::clone
                        children=|item| view! { <Bubble item/> }
                    />
                </ol>
            </section>
            <section aria-labelledby="events">
                <h2 id="events">{words.events}</h2>
                <Events shown/>
            </section>
        </div>
    }
}

#[component]
fn Head(shown: RwSignal<SessionView>, live: Live) -> impl IntoView {
    let words = &words().session;
    let title = move || (words.title)(&name(&shown.read().detail.row.contact));
    let row = move || shown.read().detail.row.clone();
    view! {
        <Title text=move || crate::words::words().titled(&title())/>
        <div class="heading">
            <h1 tabindex="-1">{title}</h1>
            <LiveMark live/>
        </div>
        <div class="facts">
            {move || view! { <StateBadge state=row().state.word/> }}
            <span>{move || row().channel.name}</span>
            {move || {
                let badges = row().in_flight.into_iter();
                badges
                    .map(|each| view! { <StatusBadge status=each.status count=each.count/> })
                    .collect_view()
            }}
            {move || view! { <Waiting row=row() live/> }}
            <span>{words.first_seen}" "{move || view! { <Ago at=shown.read().detail.first_seen live/> }}</span>
            <span>{words.id}" "<code>{move || row().id.0}</code></span>
        </div>
    }
}

#[component]
fn Events(shown: RwSignal<SessionView>) -> impl IntoView {
    let words = &words().session;
    view! {
        <div class="panel">
            <table class="stack events">
                <caption class="quiet">{words.events}</caption>
                <thead>
                    <tr>
                        <th scope="col">{words.when}</th>
                        <th scope="col">{words.what}</th>
                        <th scope="col">{words.facts}</th>
                    </tr>
                </thead>
                <tbody>
                    <For
                        each=move || shown.read().events.rows.clone()
                        key=|event| event.id.clone()
                        children=|event| view! { <EventLine event/> }
                    />
                </tbody>
            </table>
        </div>
    }
}

/// One event on one line.
#[component]
pub(crate) fn EventLine(event: TimelineEvent) -> impl IntoView {
    let words = words();
    let what = (words.domain.event)(&event.kind).replace('_', " ");
    let facts = event
        .facts
        .into_iter()
        .map(|fact| view! { <span class="fact">{fact.name}" "<b>{fact.value}</b></span>" " })
        .collect_view();
    view! {
        <tr id=format!("e-{}", event.id)>
            <th scope="row" class="number" data-label=words.session.when><Moment at=event.at/></th>
            <td data-label=words.session.what>{what}</td>
            <td data-label=words.session.facts>{facts}</td>
        </tr>
    }
}

fn oldest_first(newest_first: &[ConversationItem]) -> Vec<ConversationItem> {
    newest_first.iter().rev().cloned().collect()
}

fn older_address(id: &SessionId, next: &Cursor) -> String {
    let mut query = crate::view::query::Query::new();
    query.add("after", Some(next.as_str()));
    query.on(&id.address())
}

fn name(contact: &Personal) -> String {
    match contact {
        Personal::Shown(name) | Personal::Masked(name) => name.clone(),
        Personal::Pruned => words().domain.pruned.to_owned(),
    }
}
