//! An operation on screen, kept up to date: it is read again as a whole, one reading at a time.

use super::steering::Steering;
use crate::api::{OperationAsked, OperationView, SaidTerms, open_operation};
use crate::live::{Live, follow_whole};
use crate::parts::{ExportLinks, LiveMark, Notice, Paging, Stamp, changing, lines, still};
use crate::view::{Change, ItemWord, OperationItem, OperationRow, Topic};
use crate::words::words;
use leptos::prelude::*;

/// Head, plan or progress, and the replies.
#[component]
pub(in crate::pages) fn OperationSheet(
    asked: OperationAsked,
    view: OperationView,
) -> impl IntoView {
    let own = &words().operation;
    let as_of = view.detail.items.as_of;
    let live = Live::made(as_of);
    let told = view.told.clone();
    let (list, may_export) = (asked.outcomes(), view.may_export);
    let shown = RwSignal::new(view);
    let again = OperationAsked {
        said: SaidTerms::default(),
        ..asked.clone()
    };
    follow_whole(
        live,
        &Topic::Operation(asked.id.clone()),
        shown,
        move |change, shown: &OperationView| match change {
            Change::Operation { version, .. } => *version > shown.detail.row.version,
            _ => true,
        },
        move || Box::pin(open_operation(again.clone())),
        |view| view.detail.items.as_of,
    );
    let row = Memo::new(move |_| shown.read().detail.row.clone());
    let title = move || row.with(own.title);
    crate::parts::title(move || words().titled(&title()));
    view! {
        <div class="heading">
            <h1 tabindex="-1">{title}</h1>
            <LiveMark live/>
        </div>
        {told.map(|told| still!(view! { <Notice told/> }))}
        <Head row/>
        {move || shown.read().detail.behind.clone().map(|id| view! {
            <p class="notice">{own.behind}" "<a href=id.address()><code>{id.0.clone()}</code></a></p>
        })}
        <Steering shown/>
        <Outcomes asked=asked.clone() row/>
        <Items shown/>
        {move || {
            let shown = shown.read();
            let next = shown.detail.items.next.as_ref();
            let outcome = asked.outcome.as_deref().and_then(ItemWord::from_stored);
            let older = next.map(|next| asked.address(outcome, Some(next)));
            let newest = asked.after.is_some().then(|| asked.address(outcome, None));
            view! { <Paging newest older/> }
        }}
        {still!(view! { <ExportLinks list may_export/> })}
    }
}

#[component]
fn Head(row: Memo<OperationRow>) -> impl IntoView {
    let own = &words().operation;
    let done = move || row.with(|row| row.total() - row.count(ItemWord::Ready));
    let total = move || row.with(|row| row.total().max(1));
    view! {
        <dl class="facts">
            <div><dt>{own.state}</dt><dd>
                {changing(move || row.with(|row| view! {
                    <span class="state" data-operation=row.state.stored()>{(own.state_of)(row.state)}</span>
                }))}
            </dd></div>
            <div><dt>{own.by}</dt><dd>{changing(move || row.with(|row| row.by.clone()))}</dd></div>
            <div><dt>{own.planned}</dt><dd>{changing(move || row.with(|row| view! {
                <Stamp at=row.planned now=row.ended.unwrap_or(row.planned)/>
            }))}</dd></div>
            {changing(move || row.with(|row| row.started.map(|at| view! {
                <div><dt>{own.started}</dt><dd><Stamp at now=at/></dd></div>
            })))}
            {changing(move || row.with(|row| row.ended.map(|at| view! {
                <div><dt>{own.ended}</dt><dd><Stamp at now=at/></dd></div>
            })))}
            {changing(move || row.with(|row| row.reason.clone().map(|reason| view! {
                <div><dt>{own.reason}</dt><dd dir="auto">{reason}</dd></div>
            })))}
            <div><dt>{own.pace}</dt><dd>{changing(move || row.with(|row| (own.pace_of)(row.pace)))}</dd></div>
        </dl>
        <p class="progress">
            <progress max=total value=done aria-labelledby="progress"></progress>
            <span id="progress">{changing(move || row.with(own.progress))}</span>
        </p>
    }
}

/// Counts by outcome; each leads to its replies.
#[component]
fn Outcomes(asked: OperationAsked, row: Memo<OperationRow>) -> impl IntoView {
    let own = &words().operation;
    let chosen = asked.outcome.clone();
    let tabs = move || {
        let tab = |outcome: Option<ItemWord>, word: &'static str, count: u32| {
            let is_here = chosen.as_deref() == outcome.map(ItemWord::stored);
            let current = is_here.then_some("page");
            let address = asked.address(outcome, None);
            view! {
                <li><a href=address aria-current=current>{word}" "<span class="number">{count}</span></a></li>
            }
        };
        row.with(|row| {
            let all = tab(None, own.all, row.total());
            let each: Vec<_> = row
                .counts
                .iter()
                .map(|(word, count)| tab(Some(*word), (own.outcome_of)(*word), *count))
                .collect();
            view! { {all}{each} }
        })
    };
    view! { <nav class="tabs" aria-label=own.outcomes><ul>{tabs}</ul></nav> }
}

#[component]
fn Items(shown: RwSignal<OperationView>) -> impl IntoView {
    let own = &words().operation;
    let columns = &own.columns;
    let empty = move || shown.read().detail.items.rows.is_empty();
    view! {
        <div class="panel">
            <table class="stack">
                <caption class="quiet">{own.replies}</caption>
                <thead>
                    <tr>
                        <th scope="col">{columns.reply}</th>
                        <th scope="col">{columns.channel}</th>
                        <th scope="col">{columns.outcome}</th>
                        <th scope="col">{columns.why}</th>
                        <th scope="col">{columns.at}</th>
                    </tr>
                </thead>
                <tbody>
                    {lines(
                        move || shown.read().detail.items.rows.clone(),
                        |item| (item.place, item.state, item.at),
                        |item| view! { <ItemLine item/> },
                    )}
                </tbody>
            </table>
            {changing(move || empty().then(|| view! { <p class="empty">{own.none}</p> }))}
        </div>
    }
}

#[component]
fn ItemLine(item: OperationItem) -> impl IntoView {
    let own = &words().operation;
    let columns = &own.columns;
    let address = item.reply.address_in(&item.session);
    let why = item.why.as_deref().map(own.why_of);
    let at = item.at;
    view! {
        <tr>
            <th scope="row" data-label=columns.reply><a href=address><code>{item.reply.0}</code></a></th>
            <td data-label=columns.channel>{item.channel.name}</td>
            <td data-label=columns.outcome>
                <span class="state" data-outcome=item.state.stored()>{(own.outcome_of)(item.state)}</span>
            </td>
            <td data-label=columns.why>{why}</td>
            <td class="number" data-label=columns.at><Stamp at now=at/></td>
        </tr>
    }
}
