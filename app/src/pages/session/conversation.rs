//! A session as the customer saw it, with the replies they never saw among it; below it the field for whoever took over.

use super::actions::Write;
use super::bubble::Bubble;
use super::sheet::lines_of;
use crate::api::{SessionPart, SessionView};
use crate::parts::{Paging, changing, lines, still};
use crate::view::{ConversationItem, SessionTab};
use crate::words::words;
use leptos::prelude::*;

/// The conversation, oldest line first.
#[component]
pub(super) fn Conversation(shown: RwSignal<SessionView>, is_first: bool) -> impl IntoView {
    let own = &words().session;
    let items = lines_of(shown, said);
    let (id, older) = shown.with_untracked(|shown| {
        let id = shown.detail.row.id.clone();
        let next = shown.part.next();
        let older = next.map(|next| SessionTab::Conversation.address(&id, Some(next)));
        (id, older)
    });
    let oldest_first = move || items.get().into_iter().rev().collect();
    let on_screen = lines(
        oldest_first,
        ConversationItem::clone,
        |item| view! { <Bubble item/> },
    );
    let newest = (!is_first).then(|| SessionTab::Conversation.address(&id, None));
    view! {
        <section aria-labelledby="conversation">
            <h2 id="conversation" class="quiet">{own.conversation}</h2>
            {still!(view! { <Paging newest older/> })}
            {changing(move || items.read().is_empty().then(|| view! { <p class="empty">{own.silent}</p> }))}
            <ol class="conversation">
                {on_screen}
            </ol>
            {is_first.then(|| view! { <Write shown/> })}
        </section>
    }
}

fn said(part: &SessionPart) -> &[ConversationItem] {
    match part {
        SessionPart::Conversation(page) => &page.rows,
        _ => &[],
    }
}
