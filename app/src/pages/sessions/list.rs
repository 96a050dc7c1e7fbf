//! The list itself: complete as the server made it, then kept up to date.

use super::filter::{Filter, Wanted};
use super::row::SessionLine;
use crate::api::SessionsView;
use crate::live::{Live, LiveRow, Rows};
use crate::parts::{
    Erase, ExportLinks, LiveMark, VeilNote, Views, WaitingRows, changing, lines, still,
};
use crate::view::{SessionFilter, Topic};
use crate::words::words;
use leptos::prelude::*;

/// Filter, table and paging.
#[component]
pub(in crate::pages) fn SessionList(wanted: Wanted, view: SessionsView) -> impl IntoView {
    let words = &words().sessions;
    let (list, may_export) = (view.around.here.clone(), view.around.may_export);
    let live = Live::made(view.page.as_of);
    let older = view
        .page
        .next
        .as_ref()
        .map(|next| wanted.filter.address(Some(next)));
    let newest = wanted.after.is_some().then(|| wanted.filter.address(None));
    let (nothing, chat) = (nothing(&wanted), view.chat);
    let filter = wanted.filter.clone();
    let rows = Rows::new(wanted, live, view.page);
    live.follow(&Topic::Sessions, move |change| rows.heard(&change));
    let caption = move || (words.caption)(rows.shown().get().len(), rows.total());
    view! {
        <div class="heading">
            <h1 tabindex="-1">{words.title}</h1>
            <LiveMark live/>
        </div>
        {still!(view! { <Views around=view.around/> })}
        {still!(view! { <Filter filter channels=view.channels/> })}
        {view.veil.map(|veil| still!(view! { <VeilNote veil/> }))}
        <WaitingRows waiting=Signal::derive(move || rows.waiting()) show=move |()| rows.show_waiting()/>
        <div class="panel">
            <table class="stack">
                <caption>{caption}</caption>
                {still!(view! { <Columns/> })}
                <tbody>
                    {lines(move || rows.shown().get(), LiveRow::id, move |row| view! { <SessionLine row rows live/> })}
                </tbody>
            </table>
            {changing(move || rows.shown().read().is_empty().then(|| view! {
                <p class="empty">
                    {nothing}
                    {chat.clone().map(|page| view! { " "<a href=page>{words.to_chat}</a> })}
                </p>
            }.kept()))}
        </div>
        {still!(view! {
        <nav class="paging" aria-label=words.title>
            {newest.map(|address| view! { <a href=address data-key="[">{words.newest}</a> })}
            {older.map(|address| view! { <a href=address rel="next" data-key="]">{words.older}</a> })}
        </nav>
        })}
        {still!(view! { <ExportLinks list may_export/> })}
    }
}

#[component]
fn Columns() -> impl IntoView {
    let columns = &words().sessions.columns;
    view! {
        <thead>
            <tr>
                <th scope="col">{columns.contact}</th>
                <th scope="col">{columns.channel}</th>
                <th scope="col">{columns.state}</th>
                <th scope="col">{columns.waiting}</th>
                <th scope="col">{columns.in_flight}</th>
                <th scope="col">{columns.last_message}</th>
                <th scope="col">{columns.last_reply}</th>
                <th scope="col" aria-sort="descending">{columns.last_activity}</th>
            </tr>
        </thead>
    }
}

/// Why a list is empty: three reasons, never mixed.
fn nothing(wanted: &Wanted) -> &'static str {
    let words = &words().sessions;
    if wanted.after.is_some() {
        return words.none_older;
    }
    if wanted.filter == SessionFilter::default() {
        words.none_yet
    } else {
        words.none_match
    }
}
