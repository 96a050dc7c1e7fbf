//! `/decisions/{rid}`: what was decided about one reply, by whom and why, and what came of it.

use crate::api::veil;
use crate::pages::session::Bubble;
use crate::parts::{Heading, PersonalText, Stamp, StatusBadge, Trouble, VeilNote};
use crate::plain::Asked;
use crate::view::{
    At, ConsoleError, ConversationItem, DecisionDetail, DecisionRow, Message, ReplyId, Veil, Veiled,
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

async fn read(asked: &Asked) -> Result<(DecisionDetail, Option<Veil>), ConsoleError> {
    let (console, caller) = asked.inside()?;
    let wanted = ReplyId(asked.segment(1));
    let detail = console.decision(&caller, wanted).await?;
    let over = Veiled::Session(detail.reply.session.clone());
    let veil = veil(&*console, &caller, &over, asked.path.clone()).await?;
    Ok((detail, veil))
}

#[component]
fn Sheet(detail: DecisionDetail, veil: Option<Veil>) -> impl IntoView {
    let own = &words().decisions;
    let as_of = detail.as_of;
    let place = detail.reply.id.address_in(&detail.reply.session);
    let written = detail.reply.written;
    let status = detail.reply.status;
    let story = (own.story)(detail.rows.first().map(|row| row.verdict.word), status);
    let verdicts = detail
        .rows
        .into_iter()
        .map(|row| view! { <Given row written as_of/> })
        .collect_view();
    let reply = ConversationItem::Reply(detail.reply);
    view! {
        <Heading title=own.title_one at=as_of/>
        {veil.map(|veil| view! { <VeilNote veil/> })}
        <p class="fate"><StatusBadge status/>" "{story}</p>
        <section aria-labelledby="verdicts">
            <h2 id="verdicts">{own.verdicts}</h2>
            {verdicts}
        </section>
        <section aria-labelledby="said">
            <h2 id="said">{own.said}</h2>
            <h3>{own.asked}</h3>
            <Messages messages=detail.asked nothing=own.nothing_asked/>
            <h3>{own.reply}</h3>
            <ol class="conversation"><Bubble item=reply/></ol>
            <h3>{own.newer}</h3>
            <Messages messages=detail.newer nothing=own.nothing_newer/>
            <p><a href=place>{own.whole}</a></p>
        </section>
    }
}

#[component]
fn Messages(messages: Vec<Message>, nothing: &'static str) -> impl IntoView {
    if messages.is_empty() {
        return view! { <p class="empty">{nothing}</p> }.into_any();
    }
    let items = messages.into_iter().map(ConversationItem::Message);
    let lines = items.map(|item| view! { <Bubble item/> }).collect_view();
    view! { <ol class="conversation">{lines}</ol> }.into_any()
}

#[component]
fn Given(row: DecisionRow, written: At, as_of: At) -> impl IntoView {
    let words = words();
    let own = &words.decisions;
    let verdict = row.verdict;
    let gap = (words.measure.seconds)(verdict.at.since(written));
    let sure = (!verdict.evaluator.is_empty()).then(|| (own.percent)(verdict.confidence_percent));
    let late = verdict.too_late.then_some(words.session.too_late);
    view! {
        <dl class="facts">
            <div><dt>{own.columns.verdict}</dt><dd>
                <span class="state" data-verdict=verdict.word.stored()>{(words.domain.verdict)(verdict.word)}</span>
                {late.map(|late| view! { <span class="role">{late}</span> })}
            </dd></div>
            <div><dt>{own.columns.by}</dt><dd>
                {verdict.evaluator}<span class="role">{(words.domain.source)(verdict.source)}</span>
            </dd></div>
            {sure.map(|sure| view! { <div><dt>{own.columns.sure}</dt><dd class="number">{sure}</dd></div> })}
            <div><dt>{own.reason}</dt><dd><PersonalText text=verdict.reason/></dd></div>
            <div><dt>{own.columns.took}</dt><dd class="number">{(own.took)(verdict.latency_ms)}</dd></div>
            <div><dt>{own.columns.tokens}</dt><dd class="number">{(own.tokens)(row.tokens_in, row.tokens_out)}</dd></div>
            <div><dt>{own.columns.at}</dt><dd><Stamp at=verdict.at now=as_of/>" "<span class="hint">{(own.gap)(&gap)}</span></dd></div>
        </dl>
    }
}
