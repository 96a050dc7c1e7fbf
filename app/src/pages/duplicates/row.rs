//! One line of the list. Only its verdict follows the row's signal: nothing else of a record ever changes.

use super::list::Again;
use crate::live::{Live, LiveRow, Rows};
use crate::parts::{Erase, Erased, PersonalText, Stamp, changing};
use crate::view::{DifferenceWord, DuplicateVerdict, duplicate_address};
use crate::words::words;
use leptos::prelude::*;

/// A call that was held back, on one line.
#[component]
pub(super) fn DuplicateLine(
    row: LiveRow<crate::view::DuplicateRow>,
    rows: Rows<Again>,
    live: Live,
) -> impl IntoView {
    let own = &words().duplicates;
    let columns = &own.columns;
    let flash = {
        let row = row.clone();
        move || row.flash()
    };
    let row = RwSignal::from(row.row);
    let gone = move || (!rows.fits(&row.read())).then_some("yes");
    let now = live.as_of.get_untracked();
    let record = row.get_untracked();
    let address = duplicate_address(&record.id);
    let calls = format!("{address}#calls");
    let contact = match record.session {
        Some(session) => {
            view! { <a href=session.address()><PersonalText text=record.contact/></a> }.erased()
        }
        None => view! { <PersonalText text=record.contact/> }.erased(),
    };
    view! {
        <tr id=record.id data-flash=flash data-gone=gone>
            <th scope="row" class="number" data-label=columns.at>
                <a href=address><Stamp at=record.at now/></a>
            </th>
            <td data-label=columns.what>
                <code>{record.tool}</code>" "<PersonalText text=record.what/>
            </td>
            <td data-label=columns.channel>{record.channel.name}</td>
            <td data-label=columns.contact>{contact}</td>
            <td data-label=columns.first>
                <a href=calls>{(own.avoided)(&record.avoided, record.age_ms)}</a>
            </td>
            <td data-label=columns.compared>{record.compared.join(" + ")}</td>
            <td data-label=columns.differs>{differences(record.differs)}</td>
            <td data-label=columns.note><span class="told">{record.note}</span></td>
            <td data-label=columns.verdict>{changing(move || verdict(row.read().verdict.as_ref()))}</td>
        </tr>
    }
}

fn differences(differs: Vec<(DifferenceWord, String)>) -> Erased {
    let own = &words().duplicates;
    if differs.is_empty() {
        return view! { <span class="hint">{own.alike}</span> }.erased();
    }
    let each = differs.into_iter().map(|(how, path)| {
        view! { <li>{(own.difference_of)(how)}" "<code>{path}</code></li> }
    });
    view! { <ul class="differs">{each.collect_view()}</ul> }.erased()
}

fn verdict(verdict: Option<&DuplicateVerdict>) -> Erased {
    let own = &words().duplicates;
    match verdict {
        Some(verdict) => {
            let (word, by) = (verdict.word, verdict.by.clone());
            view! {
                <span class="state" data-opinion=word.stored()>{(own.opinion_of)(word)}</span>" "{by}
            }
            .erased()
        }
        None => view! { <span class="hint">{own.unjudged}</span> }.erased(),
    }
}
