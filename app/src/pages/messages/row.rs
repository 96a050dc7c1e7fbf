//! One line of the messages table. Every cell follows the row's signal, so the line itself stays.

use super::list::Again;
use crate::live::{Live, LiveRow, Rows};
use crate::parts::{PersonalText, Stamp, StatusBadge};
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
                <a href=address rel="external"><Stamp at=received now/></a>
            </th>
            <td data-label=columns.contact>
                <a href=session>{move || view! { <PersonalText text=row.read().contact.clone()/> }}</a>
            </td>
            <td data-label=columns.channel>{channel}</td>
            <td data-label=columns.text>
                {move || view! { <PersonalText text=row.read().message.text.clone()/> }}
            </td>
            <td data-label=columns.status>{move || fate(&row.read().message.fate)}</td>
            <td data-label=columns.decision>{decision}</td>
            <td class="number" data-label=columns.reply_time>{time}</td>
            <td class="number" data-label=columns.attempts>
                {move || Some(row.read().attempts).filter(|attempts| *attempts > 0)}
            </td>
        </tr>
    }
}

fn fate(fate: &MessageFate) -> AnyView {
    let words = &words().session;
    match fate {
        MessageFate::Waiting => words.waiting.into_any(),
        MessageFate::Silent => words.no_answer.into_any(),
        MessageFate::Person => words.person.into_any(),
        MessageFate::Dropped { why } => (words.dropped)(why).into_any(),
        MessageFate::Answered { status, .. } => {
            let status = *status;
            view! { <StatusBadge status/> }.into_any()
        }
    }
}
