//! `/activity`: who did what, newest first.

use crate::api::around;
use crate::parts::{ExportLinks, Heading, Paging, Stamp, Trouble, Views};
use crate::plain::Asked;
use crate::view::query::Query;
use crate::view::{
    ActivityFilter, ActivityRow, Around, At, ConsoleError, Cursor, ListWord, Page, PageQuery, Role,
};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    let filter = ActivityFilter {
        by: asked.term("by"),
        verb: asked.term("verb"),
        object: asked.term("object"),
    };
    let after = asked.term("after");
    match read(&asked, filter.clone(), after.clone()).await {
        Ok((page, around)) => {
            view! { <List page filter is_first=after.is_none() around/> }.into_any()
        }
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn read(
    asked: &Asked,
    filter: ActivityFilter,
    after: Option<String>,
) -> Result<(Page<ActivityRow>, Around), ConsoleError> {
    let (console, caller) = asked.inside()?;
    let page = PageQuery::behind(after.map(Cursor));
    let here = address(&filter, None);
    let page = console.activity(&caller, filter, page).await?;
    let around = around(&*console, &caller, ListWord::Activity, here).await?;
    Ok((page, around))
}

fn address(filter: &ActivityFilter, after: Option<&Cursor>) -> String {
    let mut query = Query::new();
    query.add("by", filter.by.as_deref());
    query.add("verb", filter.verb.as_deref());
    query.add("object", filter.object.as_deref());
    query.add("after", after.map(Cursor::as_str));
    query.on("/activity")
}

#[component]
fn List(
    page: Page<ActivityRow>,
    filter: ActivityFilter,
    is_first: bool,
    around: Around,
) -> impl IntoView {
    let own = &words().activity;
    let now = page.as_of;
    let (list, may_export) = (around.here.clone(), around.may_export);
    let older = page.next.as_ref().map(|next| address(&filter, Some(next)));
    let newest = (!is_first).then(|| address(&filter, None));
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
        <Views around/>
        <Filter filter/>
        <div class="panel">
            <table class="stack">
                <caption>{own.caption}</caption>
                <thead>
                    <tr>
                        <th scope="col" aria-sort="descending">{columns.at}</th>
                        <th scope="col">{columns.by}</th>
                        <th scope="col">{columns.verb}</th>
                        <th scope="col">{columns.object}</th>
                        <th scope="col">{columns.change}</th>
                        <th scope="col">{columns.reason}</th>
                        <th scope="col">{columns.result}</th>
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
fn Filter(filter: ActivityFilter) -> impl IntoView {
    let (words, own) = (&words().filter, &words().activity);
    let clear = !filter.is_empty();
    view! {
        <form class="filter" method="get" action="/activity" role="search" aria-label=words.name>
            <label>{own.columns.by}<input type="search" name="by" value=filter.by data-key="/"/></label>
            <label>{own.columns.verb}<input type="search" name="verb" value=filter.verb placeholder="reprocess"/></label>
            <label>{own.columns.object}<input type="search" name="object" value=filter.object placeholder="rep_…"/></label>
            <button type="submit">{words.apply}</button>
            {clear.then(|| view! { <a href="/activity">{words.clear}</a> })}
        </form>
    }
}

#[component]
fn Line(row: ActivityRow, now: At) -> impl IntoView {
    let words = words();
    let own = &words.activity;
    let columns = &own.columns;
    let role = Role::from_stored(&row.role).map_or(own.program, words.domain.role);
    let object = row.object.clone();
    let object = match row.address {
        Some(address) => view! { <a href=address><code>{object}</code></a> }.into_any(),
        None => view! { <code>{object}</code> }.into_any(),
    };
    let before = row.before.map(|before| view! { <del>{before}</del>" " });
    let after = row.after.map(|after| view! { <ins>{after}</ins> });
    view! {
        <tr id=format!("a-{}", row.place)>
            <th scope="row" class="number" data-label=columns.at><Stamp at=row.at now/></th>
            <td data-label=columns.by>{row.by}<span class="role">{role}</span></td>
            <td data-label=columns.verb>{(own.verb_of)(&row.verb)}</td>
            <td data-label=columns.object>{object}</td>
            <td class="change" data-label=columns.change>{before}{after}</td>
            <td data-label=columns.reason dir="auto">{row.reason}</td>
            <td data-label=columns.result>
                <span class="state" data-result=row.result.stored()>{(own.result_of)(row.result)}</span>
            </td>
        </tr>
    }
}
