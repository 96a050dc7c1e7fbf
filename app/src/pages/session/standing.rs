//! How a session stands: what goes on, what is held and since when, who has it; and what a person may do about it.

use super::actions::Actions;
use crate::api::SessionView;
use crate::live::Live;
use crate::pages::sessions::WindowBar;
use crate::parts::{Ago, Moment, StatusBadge, changing};
use crate::view::{At, HoldWhy, SessionRow};
use crate::words::words;
use leptos::prelude::*;

/// The panel beside every view of a session.
#[component]
pub(super) fn Standing(shown: RwSignal<SessionView>, live: Live) -> impl IntoView {
    let own = &words().session_page;
    let row = Memo::new(move |_| shown.read().detail.row.clone());
    let (id, first) =
        shown.with_untracked(|shown| (shown.detail.row.id.clone(), shown.detail.first_seen));
    view! {
        <section class="standing" aria-labelledby="standing">
            <h2 id="standing">{own.standing}</h2>
            {changing(move || row.with(|row| held(row, live)))}
            <dl class="lines">
                {changing(move || row.with(|row| going_on(row, live)))}
                <div><dt>{own.channel}</dt><dd>{changing(move || row.read().channel.name.clone())}</dd></div>
                <div><dt>{own.first_seen}</dt><dd><Ago at=first live/></dd></div>
                <div><dt>{own.id}</dt><dd><code>{id.0}</code></dd></div>
            </dl>
            <Actions shown/>
        </section>
    }
}

/// Replies are held: why, since when, and what lets them go.
fn held(row: &SessionRow, live: Live) -> impl IntoView + use<> {
    let own = &words().session_page;
    row.hold.as_ref().map(|hold| {
        let (why, since) = (hold.why, hold.since);
        view! {
            <p class="held" data-hold=hold_name(why)>
                <strong>{(words().domain.hold)(why)}</strong>
                <span>{own.since}" "<Moment at=since/>", "<Ago at=since live/></span>
                <span class="hint">{(own.ends_when)(why)}</span>
            </p>
        }
    })
}

/// What goes on, line by line; what does not is left out.
fn going_on(row: &SessionRow, live: Live) -> impl IntoView + use<> {
    let own = &words().session_page;
    let person = row.taken_over.clone().map(|taken| {
        view! { <div><dt>{own.answers}</dt><dd>{taken.by}", "{since(taken.since, live)}</dd></div> }
    });
    let window = row
        .window
        .clone()
        .map(|window| view! { <div><dt>{own.window}</dt><dd><WindowBar window live/></dd></div> });
    let turn = row.turn.map(|turn| {
        let messages = (own.messages)(turn.messages);
        view! { <div><dt>{own.turn}</dt><dd>{messages}", "{since(turn.since, live)}</dd></div> }
    });
    let lock = row.lock.clone().map(|lock| {
        view! {
            <div><dt>{own.lock}</dt><dd>
                {lock.owner.name}", "{since(lock.since, live)}
                <span class="hint">{own.lease_ends}" "<Moment at=lock.lease_ends/></span>
            </dd></div>
        }
    });
    let badges = row
        .in_flight
        .iter()
        .map(|each| view! { <StatusBadge status=each.status count=each.count/> })
        .collect_view();
    let in_flight = (!row.in_flight.is_empty())
        .then(|| view! { <div><dt>{own.in_flight}</dt><dd class="badges">{badges}</dd></div> });
    view! { {person}{window}{turn}{lock}{in_flight} }
}

fn since(at: At, live: Live) -> impl IntoView {
    view! { {words().session_page.since}" "<Moment at/>" ("<Ago at live/>")" }
}

const fn hold_name(why: HoldWhy) -> &'static str {
    match why {
        HoldWhy::NewerMessages => "newer-messages",
        HoldWhy::Locked => "locked",
        HoldWhy::TakenOver => "taken-over",
    }
}
