//! One line of a conversation: what the customer wrote, or a reply with what became of it.

use crate::parts::{Erase, Erased, Moment, PersonalText, StatusBadge};
use crate::view::{
    At, Attempt, Author, ConversationItem, Message, MessageFate, MessageId, Reply, ReplyId,
    StatusWord, Verdict,
};
use crate::words::words;
use leptos::prelude::*;

/// A message or a reply.
#[component]
pub(crate) fn Bubble(item: ConversationItem) -> impl IntoView {
    match item {
        ConversationItem::Message(message) => view! { <Said message/> }.erased(),
        ConversationItem::Reply(reply) => view! { <Answer reply/> }.erased(),
    }
}

#[component]
fn Said(message: Message) -> impl IntoView {
    let words = &words().session;
    view! {
        <li class="bubble customer" id=format!("m-{}", message.id)>
            <p class="by">
                {words.customer}" "<Here id=format!("m-{}", message.id) at=message.written/>
                {message.edited.then(|| view! { " "<em>{words.edited}</em> })}
            </p>
            <p><PersonalText text=message.text/></p>
            <p class="fate">{fate(message.fate)}</p>
        </li>
    }
}

fn fate(fate: MessageFate) -> Erased {
    let words = &words().session;
    match fate {
        MessageFate::Waiting => words.waiting.erased(),
        MessageFate::Silent => words.no_answer.erased(),
        MessageFate::Person => words.person.erased(),
        MessageFate::Dropped { why } => (words.dropped)(&why).erased(),
        MessageFate::Answered { by, seq, status } => {
            let name = seq.map_or_else(|| by.0.clone(), |seq| format!("#{seq}"));
            let link = view! { <a href=format!("#r-{by}")>{name}</a> };
            view! { {words.answered_by}" "{link}" "<StatusBadge status/> }.erased()
        }
    }
}

/// A line's moment, which is also the address of the line.
#[component]
fn Here(id: String, at: At) -> impl IntoView {
    view! { <a class="here" href=format!("#{id}")><Moment at/></a> }
}

#[component]
fn Answer(reply: Reply) -> impl IntoView {
    let words = words();
    let author = match &reply.author {
        Author::Agent => words.session.agent.to_owned(),
        Author::Notice => words.session.notice.to_owned(),
        Author::Person { name } => name.clone(),
    };
    let why = reply
        .parked
        .as_ref()
        .map(|parked| (words.domain.parked)(&parked.why).to_owned());
    let waits = matches!(reply.status, StatusWord::Parked | StatusWord::Unknown);
    let decide = reply.id.decide_address();
    let verdicts = reply.verdicts.clone().into_iter();
    view! {
        <li class="bubble reply" id=format!("r-{}", reply.id) data-status=reply.status.stored()>
            <p class="by">
                {author}" #"{reply.seq}" "<Here id=format!("r-{}", reply.id) at=reply.written/>" "<StatusBadge status=reply.status/>
                {why.map(|why| format!(" {why}"))}
                {waits.then(|| view! { " "<a href=decide>{words.session_page.decide}</a> })}
            </p>
            {texts(&reply)}
            {notes(&reply)}
            {verdicts.map(|verdict| view! { <VerdictLine verdict/> }).collect_view()}
            {attempts(&reply.attempts)}
        </li>
    }
}

fn texts(reply: &Reply) -> Erased {
    if reply.parts.is_empty() {
        return view! { <p class="masked">{words().session.empty_reply}</p> }.erased();
    }
    // As long as nothing left, the status says all.
    let begun = reply.parts_sent > 0 || reply.cut;
    let sent = if begun {
        reply.parts_sent as usize
    } else {
        reply.parts.len()
    };
    let mut parts = reply.parts.clone().into_iter();
    let left = parts
        .by_ref()
        .take(sent)
        .map(|text| view! { <p><PersonalText text/></p> });
    let left = left.collect_view();
    let rest = parts.map(|text| {
        view! { <p class="unsent"><em>{words().session.unsent}</em>" "<PersonalText text/></p> }
    });
    view! { {left}{rest.collect_view()} }.erased()
}

/// What is to be said about a reply besides its text.
fn notes(reply: &Reply) -> impl IntoView + use<> {
    let words = &words().session;
    let waits = matches!(reply.status, StatusWord::Pending | StatusWord::Released);
    let covers: Vec<_> = reply.covers.iter().map(message_link).collect();
    let parts = (reply.parts.len() > 1).then(|| (words.parts)(reply.parts_sent, reply.parts.len()));
    let due = reply.due;
    view! {
        <p class="fate">
            {(!covers.is_empty()).then(|| view! { {words.covers}" "{covers} })}
            {waits.then(|| view! { <span>{words.due}" "<Moment at=due/></span> })}
            {reply.replaced_by.as_ref().map(|by| view! { <span>{words.replaced_by}" "{reply_link(by)}</span> })}
            {parts.map(|text| view! { <span>{text}</span> })}
            {reply.cut.then(|| view! { <span>{words.cut}</span> })}
            {reply.had_effects.then(|| view! { <span>{words.had_effects}</span> })}
        </p>
    }
}

#[component]
fn VerdictLine(verdict: Verdict) -> impl IntoView {
    let words = words();
    let word = (words.domain.verdict)(verdict.word);
    let source = (words.domain.source)(verdict.source);
    let percent = verdict.confidence_percent;
    view! {
        <p class="verdict">
            <Moment at=verdict.at/>" "
            {(words.session.verdict)(word, source, &verdict.evaluator, percent)}
            {verdict.too_late.then(|| format!(", {}", words.session.too_late))}
            ": "<PersonalText text=verdict.reason/>
        </p>
    }
}

fn attempts(attempts: &[Attempt]) -> impl IntoView + use<> {
    let words = words();
    let lines = attempts
        .iter()
        .map(|each| {
            let result = (words.domain.attempt)(each.result);
            let (at, detail) = (each.at, each.detail.clone());
            view! { <li><Moment at/>" "{result}" "{detail}</li> }
        })
        .collect_view();
    (!attempts.is_empty()).then(|| {
        let summary = (words.session.attempts)(attempts.len());
        view! { <details><summary>{summary}</summary><ol>{lines}</ol></details> }
    })
}

fn message_link(id: &MessageId) -> impl IntoView + use<> {
    view! { <a href=format!("#m-{id}") title=id.0.clone()>{short(&id.0)}</a>" " }
}

fn reply_link(id: &ReplyId) -> impl IntoView + use<> {
    view! { <a href=format!("#r-{id}") title=id.0.clone()>{short(&id.0)}</a> }
}

/// The end of a long id, by which those of one conversation differ: `msg_…602rkx`.
fn short(id: &str) -> String {
    const SHOWN: usize = 6;
    match id.split_once('_') {
        Some((sort, rest)) if rest.len() > 2 * SHOWN && rest.is_ascii() => {
            format!("{sort}_…{}", &rest[rest.len() - SHOWN..])
        }
        _ => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn of_a_long_id_the_end_is_shown() {
        assert_eq!(short("msg_01m8mx2tqp14ek1ssg0ze9p9qd"), "msg_…e9p9qd");
        assert_eq!(short("msg_1"), "msg_1");
        assert_eq!(
            short("überlang_überlangüberlang"),
            "überlang_überlangüberlang"
        );
    }
}
