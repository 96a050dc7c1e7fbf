//! `/decisions`: how replies were judged against newer messages, newest first.

use crate::api::{around, veil};
use crate::parts::{
    ExportLinks, Heading, Options, Paging, PersonalText, Stamp, StatusBadge, Trouble, VeilNote,
    Views,
};
use crate::plain::Asked;
use crate::view::{
    Around, At, Channel, ChannelId, ConsoleError, Cursor, DecisionFilter, DecisionRow, ListWord,
    Page, PageQuery, Veil, Veiled, VeiledList, VerdictWord,
};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(shown) => view! { <List shown/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

struct Shown {
    page: Page<DecisionRow>,
    filter: DecisionFilter,
    channels: Vec<Channel>,
    is_first: bool,
    veil: Option<Veil>,
    around: Around,
}

async fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let filter = decision_filter(asked.term("channel"), asked.term("verdict"))?;
    let here = filter.address(None);
    let after = asked.term("after").map(Cursor);
    let is_first = after.is_none();
    let query = PageQuery::behind(after);
    Ok(Shown {
        page: console.decisions(&caller, filter.clone(), query).await?,
        filter,
        channels: console.channels(&caller).await?,
        is_first,
        veil: veil(
            &*console,
            &caller,
            &Veiled::List(VeiledList::Decisions),
            asked.address.clone(),
        )
        .await?,
        around: around(&*console, &caller, ListWord::Decisions, here).await?,
    })
}

/// The filter that the terms of an address ask for.
pub(crate) fn decision_filter(
    channel: Option<String>,
    word: Option<String>,
) -> Result<DecisionFilter, ConsoleError> {
    Ok(DecisionFilter {
        channel: channel.map(ChannelId),
        verdict: verdict(word)?,
    })
}

fn verdict(word: Option<String>) -> Result<Option<VerdictWord>, ConsoleError> {
    let Some(word) = word else { return Ok(None) };
    let found = VerdictWord::from_any(&word);
    found.map(Some).ok_or_else(|| ConsoleError::Invalid {
        field: "verdict".to_owned(),
        value: word.chars().take(64).collect(),
        allowed: VerdictWord::allowed(),
    })
}

#[component]
fn List(shown: Shown) -> impl IntoView {
    let own = &words().decisions;
    let (page, filter, is_first) = (shown.page, shown.filter, shown.is_first);
    let now = page.as_of;
    let (list, may_export) = (shown.around.here.clone(), shown.around.may_export);
    let older = page.next.as_ref().map(|next| filter.address(Some(next)));
    let newest = (!is_first).then(|| filter.address(None));
    let nothing = match (is_first, filter.is_empty()) {
        (false, _) => own.none_older,
        (true, true) => own.none_yet,
        (true, false) => own.none_match,
    };
    let is_empty = page.rows.is_empty();
    let lines = page
        .rows
        .into_iter()
        .map(|row| view! { <Line row now/> })
        .collect_view();
    let columns = &own.columns;
    view! {
        <Heading title=own.title at=now/>
        <Views around=shown.around/>
        <Filter filter channels=shown.channels/>
        {shown.veil.map(|veil| view! { <VeilNote veil/> })}
        <div class="panel">
            <table class="stack">
                <caption>{own.caption}</caption>
                <thead>
                    <tr>
                        <th scope="col" aria-sort="descending">{columns.at}</th>
                        <th scope="col">{columns.verdict}</th>
                        <th scope="col">{columns.reply}</th>
                        <th scope="col">{columns.contact}</th>
                        <th scope="col">{columns.by}</th>
                        <th scope="col">{columns.sure}</th>
                        <th scope="col">{columns.took}</th>
                        <th scope="col">{columns.tokens}</th>
                        <th scope="col">{columns.became}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
            {is_empty.then(|| view! { <p class="empty">{nothing}</p> })}
        </div>
        <Paging newest older/>
        <ExportLinks list may_export/>
    }
}

#[component]
fn Filter(filter: DecisionFilter, channels: Vec<Channel>) -> impl IntoView {
    let words = words();
    let clear = !filter.is_empty();
    let channels = channels
        .into_iter()
        .map(|channel| (channel.channel.id.0, channel.channel.name))
        .collect();
    let verdicts = VerdictWord::ALL
        .iter()
        .map(|verdict| {
            let word = (words.domain.verdict)(*verdict);
            (verdict.stored().to_owned(), word.to_owned())
        })
        .collect();
    let verdict = filter.verdict.map(|verdict| verdict.stored().to_owned());
    view! {
        <form class="filter" method="get" action="/decisions" role="search" aria-label=words.filter.name>
            <Options label=words.decisions.columns.verdict name="verdict" options=verdicts chosen=verdict/>
            <Options label=words.filter.channel name="channel" options=channels
                chosen=filter.channel.map(|channel| channel.0)/>
            <button type="submit">{words.filter.apply}</button>
            {clear.then(|| view! { <a href="/decisions">{words.filter.clear}</a> })}
        </form>
    }
}

#[component]
fn Line(row: DecisionRow, now: At) -> impl IntoView {
    let words = words();
    let columns = &words.decisions.columns;
    let address = row.address();
    let verdict = row.verdict;
    let source = (words.domain.source)(verdict.source);
    let late = verdict.too_late.then_some(words.session.too_late);
    let sure = (!verdict.evaluator.is_empty())
        .then(|| (words.decisions.percent)(verdict.confidence_percent));
    let tokens = (words.decisions.tokens)(row.tokens_in, row.tokens_out);
    view! {
        <tr>
            <th scope="row" class="number" data-label=columns.at>
                <a href=address><Stamp at=verdict.at now/></a>
            </th>
            <td data-label=columns.verdict>
                <span class="state" data-verdict=verdict.word.stored()>{(words.domain.verdict)(verdict.word)}</span>
                {late.map(|late| view! { <span class="role">{late}</span> })}
            </td>
            <td data-label=columns.reply><PersonalText text=row.text/></td>
            <td data-label=columns.contact><PersonalText text=row.contact/></td>
            <td data-label=columns.by>{verdict.evaluator}<span class="role">{source}</span></td>
            <td class="number" data-label=columns.sure>{sure}</td>
            <td class="number" data-label=columns.took>{(words.decisions.took)(verdict.latency_ms)}</td>
            <td class="number" data-label=columns.tokens>{tokens}</td>
            <td data-label=columns.became>{row.status.map(|status| view! { <StatusBadge status/> })}</td>
        </tr>
    }
}
