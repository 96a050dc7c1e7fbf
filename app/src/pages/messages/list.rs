//! The list itself: complete as the server made it, then kept up to date.

use super::filter::Filter;
use super::row::MessageLine;
use crate::api::{MessagesAsked, MessagesView, list_messages, refresh_messages};
use crate::live::{Fetched, Listing, Live, LiveRow, Row, Rows};
use crate::parts::{
    ExportLinks, LiveMark, Paging, VeilNote, Views, WaitingRows, changing, lines, still, zone,
};
use crate::view::{At, MessageFate, MessageFilter, MessageId, MessageRow, Page, PageQuery, Topic};
use crate::words::words;
use leptos::prelude::*;

impl Row for MessageRow {
    fn id(&self) -> &str {
        self.message.id.as_str()
    }

    fn session(&self) -> &str {
        self.message.session.as_str()
    }

    fn version(&self) -> u64 {
        self.version
    }
}

/// How the rows of this list are read again.
#[derive(Clone)]
pub(super) struct Again {
    asked: MessagesAsked,
    filter: MessageFilter,
}

impl Listing for Again {
    type Row = MessageRow;

    fn rows(&self, ids: Vec<String>) -> Fetched<MessageRow> {
        Box::pin(refresh_messages(ids.into_iter().map(MessageId).collect()))
    }

    fn list(&self) -> Fetched<MessageRow> {
        let asked = self.asked.clone();
        Box::pin(async move { Ok(list_messages(asked).await?.page) })
    }

    fn is_first(&self) -> bool {
        self.asked.is_open()
    }

    fn fits(&self, row: &MessageRow) -> bool {
        let status = match row.message.fate {
            MessageFate::Answered { status, .. } => Some(status),
            _ => None,
        };
        self.filter
            .status
            .is_none_or(|wanted| status == Some(wanted))
    }

    fn grows(&self) -> bool {
        true
    }
}

/// Filter, table and paging.
#[component]
pub(in crate::pages) fn MessageList(asked: MessagesAsked, view: MessagesView) -> impl IntoView {
    let words = &words().messages;
    let (list, may_export) = (view.around.here.clone(), view.around.may_export);
    let live = Live::made(view.page.as_of);
    let older = view
        .page
        .next
        .as_ref()
        .map(|next| asked.address(Some(next)));
    let newest = asked.after.is_some().then(|| asked.address(None));
    let nothing = match (&asked.after, asked.is_empty()) {
        (Some(_), _) => words.none_older,
        (None, true) => words.none_yet,
        (None, false) => words.none_match,
    };
    let range = range(&view.filter, view.page.as_of);
    let searched = searched(&view.page);
    let again = Again {
        asked: asked.clone(),
        filter: view.filter,
    };
    let rows = Rows::new(again, live, view.page);
    live.follow(&Topic::Sessions, move |change| rows.heard(&change));
    let caption = move || (words.caption)(rows.shown().get().len(), rows.total());
    view! {
        <div class="heading">
            <h1 tabindex="-1">{words.title}</h1>
            <LiveMark live/>
        </div>
        {still!(view! { <Views around=view.around/> })}
        {still!(view! { <Filter asked channels=view.channels/> })}
        {range.map(|text| view! { <p class="hint">{text}</p> })}
        {view.veil.map(|veil| still!(view! { <VeilNote veil/> }))}
        <WaitingRows waiting=Signal::derive(move || rows.waiting()) show=move |()| rows.show_waiting()/>
        <div class="panel">
            <table class="stack messages">
                <caption>{caption}</caption>
                {still!(view! { <Columns/> })}
                <tbody>
                    {lines(move || rows.shown().get(), LiveRow::id, move |row| view! { <MessageLine row rows live/> })}
                </tbody>
            </table>
            {changing(move || rows.shown().read().is_empty().then(|| view! { <p class="empty">{nothing}</p> }))}
        </div>
        {searched.map(|text| view! { <p class="hint">{text}</p> })}
        {still!(view! { <Paging newest older/> })}
        {still!(view! { <ExportLinks list may_export/> })}
    }
}

#[component]
fn Columns() -> impl IntoView {
    let columns = &words().messages.columns;
    view! {
        <thead>
            <tr>
                <th scope="col" aria-sort="descending">{columns.received}</th>
                <th scope="col">{columns.contact}</th>
                <th scope="col">{columns.channel}</th>
                <th scope="col">{columns.text}</th>
                <th scope="col">{columns.status}</th>
                <th scope="col">{columns.decision}</th>
                <th scope="col" class="number">{columns.reply_time}</th>
                <th scope="col" class="number">{columns.attempts}</th>
            </tr>
        </thead>
    }
}

/// How far back a stretch reached that ended before it was full.
fn searched(page: &Page<MessageRow>) -> Option<String> {
    let is_full = page.rows.len() >= usize::from(PageQuery::first().limit);
    let at = page.next.as_ref().filter(|_| !is_full)?.at()?;
    Some((words().messages.searched_to)(&zone().long(at)))
}

/// The range of time in absolute terms, as it was resolved.
fn range(filter: &MessageFilter, now: At) -> Option<String> {
    let zone = zone();
    let told = |at: Option<At>| at.map(|at| zone.long(at));
    if filter.from.is_none() && filter.to.is_none() {
        return None;
    }
    let (from, to) = (told(filter.from), told(filter.to.or(Some(now))));
    Some((words().filter.range)(
        from.as_deref(),
        &to.unwrap_or_default(),
    ))
}
