//! One line of the messages table. Every cell follows the row's signal, so the line itself stays.

use super::list::Again;
use crate::live::{Live, LiveRow, Rows};
use crate::parts::{Erase, Erased, PersonalText, Stamp, StatusBadge, changing};
use crate::view::{MessageFate, MessageRow};
use crate::words::words;
use leptos::prelude::*;

/// A message on one line.
#[component]
pub(super) fn MessageLine(
    row: LiveRow<MessageRow>,
    rows: Rows<Again>,
    live: Live,
) -> impl IntoView {
    let columns = &words().messages.columns;
    let flash = {
        let row = row.clone();
        move || row.flash()
    };
    let row = RwSignal::from(row.row);
    let gone = move || (!rows.fits(&row.read())).then_some("yes");
    let (id, address, received, session, channel) = row.with_untracked(|row| {
        let message = &row.message;
        (
            message.id.0.clone(),
            message.id.address(),
            message.received,
            message.session.address(),
            row.channel.name.clone(),
        )
    });
    let now = live.as_of.get_untracked();
    let decision = move || {
        row.read()
            .decision
            .map(|word| (words().domain.verdict)(word))
    };
    let time = move || {
        row.read()
            .reply_time_ms
            .map(|ms| (words().measure.seconds)(ms as i64))
    };
    view! {
        <tr id=id data-flash=flash data-gone=gone>
            <th scope="row" class="number" data-label=columns.received>
                <a href=address><Stamp at=received now/></a>
            </th>
            <td data-label=columns.contact>
                <a href=session>{changing(move || view! { <PersonalText text=row.read().contact.clone()/> })}</a>
            </td>
            <td data-label=columns.channel>{channel}</td>
            <td data-label=columns.text>
                {changing(move || view! { <PersonalText text=row.read().message.text.clone()/> })}
            </td>
            <td data-label=columns.status>{changing(move || fate(&row.read().message.fate))}</td>
            <td data-label=columns.decision>{decision}</td>
            <td class="number" data-label=columns.reply_time>{time}</td>
            <td class="number" data-label=columns.attempts>
                {changing(move || Some(row.read().attempts).filter(|attempts| *attempts > 0))}
            </td>
        </tr>
    }
}

fn fate(fate: &MessageFate) -> Erased {
    let words = &words().session;
    match fate {
        MessageFate::Waiting => words.waiting.erased(),
        MessageFate::Silent => words.no_answer.erased(),
        MessageFate::Person => words.person.erased(),
        MessageFate::Dropped { why } => (words.dropped)(why).erased(),
        MessageFate::Answered { status, .. } => {
            let status = *status;
            view! { <StatusBadge status/> }.erased()
        }
    }
}
