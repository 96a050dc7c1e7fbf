//! A session's event log.

use super::sheet::lines_of;
use crate::api::{SessionPart, SessionView};
use crate::parts::{Moment, Paging, lines, still};
use crate::view::{SessionTab, TimelineEvent};
use crate::words::words;
use leptos::prelude::*;

/// The events, newest first.
#[component]
pub(super) fn Events(shown: RwSignal<SessionView>, is_first: bool) -> impl IntoView {
    let own = &words().session;
    let events = lines_of(shown, logged);
    let (id, older) = shown.with_untracked(|shown| {
        let id = shown.detail.row.id.clone();
        let next = shown.part.next();
        let older = next.map(|next| SessionTab::Events.address(&id, Some(next)));
        (id, older)
    });
    let newest = (!is_first).then(|| SessionTab::Events.address(&id, None));
    view! {
        <section aria-labelledby="events">
            <h2 id="events" class="quiet">{own.events}</h2>
            <div class="panel">
                <table class="stack events">
                    <caption class="quiet">{own.events}</caption>
                    <thead>
                        <tr>
                            <th scope="col" aria-sort="descending">{own.when}</th>
                            <th scope="col">{own.what}</th>
                            <th scope="col">{own.facts}</th>
                        </tr>
                    </thead>
                    <tbody>
                        {lines(move || events.get(), |event| event.id.clone(), |event| view! { <EventLine event/> })}
                    </tbody>
                </table>
            </div>
            {still!(view! { <Paging newest older/> })}
        </section>
    }
}

fn logged(part: &SessionPart) -> &[TimelineEvent] {
    match part {
        SessionPart::Events(page) => &page.rows,
        _ => &[],
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
            <th scope="row" class="number" data-label=words.session.when>
                <a class="here" href=format!("#e-{}", event.id)><Moment at=event.at/></a>
            </th>
            <td data-label=words.session.what>{what}</td>
            <td data-label=words.session.facts>{facts}</td>
        </tr>
    }
}
