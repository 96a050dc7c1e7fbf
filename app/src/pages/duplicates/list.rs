//! The list itself: complete as the server made it, then kept up to date.

use super::filter::Filter;
use super::row::DuplicateLine;
use super::unknown::Unknown;
use crate::api::{DuplicatesAsked, DuplicatesView, again_duplicates, refresh_duplicates};
use crate::live::{Fetched, Listing, Live, LiveRow, Row, Rows};
use crate::parts::{
    ExportLinks, LiveMark, Notice, Paging, VeilNote, Views, WaitingRows, changing, lines, still,
    zone,
};
use crate::view::{At, DuplicateFilter, DuplicateRow, GuardFigures, Topic};
use crate::words::words;
use leptos::prelude::*;

impl Row for DuplicateRow {
    fn id(&self) -> &str {
        &self.id
    }

    fn session(&self) -> &'static str {
        ""
    }

    /// Only a verdict changes a record, and a later one takes an earlier one's place.
    fn version(&self) -> u64 {
        let judged = self.verdict.as_ref();
        judged.map_or(0, |verdict| verdict.at.0.max(0).unsigned_abs())
    }
}

/// How the rows of this list are read again.
#[derive(Clone)]
pub(super) struct Again {
    asked: DuplicatesAsked,
    filter: DuplicateFilter,
}

impl Listing for Again {
    type Row = DuplicateRow;

    fn rows(&self, ids: Vec<String>) -> Fetched<DuplicateRow> {
        Box::pin(refresh_duplicates(ids))
    }

    fn list(&self) -> Fetched<DuplicateRow> {
        Box::pin(again_duplicates(self.asked.clone()))
    }

    fn is_first(&self) -> bool {
        self.asked.is_open(&self.filter)
    }

    fn fits(&self, row: &DuplicateRow) -> bool {
        let verdict = row.verdict.as_ref().map(|verdict| verdict.word);
        self.filter.takes(verdict)
    }

    fn grows(&self) -> bool {
        false
    }
}

/// How the guard does, what nobody knows, filter, table and paging.
#[component]
pub(in crate::pages) fn DuplicateList(
    asked: DuplicatesAsked,
    view: DuplicatesView,
) -> impl IntoView {
    let own = &words().duplicates;
    let (list, may_export) = (view.around.here.clone(), view.around.may_export);
    let live = Live::made(view.page.as_of);
    let now = view.page.as_of;
    let older = view
        .page
        .next
        .as_ref()
        .map(|next| asked.address(Some(next)));
    let newest = asked.after.is_some().then(|| asked.address(None));
    let nothing = match (&asked.after, asked.is_empty()) {
        (Some(_), _) => own.none_older,
        (None, true) => own.none_yet,
        (None, false) => own.none_match,
    };
    let range = range(&view.filter, now);
    let again = Again {
        asked: asked.clone(),
        filter: view.filter,
    };
    let rows = Rows::new(again, live, view.page);
    live.follow(&Topic::Duplicates, move |change| rows.heard(&change));
    let caption = move || (own.caption)(rows.shown().get().len(), rows.total());
    view! {
        <div class="heading">
            <h1 tabindex="-1">{own.title}</h1>
            <LiveMark live/>
        </div>
        {view.told.map(|told| still!(view! { <Notice told/> }))}
        {view.figures.map(|figures| still!(view! { <p class="guard">{told(&figures, now)}</p> }))}
        {(!view.unknown.is_empty()).then(|| still!(view! {
            <Unknown calls=view.unknown now may_settle=view.may_settle request_id=view.request_id/>
        }))}
        {still!(view! { <Views around=view.around/> })}
        {still!(view! { <Filter asked channels=view.channels tools=view.tools wrong=None/> })}
        {range.map(|text| view! { <p class="hint">{text}</p> })}
        {view.veil.map(|veil| still!(view! { <VeilNote veil/> }))}
        <WaitingRows waiting=Signal::derive(move || rows.waiting()) show=move |()| rows.show_waiting()/>
        <div class="panel">
            <table class="stack duplicates">
                <caption>{caption}</caption>
                {still!(view! { <Columns/> })}
                <tbody>
                    {lines(move || rows.shown().get(), LiveRow::id, move |row| view! { <DuplicateLine row rows live/> })}
                </tbody>
            </table>
            {changing(move || rows.shown().read().is_empty().then(|| view! { <p class="empty">{nothing}</p> }))}
        </div>
        {still!(view! { <Paging newest older/> })}
        {still!(view! { <p class="hint"><a href="/built-in">{own.built_in}</a></p> })}
        {still!(view! { <ExportLinks list may_export/> })}
    }
}

#[component]
fn Columns() -> impl IntoView {
    let columns = &words().duplicates.columns;
    view! {
        <thead>
            <tr>
                <th scope="col" aria-sort="descending">{columns.at}</th>
                <th scope="col">{columns.what}</th>
                <th scope="col">{columns.channel}</th>
                <th scope="col">{columns.contact}</th>
                <th scope="col">{columns.first}</th>
                <th scope="col">{columns.compared}</th>
                <th scope="col">{columns.differs}</th>
                <th scope="col">{columns.note}</th>
                <th scope="col">{columns.verdict}</th>
            </tr>
        </thead>
    }
}

fn told(figures: &GuardFigures, now: At) -> String {
    let words = words();
    let ago = |at: At| (words.measure.ago)(now.since(at));
    let last = figures.last.map(ago);
    (words.duplicates.figures)(figures, last.as_deref())
}

/// The range of time in absolute terms, as it was resolved.
fn range(filter: &DuplicateFilter, now: At) -> Option<String> {
    let zone = zone();
    if filter.from.is_none() && filter.to.is_none() {
        return None;
    }
    let from = filter.from.map(|at| zone.long(at));
    let to = zone.long(filter.to.unwrap_or(now));
    Some((words().filter.range)(from.as_deref(), &to))
}
