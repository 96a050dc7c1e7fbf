//! The inbox itself: reasons, the cause that explains most, and the table inside the form that acts on a selection.

use super::Filter;
use super::row::ParkedLine;
use crate::api::{ParkedAsked, ParkedView, list_parked, refresh_parked};
use crate::live::{Fetched, Following, Listing, Live, LiveRow, Row, Rows};
use crate::parts::{
    Erase, ExportLinks, LiveMark, Notice, Paging, VeilNote, Views, WaitingRows, changing, lines,
    still, zone,
};
use crate::view::{Cause, ParkedRow, ReplyId, StatusWord, Topic};
use crate::words::words;
use leptos::prelude::*;

impl Row for ParkedRow {
    fn id(&self) -> &str {
        self.reply.as_str()
    }

    fn session(&self) -> &str {
        self.session.as_str()
    }

    fn version(&self) -> u64 {
        self.version
    }
}

impl Listing for ParkedAsked {
    type Row = ParkedRow;

    fn rows(&self, ids: Vec<String>) -> Fetched<ParkedRow> {
        Box::pin(refresh_parked(ids.into_iter().map(ReplyId).collect()))
    }

    fn list(&self) -> Fetched<ParkedRow> {
        let asked = self.clone();
        Box::pin(async move { Ok(list_parked(asked).await?.inbox.page) })
    }

    fn is_first(&self) -> bool {
        self.after.is_none()
    }

    fn fits(&self, row: &ParkedRow) -> bool {
        matches!(row.status, StatusWord::Parked | StatusWord::Unknown)
    }

    fn grows(&self) -> bool {
        true
    }
}

/// Reasons, filter, table and paging.
#[component]
pub(in crate::pages) fn ParkedList(asked: ParkedAsked, view: ParkedView) -> impl IntoView {
    let own = &words().parked;
    let page = view.inbox.page;
    let (list, may_export) = (view.around.here.clone(), view.around.may_export);
    let live = Live::made(page.as_of);
    let older = page.next.as_ref().map(|next| asked.address(Some(next)));
    let newest = asked.after.is_some().then(|| asked.address(None));
    let nothing = match (&asked.after, asked.is_empty()) {
        (Some(_), _) => own.none_older,
        (None, true) => own.none_yet,
        (None, false) => own.none_match,
    };
    let rows = Rows::new(asked.clone(), live, page);
    live.follow(&Topic::Parked, move |change| rows.heard(&change));
    let caption = move || (own.caption)(rows.shown().get().len());
    let (for_reasons, for_filter) = (asked.clone(), asked.clone());
    let may_act = view.may_act;
    let some = Memo::new(move |_| !rows.shown().read().is_empty());
    let bulk = move || some.get().then(|| view! { <Bulk may_act/> }.kept());
    view! {
        <div class="heading">
            <h1 tabindex="-1">{own.title}</h1>
            <LiveMark live/>
        </div>
        {view.told.map(|told| still!(view! { <Notice told/> }))}
        {still!(view! { <Views around=view.around/> })}
        {still!(view! { <Reasons asked=for_reasons reasons=view.inbox.reasons/> })}
        {still!(view! { <Filter asked=for_filter channels=view.channels wrong=None/> })}
        {view.inbox.cause.map(|cause| still!(view! { <Explains cause/> }))}
        {view.veil.map(|veil| still!(view! { <VeilNote veil/> }))}
        <WaitingRows waiting=Signal::derive(move || rows.waiting()) show=move |()| rows.show_waiting()/>
        <form method="post" action="/parked/plan">
            <input type="hidden" name="request_id" value=view.request_id.0/>
            <Kept asked as_of=live.as_of.get_untracked().0/>
            <div class="panel">
                <table class="stack parked">
                    <caption>{caption}</caption>
                    <Columns live/>
                    <tbody>
                        {lines(move || rows.shown().get(), LiveRow::id, move |row| view! { <ParkedLine row rows live/> })}
                    </tbody>
                </table>
                {changing(move || rows.shown().read().is_empty().then(|| view! { <p class="empty">{nothing}</p> }))}
            </div>
            {bulk}
        </form>
        {still!(view! { <Paging newest older/> })}
        {still!(view! { <ExportLinks list may_export/> })}
    }
}

/// What the form needs to know of the list, so that "all that match" is what the reader saw.
#[component]
fn Kept(asked: ParkedAsked, as_of: i64) -> impl IntoView {
    let fields = [
        ("q", asked.q),
        ("why", asked.why),
        ("channel", asked.channel),
        ("age", asked.age),
        ("view", asked.view),
    ];
    let hidden = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .map(|(name, value)| view! { <input type="hidden" name=name value=value/> })
        .collect_view();
    view! {
        {hidden}
        <input type="hidden" name="as_of" value=as_of/>
    }
}

/// What may be done with a selection. It only leads to a plan: nothing is sent from here.
#[component]
fn Bulk(may_act: bool) -> impl IntoView {
    let own = &words().parked;
    let missing = (!may_act).then_some(own.may_not_bulk);
    view! {
        <div class="buttons bulk">
            <button type="submit" name="choice" value="send" disabled=!may_act data-key="r">{own.plan_selected}</button>
            <button type="submit" name="choice" value="discard" disabled=!may_act>{own.discard_selected}</button>
            <label class="check">
                <input type="checkbox" name="all" value="yes" disabled=!may_act/>
                {own.all_that_match}
            </label>
            <span class="hint">{missing.unwrap_or(own.plan_hint)}</span>
        </div>
    }
}

/// Tabs by reason, with counts.
#[component]
fn Reasons(asked: ParkedAsked, reasons: Vec<(String, u32)>) -> impl IntoView {
    let words = words();
    let all: u32 = reasons.iter().map(|(_, count)| count).sum();
    let to = |why: Option<String>| {
        let asked = ParkedAsked {
            why,
            ..asked.clone()
        };
        asked.address(None)
    };
    let tab = |word: String, why: Option<String>, count: u32| {
        let current = (asked.why == why).then_some("page");
        let address = to(why);
        view! {
            <li><a href=address aria-current=current>{word}" "<span class="number">{count}</span></a></li>
        }
    };
    let first = tab(words.parked.all.to_owned(), None, all);
    let tabs: Vec<_> = reasons
        .into_iter()
        .map(|(why, count)| tab((words.domain.parked)(&why).to_owned(), Some(why), count))
        .collect();
    view! { <nav class="tabs" aria-label=words.parked.reasons><ul>{first}{tabs}</ul></nav> }
}

#[component]
fn Explains(cause: Cause) -> impl IntoView {
    let words = words();
    let zone = zone();
    let why = (words.domain.parked)(&cause.why);
    let (from, to) = (zone.hms(cause.from), zone.hms(cause.to));
    let text = (words.parked.cause)(&cause, why, &from, &to);
    view! { <p class="notice">{text}</p> }
}

#[component]
fn Columns(live: Live) -> impl IntoView {
    let columns = &words().parked.columns;
    // Without scripts it could do nothing.
    let hidden = move || live.following.get() == Following::Still;
    view! {
        <thead>
            <tr>
                <th scope="col">
                    <span class="quiet">{columns.select}</span>
                    <input type="checkbox" aria-label=columns.select_all hidden=hidden
                        on:change=move |event| crate::live::tick_all(event_target_checked(&event))/>
                </th>
                <th scope="col">{columns.text}</th>
                <th scope="col">{columns.contact}</th>
                <th scope="col">{columns.channel}</th>
                <th scope="col">{columns.why}</th>
                <th scope="col" class="number">{columns.attempts}</th>
                <th scope="col" aria-sort="descending">{columns.since}</th>
                <th scope="col">{columns.meanwhile}</th>
                <th scope="col">{columns.act}</th>
            </tr>
        </thead>
    }
}
