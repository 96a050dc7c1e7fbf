//! One line of the sessions table. Every cell follows the row's signal, so the line itself stays.

use super::filter::Wanted;
use crate::live::{Live, LiveRow, Rows};
use crate::parts::{Ago, PersonalText, StateBadge, StatusBadge, changing};
use crate::view::{LastLine, SessionRow, Window};
use crate::words::words;
use leptos::prelude::*;

/// A session on one line.
#[component]
pub(super) fn SessionLine(
    row: LiveRow<SessionRow>,
    rows: Rows<Wanted>,
    live: Live,
) -> impl IntoView {
    let columns = &words().sessions.columns;
    let flash = {
        let row = row.clone();
        move || row.flash()
    };
    let row = RwSignal::from(row.row);
    let gone = move || (!rows.fits(&row.read())).then_some("yes");
    let (address, id, channel) =
        row.with_untracked(|row| (row.id.address(), row.id.clone(), row.channel.name.clone()));
    view! {
        <tr id=id.0 data-flash=flash data-gone=gone>
            <th scope="row" data-label=columns.contact>
                <a href=address>{changing(move || view! { <PersonalText text=row.read().contact.clone()/> })}</a>
            </th>
            <td data-label=columns.channel>{channel}</td>
            <td data-label=columns.state>
                {changing(move || view! { <StateBadge state=row.read().state.word/> })}
            </td>
            <td data-label=columns.waiting>{changing(move || view! { <Waiting row=row.get() live/> })}</td>
            <td data-label=columns.in_flight>{changing(move || in_flight(&row.read()))}</td>
            <td data-label=columns.last_message>{changing(move || last(row.read().last_message.clone()))}</td>
            <td data-label=columns.last_reply>{changing(move || last(row.read().last_reply.clone()))}</td>
            <td class="number" data-label=columns.last_activity>
                {changing(move || view! { <Ago at=row.read().last_activity live/> })}
            </td>
        </tr>
    }
}

/// What a session waits for: its window, its hold, or a person.
#[component]
pub(super) fn Waiting(row: SessionRow, live: Live) -> impl IntoView {
    let domain = &words().domain;
    let hold = row.hold.map(|hold| {
        view! { <p class="hold">{(domain.hold)(hold.why)}" "<Ago at=hold.since live/></p> }
    });
    let person = row
        .taken_over
        .map(|by| view! { <p>{(domain.taken_over_by)(&by.by)}</p> });
    view! {
        {row.window.map(|window| view! { <WindowBar window live/> })}
        {hold}
        {person}
    }
}

/// How much of a window has passed, as a bar and in words.
#[component]
pub(crate) fn WindowBar(window: Window, live: Live) -> impl IntoView {
    let whole = window.ends.since(window.opened).max(1);
    let passed = move || live.now.get().since(window.opened).min(whole);
    let measure = &words().measure;
    let text = move || {
        let (passed, of) = ((measure.seconds)(passed()), (measure.seconds)(whole));
        (measure.window)(&passed, &of, &window.rule, window.messages)
    };
    view! {
        <progress max=whole value=passed aria-hidden="true"></progress>
        <span class="number">{text}</span>
    }
}

fn in_flight(row: &SessionRow) -> impl IntoView + use<> {
    let badges = row.in_flight.iter();
    badges
        .map(|each| view! { <StatusBadge status=each.status count=each.count/> })
        .collect_view()
}

fn last(line: Option<LastLine>) -> impl IntoView {
    line.map(|line| {
        view! {
            {line.status.map(|status| view! { <StatusBadge status/> })}
            <PersonalText text=line.text/>
        }
    })
}
