//! A session on screen: its head, the three ways to look at it, and beside them how it stands. Kept up to date.

use super::conversation::Conversation;
use super::events::Events;
use super::standing::Standing;
use super::timeline::Timeline;
use crate::api::{SaidTerms, SessionAsked, SessionPart, SessionView, open_session};
use crate::live::{Live, follow_whole};
use crate::parts::{Erase, LiveMark, Notice, StateBadge, VeilNote, changing, still};
use crate::view::{Change, Personal, SessionTab, Topic};
use crate::words::words;
use leptos::prelude::*;

/// The page of one session.
#[component]
pub(in crate::pages) fn SessionSheet(asked: SessionAsked, view: SessionView) -> impl IntoView {
    let live = Live::made(view.detail.as_of);
    let (told, veil) = (view.told.clone(), view.veil.clone());
    let tab = view.part.tab();
    let is_first = asked.after.is_none();
    let shown = RwSignal::new(view);
    follow(asked, shown, live);
    view! {
        <Head shown live/>
        {told.map(|told| still!(view! { <Notice told/> }))}
        {veil.map(|veil| still!(view! { <VeilNote veil/> }))}
        {still!(view! { <Tabs shown tab/> })}
        <div class="columns session">
            {match tab {
                SessionTab::Conversation => view! { <Conversation shown is_first/> }.erased(),
                SessionTab::Timeline => view! { <Timeline shown/> }.erased(),
                SessionTab::Events => view! { <Events shown is_first/> }.erased(),
            }}
            <Standing shown live/>
        </div>
    }
}

/// Reads the session again when it changes. What a form came to is told once.
fn follow(asked: SessionAsked, shown: RwSignal<SessionView>, live: Live) {
    let topic = Topic::Session(asked.id.clone());
    let again = SessionAsked {
        said: SaidTerms::default(),
        ..asked
    };
    follow_whole(
        live,
        &topic,
        shown,
        |change, shown: &SessionView| match change {
            Change::Session { version, .. } => *version > shown.detail.row.version,
            _ => true,
        },
        move || Box::pin(open_session(again.clone())),
        |view| view.detail.as_of,
    );
}

#[component]
fn Head(shown: RwSignal<SessionView>, live: Live) -> impl IntoView {
    let own = &words().session;
    let title = move || (own.title)(&name(&shown.read().detail.row.contact));
    crate::parts::title(move || words().titled(&title()));
    let state = Memo::new(move |_| shown.read().detail.row.state.word);
    view! {
        <div class="heading">
            <h1 tabindex="-1">{title}</h1>
            {changing(move || view! { <StateBadge state=state.get()/> })}
            <LiveMark live/>
        </div>
    }
}

/// The three ways, each an address and a key.
#[component]
fn Tabs(shown: RwSignal<SessionView>, tab: SessionTab) -> impl IntoView {
    let own = &words().session_page;
    let id = shown.with_untracked(|shown| shown.detail.row.id.clone());
    let links = SessionTab::ALL
        .iter()
        .copied()
        .zip(["1", "2", "3"])
        .map(|(each, key)| {
            let current = (each == tab).then_some("page");
            view! {
                <li><a href=each.address(&id, None) aria-current=current data-key=key>{(own.tab)(each)}</a></li>
            }
        })
        .collect_view();
    view! { <nav class="tabs" aria-label=own.tabs><ul>{links}</ul></nav> }
}

/// The lines of what is looked at, where `part` finds them.
pub(super) fn lines_of<T: Clone + PartialEq + Send + Sync + 'static>(
    shown: RwSignal<SessionView>,
    part: fn(&SessionPart) -> &[T],
) -> Memo<Vec<T>> {
    Memo::new(move |_| shown.with(|shown| part(&shown.part).to_vec()))
}

fn name(contact: &Personal) -> String {
    match contact {
        Personal::Shown(name) | Personal::Masked(name) => name.clone(),
        Personal::Pruned => words().domain.pruned.to_owned(),
    }
}
