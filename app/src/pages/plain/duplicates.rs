//! `/duplicates`: tool calls that were held back, newest first, and calls whose outcome nobody knows.

use crate::parts::{Came, Heading, Options, Paging, PersonalText, Stamp, Trouble};
use crate::plain::Asked;
use crate::view::said::Said;
use crate::view::{
    At, ConsoleError, Cursor, DuplicateFilter, DuplicateRow, OpinionWord, Page, PageQuery,
    Permission, RequestId, UnknownCall, duplicate_address,
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
    filter: DuplicateFilter,
    page: Page<DuplicateRow>,
    unknown: Vec<UnknownCall>,
    is_first: bool,
    is_settled: bool,
    said: Said,
    may_settle: bool,
    request_id: RequestId,
}

async fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let filter = filter(asked)?;
    let after = asked.term("after").map(Cursor);
    let is_first = after.is_none();
    let page = PageQuery::behind(after);
    Ok(Shown {
        page: console.duplicates(&caller, filter.clone(), page).await?,
        unknown: console.unknown_calls(&caller).await?,
        filter,
        is_first,
        is_settled: asked.term("done").is_some(),
        said: Said::read(|name| asked.term(name)),
        may_settle: caller.may(Permission::ActOnOne),
        request_id: console.mint(),
    })
}

fn filter(asked: &Asked) -> Result<DuplicateFilter, ConsoleError> {
    let word = asked.term("verdict");
    let unjudged = word.as_deref() == Some("none");
    let verdict = match word.filter(|_| !unjudged) {
        Some(word) => {
            let found = OpinionWord::from_stored(&word);
            Some(found.ok_or_else(|| ConsoleError::Invalid {
                field: "verdict".to_owned(),
                value: word,
                allowed: "none, right, should_have_run, unsure".to_owned(),
            })?)
        }
        None => None,
    };
    Ok(DuplicateFilter {
        tool: asked.term("tool"),
        channel: asked.term("channel"),
        verdict,
        unjudged,
    })
}

#[component]
fn Sheet(shown: Shown) -> impl IntoView {
    let words = words();
    let own = &words.duplicates;
    let now = shown.page.as_of;
    let refused = match &shown.said {
        Said::Refused(error) => Some((words.after_form)(error)),
        _ => None,
    };
    let filter = shown.filter;
    let older = shown
        .page
        .next
        .as_ref()
        .map(|next| filter.address(Some(next)));
    let newest = (!shown.is_first).then(|| filter.address(None));
    let nothing = match (shown.is_first, filter.is_empty()) {
        (false, _) => own.none_older,
        (true, true) => own.none_yet,
        (true, false) => own.none_match,
    };
    let is_empty = shown.page.rows.is_empty();
    let lines = shown
        .page
        .rows
        .into_iter()
        .map(|row| view! { <Line row now/> })
        .collect_view();
    let columns = &own.columns;
    view! {
        <Heading title=own.title at=now/>
        {shown.is_settled.then(|| view! { <Came done=true>{own.settled}</Came> })}
        {refused.map(|text| view! { <Came done=false>{text}</Came> })}
        <Unknown calls=shown.unknown now may_settle=shown.may_settle request_id=shown.request_id/>
        <Filter filter/>
        <div class="panel">
            <table class="stack">
                <caption>{own.caption}</caption>
                <thead>
                    <tr>
                        <th scope="col" aria-sort="descending">{columns.at}</th>
                        <th scope="col">{columns.tool}</th>
                        <th scope="col">{columns.channel}</th>
                        <th scope="col">{columns.contact}</th>
                        <th scope="col">{columns.why}</th>
                        <th scope="col">{columns.compared}</th>
                        <th scope="col">{columns.differs}</th>
                        <th scope="col">{columns.verdict}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
            {is_empty.then(|| view! { <p class="empty">{nothing}</p> })}
        </div>
        <Paging newest older/>
    }
}

#[component]
fn Filter(filter: DuplicateFilter) -> impl IntoView {
    let (words, own) = (&words().filter, &words().duplicates);
    let clear = !filter.is_empty();
    let chosen = if filter.unjudged {
        Some("none".to_owned())
    } else {
        filter.verdict.map(|word| word.stored().to_owned())
    };
    let each = OpinionWord::ALL.iter();
    let opinions = each.map(|word| (word.stored().to_owned(), (own.opinion_of)(*word).to_owned()));
    let none = ("none".to_owned(), own.unjudged.to_owned());
    let options: Vec<_> = std::iter::once(none).chain(opinions).collect();
    view! {
        <form class="filter" method="get" action="/duplicates" role="search" aria-label=words.name>
            <label>{own.columns.tool}<input type="search" name="tool" value=filter.tool data-key="/"/></label>
            <label>{own.columns.channel}<input type="search" name="channel" value=filter.channel/></label>
            <Options label=own.columns.verdict name="verdict" options chosen/>
            <button type="submit">{words.apply}</button>
            {clear.then(|| view! { <a href="/duplicates">{words.clear}</a> })}
        </form>
    }
}

#[component]
fn Line(row: DuplicateRow, now: At) -> impl IntoView {
    let own = &words().duplicates;
    let columns = &own.columns;
    let address = duplicate_address(&row.id);
    let differs = if row.differs.is_empty() {
        view! { <span class="hint">{own.alike}</span> }.into_any()
    } else {
        view! { <code>{row.differs.join(", ")}</code> }.into_any()
    };
    let verdict = match row.verdict {
        Some(verdict) => view! {
            <span class="state" data-opinion=verdict.word.stored()>{(own.opinion_of)(verdict.word)}</span>" "{verdict.by}
        }
        .into_any(),
        None => view! { <span class="hint">{own.unjudged}</span> }.into_any(),
    };
    view! {
        <tr id=row.id>
            <th scope="row" class="number" data-label=columns.at><a href=address><Stamp at=row.at now/></a></th>
            <td data-label=columns.tool><code>{row.tool}</code></td>
            <td data-label=columns.channel>{row.channel.name}</td>
            <td data-label=columns.contact><PersonalText text=row.contact/></td>
            <td data-label=columns.why>{(own.avoided)(&row.avoided, row.age_ms)}</td>
            <td data-label=columns.compared>{row.compared.join(", ")}</td>
            <td data-label=columns.differs>{differs}</td>
            <td data-label=columns.verdict>{verdict}</td>
        </tr>
    }
}

/// Calls that wait for a person to say whether they happened.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
fn Unknown(
    calls: Vec<UnknownCall>,
    now: At,
    may_settle: bool,
    request_id: RequestId,
) -> impl IntoView {
    let own = &words().duplicates;
    if calls.is_empty() {
        return ().into_any();
    }
    let lines = calls
        .into_iter()
        .map(|call| {
            let address = format!("/duplicates/calls/{}", crate::view::query::segment(&call.id));
            let request = format!("{}-{}", request_id.0, call.id);
            view! {
                <li>
                    <p>
                        <code>{call.tool}</code>" "{call.channel.name}" "<PersonalText text=call.contact/>" "
                        <Stamp at=call.at now/>" "{call.code.map(|code| view! { <code>{code}</code> })}
                    </p>
                    <form class="filter" method="post" action=address>
                        <input type="hidden" name="request_id" value=request/>
                        <label>{own.how_known}<input name="reason" required maxlength="500" disabled=!may_settle/></label>
                        <button type="submit" name="outcome" value="done" disabled=!may_settle>{own.happened}</button>
                        <button type="submit" name="outcome" value="failed" disabled=!may_settle>{own.not_happened}</button>
                    </form>
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="notice" aria-labelledby="unknown">
            <h2 id="unknown">{own.unknown_title}</h2>
            <p>{own.unknown_hint}</p>
            <ul class="calls">{lines}</ul>
        </section>
    }
    .into_any()
}
