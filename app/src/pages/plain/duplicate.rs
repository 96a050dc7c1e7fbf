//! `/duplicates/{did}`: one call that was held back. Both calls side by side, what was compared and what was not, what the agent was
//! told and then said; the verdict, and leave for one more call.

use crate::api::veil;
use crate::parts::{Came, Heading, PersonalText, Stamp, Trouble, VeilNote};
use crate::plain::Asked;
use crate::view::said::Said;
use crate::view::{
    ActivityRow, ArgumentRow, At, ConsoleError, DuplicateDetail, DuplicateVerdict, FirstCall,
    OpinionWord, Permission, Personal, RequestId, Veil, Veiled, VeiledList, duplicate_address,
};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(shown) => view! { <Sheet shown/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

struct Shown {
    detail: DuplicateDetail,
    done: Option<String>,
    said: Said,
    may_judge: bool,
    may_allow: bool,
    request_id: RequestId,
    veil: Option<Veil>,
}

async fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let detail = console.duplicate(&caller, asked.segment(1)).await?;
    // A call of an agent elsewhere may be about somebody who never wrote here.
    let session = detail.row.session.clone().map(Veiled::Session);
    let over = session.unwrap_or(Veiled::List(VeiledList::Duplicates));
    Ok(Shown {
        veil: veil(&*console, &caller, &over, asked.path.clone()).await?,
        detail,
        done: asked.term("done"),
        said: Said::read(|name| asked.term(name)),
        may_judge: caller.may(Permission::Verdict),
        may_allow: caller.may(Permission::AllowOnce),
        request_id: console.mint(),
    })
}

#[component]
fn Sheet(shown: Shown) -> impl IntoView {
    let words = words();
    let own = &words.duplicate;
    let detail = shown.detail;
    let (now, row) = (detail.as_of, detail.row);
    let refused = match &shown.said {
        Said::Refused(error) => Some((words.after_form)(error)),
        _ => None,
    };
    let done = done(shown.done.as_deref(), row.verdict.as_ref(), &detail.deeds);
    let why = (words.duplicates.avoided)(&row.avoided, row.age_ms);
    let place = row.session.as_ref().zip(detail.said.as_ref());
    let place = place.map(|(session, (reply, _))| reply.address_in(session));
    let session = row.session.map(|session| {
        view! { <div><dt>{own.session}</dt><dd><a href=session.address()><code>{session.0.clone()}</code></a></dd></div> }
    });
    let window = detail
        .first
        .as_ref()
        .map(|first| (own.window)(first.window_ms, row.age_ms));
    view! {
        <Heading title=(own.title)(&row.tool) at=now/>
        {shown.veil.map(|veil| view! { <VeilNote veil/> })}
        {done.map(|text| view! { <Came done=true>{text}</Came> })}
        {refused.map(|text| view! { <Came done=false>{text}</Came> })}
        <dl class="facts">
            <div><dt>{own.why}</dt><dd>{why}</dd></div>
            <div><dt>{own.at}</dt><dd><Stamp at=row.at now/></dd></div>
            {window.map(|text| view! { <div><dt>{own.window_name}</dt><dd>{text}</dd></div> })}
            <div><dt>{own.channel}</dt><dd>{row.channel.name}</dd></div>
            <div><dt>{own.contact}</dt><dd><PersonalText text=row.contact/></dd></div>
            {session}
        </dl>
        <Calls first=detail.first arguments=detail.arguments now/>
        <Compared compared=detail.compared recipe=detail.recipe missing=detail.missing/>
        <section aria-labelledby="told">
            <h2 id="told">{own.told}</h2>
            <blockquote class="bubble"><p>{row.note}</p></blockquote>
            {detail.said.map(|(_, texts)| {
                let texts = texts.into_iter().map(|text| view! { <p><PersonalText text/></p> }).collect_view();
                view! { <h3>{own.then_said}</h3><blockquote class="bubble">{texts}</blockquote> }
            })}
            {place.map(|place| view! { <p><a href=place>{own.around}</a></p> })}
        </section>
        <Judge id=row.id verdict=row.verdict now may_judge=shown.may_judge may_allow=shown.may_allow
            request_id=shown.request_id/>
        <Deeds deeds=detail.deeds now/>
    }
}

/// What to say on top: only what the store has.
fn done(
    deed: Option<&str>,
    verdict: Option<&DuplicateVerdict>,
    deeds: &[ActivityRow],
) -> Option<&'static str> {
    let own = &words().duplicate;
    let was_done = |verb: &str| deeds.iter().any(|row| row.verb == verb);
    match deed? {
        "verdict" => verdict.map(|_| own.judged),
        "allow_once" => was_done("allow_once").then_some(own.allowed),
        _ => None,
    }
}

/// Both calls, argument by argument.
#[component]
fn Calls(first: Option<FirstCall>, arguments: Vec<ArgumentRow>, now: At) -> impl IntoView {
    let own = &words().duplicate;
    let head = match first {
        Some(first) => {
            let settled = first.settled_by.map(|by| (own.settled_by)(&by));
            view! {
                <p>
                    {own.first_call}" "<Stamp at=first.at now/>", "{(own.state_of)(&first.state)}
                    {settled.map(|text| view! { ", "{text} })}
                </p>
                {first.result.map(|result| view! {
                    <details><summary>{own.result}</summary><p><PersonalText text=result/></p></details>
                })}
            }
            .into_any()
        }
        None => view! { <p class="empty">{own.first_gone}</p> }.into_any(),
    };
    let value = |value: Option<Personal>| match value {
        Some(text) => view! { <PersonalText text/> }.into_any(),
        None => view! { <span class="hint">{words().duplicate.absent}</span> }.into_any(),
    };
    let rows = arguments
        .into_iter()
        .map(|row| {
            let how = if row.is_ignored { own.ignored } else { own.compared };
            let differs = row.differs.then_some("yes");
            view! {
                <tr data-differs=differs>
                    <th scope="row" data-label=own.argument><code>{row.path}</code></th>
                    <td data-label=own.first>{value(row.first)}</td>
                    <td data-label=own.second>{value(row.second)}</td>
                    <td data-label=own.how>{how}{differs.map(|_| view! { " "<strong>{own.differs}</strong> })}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="calls">
            <h2 id="calls">{own.calls}</h2>
            {head}
            <div class="panel">
                <table class="stack">
                    <caption class="quiet">{own.calls}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{own.argument}</th>
                            <th scope="col">{own.first}</th>
                            <th scope="col">{own.second}</th>
                            <th scope="col">{own.how}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}

/// What makes them the same, each value in its one spelling.
#[component]
fn Compared(
    compared: Vec<(String, Personal)>,
    recipe: String,
    missing: Option<String>,
) -> impl IntoView {
    let own = &words().duplicate;
    let missing = missing.map(|field| (own.missing)(&field));
    let lines = compared
        .into_iter()
        .map(|(name, text)| view! { <div><dt>{name}</dt><dd><PersonalText text/></dd></div> })
        .collect_view();
    view! {
        <section aria-labelledby="same">
            <h2 id="same">{(own.same_by)(&recipe)}</h2>
            {missing.map(|text| view! { <p class="hint">{text}</p> })}
            <dl class="facts">{lines}</dl>
        </section>
    }
}

/// The verdict, and leave for one more call.
#[component]
fn Judge(
    id: String,
    verdict: Option<DuplicateVerdict>,
    now: At,
    may_judge: bool,
    may_allow: bool,
    request_id: RequestId,
) -> impl IntoView {
    let words = words();
    let own = &words.duplicate;
    let seen = verdict.as_ref().map(|verdict| verdict.at.0);
    let present = verdict.map(|verdict| {
        let word = (words.duplicates.opinion_of)(verdict.word);
        view! {
            <p>
                <span class="state" data-opinion=verdict.word.stored()>{word}</span>" "
                {verdict.by}", "<Stamp at=verdict.at now/>" "<span dir="auto">{verdict.comment}</span>
            </p>
        }
    });
    let buttons = OpinionWord::ALL
        .iter()
        .map(|word| {
            view! {
                <button type="submit" name="opinion" value=word.stored() disabled=!may_judge>
                    {(words.duplicates.opinion_of)(*word)}
                </button>
            }
        })
        .collect_view();
    let address = duplicate_address(&id);
    let judge_hint = (!may_judge).then(|| (words.may_not)(Permission::Verdict));
    let allow_hint = if may_allow {
        own.allow_hint.to_owned()
    } else {
        (words.may_not)(Permission::AllowOnce)
    };
    view! {
        <section aria-labelledby="verdict">
            <h2 id="verdict">{own.verdict}</h2>
            {present}
            <form class="fields" method="post" action=address.clone()>
                <input type="hidden" name="request_id" value=format!("{}-verdict", request_id.0)/>
                <input type="hidden" name="deed" value="verdict"/>
                <input type="hidden" name="seen" value=seen/>
                <label class="wide">{own.comment}<input name="reason" maxlength="500" disabled=!may_judge/></label>
                <div class="buttons">{buttons}<span class="hint">{judge_hint}</span></div>
            </form>
        </section>
        <section aria-labelledby="allow">
            <h2 id="allow">{own.allow_title}</h2>
            <form class="fields" method="post" action=address>
                <input type="hidden" name="request_id" value=format!("{}-allow", request_id.0)/>
                <label class="wide">{own.reason}<input name="reason" required maxlength="500" disabled=!may_allow/></label>
                <div class="buttons">
                    <button type="submit" name="deed" value="allow_once" disabled=!may_allow>{own.allow}</button>
                    <span class="hint">{allow_hint}</span>
                </div>
            </form>
        </section>
    }
}

/// This record's own slice of the log.
#[component]
fn Deeds(deeds: Vec<ActivityRow>, now: At) -> impl IntoView {
    let words = words();
    let own = &words.duplicate;
    if deeds.is_empty() {
        return ().into_any();
    }
    let lines = deeds
        .into_iter()
        .map(|row| {
            let change = (own.change)(row.before.as_deref(), row.after.as_deref());
            view! {
                <li>
                    <Stamp at=row.at now/>" "{row.by}" "{(words.activity.verb_of)(&row.verb)}": "{change}" "
                    <span class="hint" dir="auto">{row.reason}</span>
                </li>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="deeds">
            <h2 id="deeds">{own.deeds}</h2>
            <ol class="deeds">{lines}</ol>
        </section>
    }
    .into_any()
}
