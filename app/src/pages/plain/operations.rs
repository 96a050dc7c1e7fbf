//! `/operations`: every deed on many replies, newest first.

use crate::parts::{Heading, Paging, Stamp, Trouble};
use crate::plain::Asked;
use crate::view::query::Query;
use crate::view::{At, ConsoleError, Cursor, OperationRow, Page, PageQuery};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(page) => view! { <List page after=asked.term("after")/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn read(asked: &Asked) -> Result<Page<OperationRow>, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let after = asked.term("after").map(Cursor);
    console.operations(&caller, PageQuery::behind(after)).await
}

#[component]
fn List(page: Page<OperationRow>, after: Option<String>) -> impl IntoView {
    let own = &words().operations;
    let now = page.as_of;
    let older = page.next.map(|next| {
        let mut query = Query::new();
        query.add("after", Some(next.as_str()));
        query.on("/operations")
    });
    let newest = after.is_some().then(|| "/operations".to_owned());
    let nothing = if after.is_some() {
        own.none_older
    } else {
        own.none_yet
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
        <div class="panel">
            <table class="stack">
                <caption>{own.caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">{columns.what}</th>
                        <th scope="col">{columns.state}</th>
                        <th scope="col">{columns.by}</th>
                        <th scope="col" aria-sort="descending">{columns.planned}</th>
                        <th scope="col">{columns.outcomes}</th>
                        <th scope="col">{columns.reason}</th>
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
fn Line(row: OperationRow, now: At) -> impl IntoView {
    let (own, columns) = (&words().operation, &words().operations.columns);
    let title = (own.title)(&row);
    let outcomes: Vec<String> = row
        .counts
        .iter()
        .map(|(word, count)| format!("{} {count}", (own.outcome_of)(*word)))
        .collect();
    let state = row.state;
    view! {
        <tr>
            <th scope="row" data-label=columns.what><a href=row.id.address()>{title}</a></th>
            <td data-label=columns.state>
                <span class="state" data-operation=state.stored()>{(own.state_of)(state)}</span>
            </td>
            <td data-label=columns.by>{row.by}</td>
            <td class="number" data-label=columns.planned><Stamp at=row.planned now/></td>
            <td data-label=columns.outcomes>{outcomes.join(", ")}</td>
            <td data-label=columns.reason dir="auto">{row.reason}</td>
        </tr>
    }
}
