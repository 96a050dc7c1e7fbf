//! One line of the inbox. Every cell follows the row's signal, so the line itself stays.

use crate::api::ParkedAsked;
use crate::live::{Live, LiveRow, Rows};
use crate::parts::{Ago, Erase, Erased, PersonalText, StatusBadge, changing};
use crate::view::{ParkedRow, StatusWord};
use crate::words::words;
use leptos::prelude::*;

/// A waiting reply on one line.
#[component]
pub(super) fn ParkedLine(
    row: LiveRow<ParkedRow>,
    rows: Rows<ParkedAsked>,
    live: Live,
) -> impl IntoView {
    let (own, columns) = (&words().parked, &words().parked.columns);
    let flash = {
        let row = row.clone();
        move || row.flash()
    };
    let row = RwSignal::from(row.row);
    let waits = move || rows.fits(&row.read());
    let gone = move || (!waits()).then_some("yes");
    let (id, decide, session, channel) = row.with_untracked(|row| {
        (
            row.reply.0.clone(),
            row.reply.decide_address(),
            row.reply.address_in(&row.session),
            row.channel.name.clone(),
        )
    });
    let pick = move || row.with(|row| format!("{}:{}", row.reply, row.generation));
    let name = {
        let id = id.clone();
        move || (own.pick)(&id)
    };
    let read = decide.clone();
    view! {
        <tr id=id data-flash=flash data-gone=gone>
            <td class="pick">
                <input type="checkbox" name="pick" value=pick aria-label=name disabled=move || !waits()/>
            </td>
            <th scope="row" data-label=columns.text>
                <a href=read>
                    {changing(move || view! { <PersonalText text=row.read().text.clone()/> })}
                </a>
            </th>
            <td data-label=columns.contact>
                <a href=session>{changing(move || view! { <PersonalText text=row.read().contact.clone()/> })}</a>
            </td>
            <td data-label=columns.channel>{channel}</td>
            <td data-label=columns.why>{changing(move || why(&row.read()))}</td>
            <td class="number" data-label=columns.attempts>{changing(move || row.read().attempts)}</td>
            <td class="number" data-label=columns.since>
                {changing(move || view! { <Ago at=row.read().since live/> })}
            </td>
            <td data-label=columns.meanwhile>
                {changing(move || (own.meanwhile)(&row.read().meanwhile))}
                {changing(move || {
                    let returns = row.read().returns;
                    (returns > 0).then(|| view! { <p class="hint">{(own.returns)(returns)}</p> })
                })}
            </td>
            <td data-label=columns.act>
                <a class="button" href=decide data-key="r">{own.decide}</a>
            </td>
        </tr>
    }
}

/// Why it waits; of one that no longer does, what became of it.
fn why(row: &ParkedRow) -> Erased {
    let words = words();
    let status = row.status;
    if status != StatusWord::Parked {
        return view! { <StatusBadge status/> }.erased();
    }
    let code = row.code.clone();
    view! {
        {(words.domain.parked)(&row.why).to_owned()}
        {code.map(|code| view! { " "<code>{code}</code> })}
    }
    .erased()
}
