//! `/messages/{mid}`: one message, the replies that covered it, and what happened to all of them.

use crate::api::veil;
use crate::pages::session::{Bubble, EventLine};
use crate::parts::{Heading, PersonalText, Stamp, Trouble, VeilNote};
use crate::plain::Asked;
use crate::view::{
    ConsoleError, ConversationItem, DuplicateRow, MessageDetail, MessageId, MessageRow, StatusWord,
    TimelineEvent, Veil, Veiled, duplicate_address,
};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok((detail, veil)) => view! { <Sheet detail veil/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn read(asked: &Asked) -> Result<(MessageDetail, Option<Veil>), ConsoleError> {
    let (console, caller) = asked.inside()?;
    let wanted = MessageId(asked.segment(1));
    let detail = console.message(&caller, wanted).await?;
    let over = Veiled::Session(detail.row.message.session.clone());
    let veil = veil(&*console, &caller, &over, asked.path.clone()).await?;
    Ok((detail, veil))
}

#[component]
fn Sheet(detail: MessageDetail, veil: Option<Veil>) -> impl IntoView {
    let words = &words().message;
    let (row, as_of) = (detail.row, detail.as_of);
    let status = detail.replies.last().map(|reply| reply.status);
    let text = row.message.text.clone();
    let replies = detail.replies.into_iter().map(ConversationItem::Reply);
    view! {
        <Heading title=words.title at=as_of/>
        {veil.map(|veil| view! { <VeilNote veil/> })}
        <Facts row as_of/>
        {status.map(|status| view! { <Path status/> })}
        <div class="columns">
            <section aria-labelledby="text">
                <h2 id="text">{words.text}</h2>
                <blockquote class="bubble customer"><PersonalText text/></blockquote>
                <h2 id="replies">{words.replies}</h2>
                <ol class="conversation" aria-labelledby="replies">
                    {replies.map(|item| view! { <Bubble item/> }).collect_view()}
                </ol>
                <Avoided rows=detail.avoided/>
            </section>
            <section aria-labelledby="events">
                <h2 id="events">{words.events}</h2>
                <Events events=detail.events/>
            </section>
        </div>
    }
}

/// Tool calls that were held back meanwhile.
#[component]
fn Avoided(rows: Vec<DuplicateRow>) -> impl IntoView {
    let words = words();
    if rows.is_empty() {
        return ().into_any();
    }
    let lines = rows
        .into_iter()
        .map(|row| {
            let address = duplicate_address(&row.id);
            let why = (words.duplicates.avoided)(&row.avoided, row.age_ms);
            view! { <li><a href=address><code>{row.tool}</code>" "{why}</a></li> }
        })
        .collect_view();
    view! {
        <h2 id="avoided">{words.message.avoided}</h2>
        <ul class="calls" aria-labelledby="avoided">{lines}</ul>
    }
    .into_any()
}

#[component]
fn Facts(row: MessageRow, as_of: crate::view::At) -> impl IntoView {
    let words = words();
    let own = &words.message;
    let session = row.message.session;
    let place = format!("{}#m-{}", session.address(), row.message.id);
    let waited = row
        .reply_time_ms
        .map(|ms| (words.measure.seconds)(ms as i64));
    view! {
        <dl class="facts">
            <div><dt>{own.received}</dt><dd><Stamp at=row.message.received now=as_of/></dd></div>
            <div><dt>{own.channel}</dt><dd>{row.channel.name}</dd></div>
            <div><dt>{own.contact}</dt><dd><PersonalText text=row.contact/></dd></div>
            {waited.map(|waited| view! { <div><dt>{own.reply_time}</dt><dd>{waited}</dd></div> })}
            <div><dt>{own.session}</dt><dd>
                <a href=place><code>{session.0}</code></a>
            </dd></div>
            <div><dt>{own.id}</dt><dd><code>{row.message.id.0}</code></dd></div>
        </dl>
    }
}

/// The ways that a reply may go, as the protocol allows them; the last station is where this one is.
#[component]
fn Path(status: StatusWord) -> impl IntoView {
    let words = words();
    let stations = status.way_to();
    let stations = stations.iter().map(|station| {
        let current = (*station == status).then_some("step");
        view! {
            <li aria-current=current>
                <crate::parts::StatusBadge status=*station/>
            </li>
        }
    });
    view! { <ol class="path" aria-label=words.message.path>{stations.collect_view()}</ol> }
}

#[component]
fn Events(events: Vec<TimelineEvent>) -> impl IntoView {
    let words = &words().session;
    let lines = events
        .into_iter()
        .map(|event| view! { <EventLine event/> })
        .collect_view();
    view! {
        <div class="panel">
            <table class="stack events">
                <caption class="quiet">{words.events}</caption>
                <thead>
                    <tr>
                        <th scope="col">{words.when}</th>
                        <th scope="col">{words.what}</th>
                        <th scope="col">{words.facts}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
}
