//! `/parked/{rid}/reprocess`: one reply that waits, what speaks for and against sending it now, and the choices. After a
//! choice the same address shows from the store what came of it.

use crate::api::veil;
use crate::parts::{Came, Heading, PersonalText, Stamp, StatusBadge, Trouble, VeilNote};
use crate::plain::Asked;
use crate::view::said::Said;
use crate::view::{
    At, Caller, Check, Choice, ConsoleError, Outcome, ParkedDetail, Permission, ReplyId, RequestId,
    StatusWord, Veil, Veiled, Weight,
};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(sheet) => view! { <Sheet sheet/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

/// What the page shows.
struct Shown {
    detail: ParkedDetail,
    caller: Caller,
    said: Said,
    /// What the request in the address did, by the store.
    outcome: Option<Outcome>,
    /// Minted with this page.
    request_id: RequestId,
    veil: Option<Veil>,
}

async fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let reply = ReplyId(asked.segment(1));
    let detail = console.parked_reply(&caller, reply).await?;
    let said = Said::read(|name| asked.term(name));
    let outcome = match &said {
        Said::Done(request) => console.outcome(&caller, request.clone()).await?,
        _ => None,
    };
    let over = Veiled::Session(detail.row.session.clone());
    Ok(Shown {
        veil: veil(&*console, &caller, &over, asked.path.clone()).await?,
        detail,
        caller,
        said,
        outcome,
        request_id: console.mint(),
    })
}

#[component]
fn Sheet(sheet: Shown) -> impl IntoView {
    let own = &words().decide;
    let detail = sheet.detail;
    let as_of = detail.as_of;
    let waits = detail.waits();
    let title = if waits { own.title } else { own.title_over };
    let parts = detail.parts.clone();
    let body = if waits {
        view! {
            <Checks detail=detail.clone()/>
            <Choices detail=detail.clone() caller=sheet.caller request_id=sheet.request_id/>
        }
        .into_any()
    } else {
        view! { <Over detail=detail.clone()/> }.into_any()
    };
    view! {
        <Heading title=title at=as_of/>
        {sheet.veil.map(|veil| view! { <VeilNote veil/> })}
        <Result said=sheet.said outcome=sheet.outcome status=detail.row.status as_of/>
        <Facts detail/>
        <section aria-labelledby="text">
            <h2 id="text">{own.text}</h2>
            <Parts parts/>
        </section>
        {body}
    }
}

/// What came of the form that led here. The store has the last word.
#[component]
fn Result(said: Said, outcome: Option<Outcome>, status: StatusWord, as_of: At) -> impl IntoView {
    let words = words();
    match (said, outcome) {
        (Said::Nothing, _) => ().into_any(),
        (Said::Done(_), Some(outcome)) => {
            let (at, text) = (outcome.at, (words.decide.done)(&outcome));
            view! {
                <Came done=true>
                    {text}" "<Stamp at now=as_of/>". "{words.decide.now}" "<StatusBadge status/>
                </Came>
            }
            .into_any()
        }
        (Said::Done(_), None) => {
            view! { <Came done=false>{words.decide.not_done}</Came> }.into_any()
        }
        (Said::Refused(error), _) => {
            let text = (words.after_form)(&error);
            view! { <Came done=false>{text}</Came> }.into_any()
        }
    }
}

#[component]
fn Facts(detail: ParkedDetail) -> impl IntoView {
    let words = words();
    let own = &words.decide;
    let (row, now) = (detail.row, detail.as_of);
    let session = row.reply.address_in(&row.session);
    let why = (words.domain.parked)(&row.why).to_owned();
    let code = row.code.map(|code| view! { " "<code>{code}</code> });
    let status = row.status;
    let waited = (words.measure.ago)(now.since(row.since));
    let age = (words.measure.ago)(now.since(row.written));
    view! {
        <dl class="facts">
            <div><dt>{own.status}</dt><dd><StatusBadge status/></dd></div>
            <div><dt>{own.why}</dt><dd>{why}{code}</dd></div>
            <div><dt>{own.since}</dt><dd><Stamp at=row.since now/>" "<span class="hint">{waited}</span></dd></div>
            <div><dt>{own.written}</dt><dd><Stamp at=row.written now/>" "<span class="hint">{age}</span></dd></div>
            <div><dt>{own.contact}</dt><dd><PersonalText text=row.contact/></dd></div>
            <div><dt>{own.channel}</dt><dd>{row.channel.name}</dd></div>
            <div><dt>{own.attempts}</dt><dd class="number">{row.attempts}</dd></div>
            <div><dt>{own.reply}</dt><dd><a href=session><code>{row.reply.0}</code></a></dd></div>
        </dl>
    }
}

#[component]
fn Parts(parts: Vec<crate::view::Personal>) -> impl IntoView {
    if parts.is_empty() {
        return view! { <p class="masked">{words().session.empty_reply}</p> }.into_any();
    }
    let parts = parts
        .into_iter()
        .map(|text| view! { <p><PersonalText text/></p> })
        .collect_view();
    view! { <blockquote class="bubble reply">{parts}</blockquote> }.into_any()
}

/// What was looked at. Where nothing speaks against it, that is said too.
#[component]
fn Checks(detail: ParkedDetail) -> impl IntoView {
    let own = &words().decide;
    let now = detail.as_of;
    let lines = detail
        .checks
        .into_iter()
        .map(|check| view! { <CheckLine check now/> })
        .collect_view();
    let quiet = lines.is_empty().then_some(own.nothing_against);
    view! {
        <section aria-labelledby="checks">
            <h2 id="checks">{own.checks}</h2>
            {quiet.map(|text| view! { <p class="empty">{text}</p> })}
            <ul class="checks">{lines}</ul>
        </section>
    }
}

#[component]
fn CheckLine(check: Check, now: At) -> impl IntoView {
    let own = &words().decide;
    let text = (own.check)(&check);
    let effect = (own.weight)(check.weight);
    let when = check.at.map(|at| view! { " ("<Stamp at now/>")" });
    view! {
        <li data-weight=check.weight.stored()>
            <span class="weight">{effect}</span>
            <span>{text}{when}</span>
        </li>
    }
}

/// The choices. Each button says what it does; the one that is usual here stands out.
#[component]
fn Choices(detail: ParkedDetail, caller: Caller, request_id: RequestId) -> impl IntoView {
    let words = words();
    let own = &words.decide;
    let address = detail.row.reply.decide_address();
    let may_act = caller.may(Permission::ActOnOne);
    let is_unknown = detail.row.status == StatusWord::Unknown;
    let buttons = Choice::ALL
        .iter()
        .copied()
        .filter(|choice| *choice != Choice::Delivered || is_unknown)
        .map(|choice| {
            let blocked = detail.against(choice) == Weight::Blocks;
            let class = (detail.usual == Some(choice)).then_some("primary");
            view! {
                <button type="submit" name="choice" value=choice.stored() class=class
                    disabled=blocked || !may_act>
                    {(own.choice)(choice)}
                </button>
            }
        })
        .collect_view();
    let refuses = detail
        .checks
        .iter()
        .any(|check| check.weight == Weight::Refuses);
    let may_overrule = caller.may(Permission::OverrideChecks);
    let overrule = refuses.then(|| {
        view! {
            <label class="check">
                <input type="checkbox" name="overrule" value="yes" disabled=!may_overrule/>
                {own.overrule}
            </label>
        }
    });
    let missing = (!may_act).then(|| (words.may_not)(Permission::ActOnOne));
    let usual = detail.usual.map(|choice| (own.usual)((own.choice)(choice)));
    view! {
        <section aria-labelledby="choices">
            <h2 id="choices">{own.choices}</h2>
            <form class="fields" method="post" action=address>
                <input type="hidden" name="generation" value=detail.row.generation/>
                <input type="hidden" name="request_id" value=request_id.0/>
                {usual.map(|text| view! { <p>{text}</p> })}
                <label class="wide">
                    {own.reason}
                    <input name="reason" maxlength="500" aria-describedby="reason-hint"/>
                </label>
                <p id="reason-hint" class="hint">{own.reason_hint}</p>
                {overrule}
                <div class="buttons">{buttons}<a href="/parked">{own.keep}</a></div>
                {missing.map(|text| view! { <p class="hint">{text}</p> })}
                <p class="hint">{own.no_way_back}</p>
            </form>
        </section>
    }
}

/// It no longer waits: who did what, and the way on.
#[component]
fn Over(detail: ParkedDetail) -> impl IntoView {
    let words = words();
    let own = &words.decide;
    let now = detail.as_of;
    let deed = detail.last_deed.map(|deed| {
        let (at, text) = (deed.at, (own.last_deed)(&deed));
        view! { <p>{text}" "<Stamp at now/></p> }
    });
    view! {
        <section class="notice">
            <h2>{own.over}</h2>
            {deed}
            <p><a href="/parked">{own.back}</a></p>
        </section>
    }
}
