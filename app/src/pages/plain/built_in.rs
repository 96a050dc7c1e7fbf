//! `/built-in`: what agents' calls put into the built-in calendar and mailbox.

use crate::api::veil;
use crate::parts::{Heading, Options, Paging, PersonalText, Stamp, Trouble, VeilNote};
use crate::plain::Asked;
use crate::view::{
    At, BuiltIn, BuiltInAsked, Channel, ConsoleError, Cursor, EventRow, MailRow, Page, Personal,
    SessionId, Veil, Veiled, VeiledList,
};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    let wanted = BuiltInAsked {
        channel: asked.term("channel"),
        contact: asked.term("contact"),
        events: asked.term("events").map(Cursor),
        mails: asked.term("mails").map(Cursor),
    };
    match read(&asked, wanted.clone()).await {
        Ok((lists, channels, veil)) => view! { <Sheet wanted lists channels veil/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn read(
    asked: &Asked,
    wanted: BuiltInAsked,
) -> Result<(BuiltIn, Vec<Channel>, Option<Veil>), ConsoleError> {
    let (console, caller) = asked.inside()?;
    let over = Veiled::List(VeiledList::BuiltIn);
    let veil = veil(&*console, &caller, &over, wanted.address()).await?;
    let lists = console.built_in(&caller, wanted).await?;
    Ok((lists, console.channels(&caller).await?, veil))
}

#[component]
fn Sheet(
    wanted: BuiltInAsked,
    lists: BuiltIn,
    channels: Vec<Channel>,
    veil: Option<Veil>,
) -> impl IntoView {
    let own = &words().built_in;
    let now = lists.events.as_of;
    view! {
        <Heading title=own.title at=now/>
        <p class="hint">{own.hint}</p>
        <Filter wanted=wanted.clone() channels/>
        {veil.map(|veil| view! { <VeilNote veil/> })}
        <Events wanted=wanted.clone() page=lists.events/>
        <Mails wanted page=lists.mails/>
    }
}

#[component]
fn Filter(wanted: BuiltInAsked, channels: Vec<Channel>) -> impl IntoView {
    let (filter, own) = (&words().filter, &words().built_in);
    let clear = !wanted.is_empty();
    let known = channels
        .into_iter()
        .map(|known| (known.channel.id.0, known.channel.name))
        .collect();
    view! {
        <form class="filter" method="get" action="/built-in" role="search" aria-label=filter.name>
            <Options label=own.channel name="channel" options=known chosen=wanted.channel/>
            <label>{own.contact}<input type="search" name="contact" value=wanted.contact data-key="/"/></label>
            <button type="submit">{filter.apply}</button>
            {clear.then(|| view! { <a href="/built-in">{filter.clear}</a> })}
        </form>
    }
}

/// The table of one area, and why it has no line.
#[component]
fn List(
    title: &'static str,
    nothing: Option<&'static str>,
    head: AnyView,
    lines: AnyView,
) -> impl IntoView {
    view! {
        <div class="panel">
            <table class="stack">
                <caption class="quiet">{title}</caption>
                <thead>
                    <tr>{head}</tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
            {nothing.map(|text| view! { <p class="empty">{text}</p> })}
        </div>
    }
}

#[component]
fn Events(wanted: BuiltInAsked, page: Page<EventRow>) -> impl IntoView {
    let own = &words().built_in;
    let now = page.as_of;
    let at = |events: Option<Cursor>| {
        let wanted = wanted.clone();
        BuiltInAsked { events, ..wanted }.address()
    };
    let first = wanted.events.is_some().then(|| at(None));
    let further = page.next.map(|next| at(Some(next)));
    let nothing = page
        .rows
        .is_empty()
        .then(|| nothing(&wanted, wanted.events.is_some(), own.no_event));
    let lines = page
        .rows
        .into_iter()
        .map(|row| view! { <Event row now/> })
        .collect_view();
    let head = view! {
        <th scope="col" aria-sort="ascending">{own.start}</th>
        <th scope="col">{own.end}</th>
        <th scope="col">{own.what}</th>
        <th scope="col">{own.guests}</th>
        <th scope="col">{own.channel}</th>
        <th scope="col">{own.contact}</th>
        <th scope="col">{own.state}</th>
        <th scope="col">{own.call}</th>
    };
    view! {
        <section aria-labelledby="events">
            <h2 id="events">{own.events}</h2>
            <List title=own.events nothing head=head.into_any() lines=lines.into_any()/>
            <Paging newest=first older=further/>
        </section>
    }
}

#[component]
fn Event(row: EventRow, now: At) -> impl IntoView {
    let own = &words().built_in;
    let state = match row.cancelled {
        Some(at) => {
            view! { <span class="state" data-result="refused">{own.cancelled}</span>" "<Stamp at now/> }.into_any()
        }
        None => view! { <span class="state" data-result="done">{own.stands}</span> }.into_any(),
    };
    let id = row.id.clone();
    view! {
        <tr id=id>
            <th scope="row" class="number" data-label=own.start><Stamp at=row.start now/></th>
            <td class="number" data-label=own.end>{row.end.map(|at| view! { <Stamp at now/> })}</td>
            <td data-label=own.what><PersonalText text=row.title/></td>
            <td data-label=own.guests>{several(row.guests)}</td>
            <td data-label=own.channel>{row.channel.name}</td>
            <td data-label=own.contact><Whom session=row.session contact=row.contact/></td>
            <td data-label=own.state>{state}</td>
            <td data-label=own.call><code>{row.id}</code>" "<Stamp at=row.made now/></td>
        </tr>
    }
}

#[component]
fn Mails(wanted: BuiltInAsked, page: Page<MailRow>) -> impl IntoView {
    let own = &words().built_in;
    let now = page.as_of;
    let at = |mails: Option<Cursor>| {
        let wanted = wanted.clone();
        BuiltInAsked { mails, ..wanted }.address()
    };
    let newest = wanted.mails.is_some().then(|| at(None));
    let older = page.next.map(|next| at(Some(next)));
    let nothing = page
        .rows
        .is_empty()
        .then(|| nothing(&wanted, wanted.mails.is_some(), own.no_mail));
    let lines = page
        .rows
        .into_iter()
        .map(|row| view! { <Mail row now/> })
        .collect_view();
    let head = view! {
        <th scope="col" aria-sort="descending">{own.sent}</th>
        <th scope="col">{own.to}</th>
        <th scope="col">{own.subject}</th>
        <th scope="col">{own.body}</th>
        <th scope="col">{own.channel}</th>
        <th scope="col">{own.contact}</th>
        <th scope="col">{own.call}</th>
    };
    view! {
        <section aria-labelledby="mails">
            <h2 id="mails">{own.mails}</h2>
            <List title=own.mails nothing head=head.into_any() lines=lines.into_any()/>
            <Paging newest older/>
        </section>
    }
}

#[component]
fn Mail(row: MailRow, now: At) -> impl IntoView {
    let own = &words().built_in;
    let id = row.id.clone();
    view! {
        <tr id=id>
            <th scope="row" class="number" data-label=own.sent><Stamp at=row.sent now/></th>
            <td data-label=own.to>{several(row.to)}</td>
            <td data-label=own.subject><PersonalText text=row.subject/></td>
            <td data-label=own.body><PersonalText text=row.body/></td>
            <td data-label=own.channel>{row.channel.name}</td>
            <td data-label=own.contact><Whom session=row.session contact=row.contact/></td>
            <td data-label=own.call><code>{row.id}</code></td>
        </tr>
    }
}

/// A contact, and the way to their session.
#[component]
fn Whom(session: Option<SessionId>, contact: Personal) -> impl IntoView {
    match session {
        Some(id) => {
            let address = format!("/sessions/{id}");
            view! { <a href=address><PersonalText text=contact/></a> }.into_any()
        }
        None => view! { <PersonalText text=contact/> }.into_any(),
    }
}

fn several(texts: Vec<Personal>) -> impl IntoView {
    texts
        .into_iter()
        .map(|text| view! { <PersonalText text/>" " })
        .collect_view()
}

/// Why a list is empty.
fn nothing(wanted: &BuiltInAsked, is_further: bool, none_yet: &'static str) -> &'static str {
    let own = &words().built_in;
    match (is_further, wanted.is_empty()) {
        (true, _) => own.none_further,
        (false, true) => none_yet,
        (false, false) => own.none_match,
    }
}
