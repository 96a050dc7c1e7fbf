//! Where the reader is signed in, and the ends of it.

use crate::parts::Stamp;
use crate::view::{At, SignInRow};
use crate::words::words;
use leptos::prelude::*;

/// The sign-ins, each with the button that ends it.
#[component]
pub(super) fn SignIns(rows: Vec<SignInRow>, now: At) -> impl IntoView {
    let own = &words().me;
    let others = rows.iter().filter(|row| !row.is_this).count();
    let lines = rows
        .into_iter()
        .map(|row| view! { <Line row now/> })
        .collect_view();
    let columns = own.sign_in_columns;
    view! {
        <table class="stack">
            <caption class="quiet">{own.sign_ins}</caption>
            <thead>
                <tr>{columns.map(|column| view! { <th scope="col">{column}</th> }).collect_view()}</tr>
            </thead>
            <tbody>{lines}</tbody>
        </table>
        {(others > 0).then(|| view! {
            <form method="post" action="/settings/sign-ins" class="buttons">
                <button type="submit" name="deed" value="end_others">{(own.end_others)(others)}</button>
                <span class="hint">{own.end_hint}</span>
            </form>
        })}
    }
}

#[component]
fn Line(row: SignInRow, now: At) -> impl IntoView {
    let own = &words().me;
    let [browser_column, since_column, seen_column, end_column] = own.sign_in_columns;
    let browser = if row.browser.is_empty() {
        own.some_browser.to_owned()
    } else {
        row.browser
    };
    let end = if row.is_this {
        view! { <span class="hint">{own.this_one}</span> }.into_any()
    } else {
        view! {
            <form method="post" action="/settings/sign-ins">
                <input type="hidden" name="id" value=row.id/>
                <button type="submit" name="deed" value="end" class="bare">{own.end}</button>
            </form>
        }
        .into_any()
    };
    view! {
        <tr>
            <th scope="row" data-label=browser_column>{browser}</th>
            <td data-label=since_column><Stamp at=row.since now/></td>
            <td data-label=seen_column><Stamp at=row.seen now/></td>
            <td data-label=end_column>{end}</td>
        </tr>
    }
}
