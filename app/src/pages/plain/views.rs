//! `/views`: every view that the reader may use. `/views/{slug}`: leads to its list.

use crate::parts::{Came, Heading, Trouble};
use crate::plain::Asked;
use crate::view::query::segment;
use crate::view::said::Said;
use crate::view::{At, ConsoleError, ListWord, READY_MADE, SavedRow, Section};
use crate::words::words;
use leptos::prelude::*;

/// Leads to the list, or says that there is no such view.
pub(super) async fn lead(asked: Asked) -> AnyView {
    match address(&asked).await {
        Ok(address) => {
            leptos_axum::redirect(&address);
            ().into_any()
        }
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn address(asked: &Asked) -> Result<String, ConsoleError> {
    let (console, caller) = asked.inside()?;
    console.view_address(&caller, asked.segment(1)).await
}

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(shown) => view! { <Sheet shown/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

struct Shown {
    rows: Vec<SavedRow>,
    is_removed: bool,
    said: Said,
    now: At,
}

async fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let now = console.now();
    Ok(Shown {
        rows: console.saved_views(&caller, None).await?,
        is_removed: asked.term("done").is_some(),
        said: Said::read(|name| asked.term(name)),
        now,
    })
}

#[component]
fn Sheet(shown: Shown) -> impl IntoView {
    let own = &words().views.page;
    let refused = match &shown.said {
        Said::Refused(error) => Some((words().after_form)(error)),
        _ => None,
    };
    let nothing = shown.rows.is_empty().then_some(own.none);
    let heads = own
        .columns
        .map(|column| view! { <th scope="col">{column}</th> });
    let ready = READY_MADE.map(|(list, slug, _)| view! { <ReadyMade list slug/> });
    let saved = shown
        .rows
        .into_iter()
        .map(|row| view! { <Line row/> })
        .collect_view();
    view! {
        <Heading title=own.title at=shown.now/>
        {shown.is_removed.then(|| view! { <Came done=true>{own.removed}</Came> })}
        {refused.map(|text| view! { <Came done=false>{text}</Came> })}
        {nothing.map(|text| view! { <p class="empty">{text}</p> })}
        <div class="panel">
            <table class="stack">
                <caption>{own.caption}</caption>
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{saved}{ready.collect_view()}</tbody>
            </table>
        </div>
    }
}

#[component]
fn Line(row: SavedRow) -> impl IntoView {
    let own = &words().views.page;
    let [name, list, whom, by, remove] = own.columns;
    let (address, action) = (view_address(&row.slug), view_address(&row.slug));
    let end = row.may_remove.then(|| {
        view! {
            <form method="post" action=action>
                <button type="submit" class="bare">{own.remove}</button>
            </form>
        }
    });
    let is_for = if row.is_shared {
        own.everybody
    } else {
        own.private
    };
    view! {
        <tr>
            <th scope="row" data-label=name><a href=address dir="auto">{row.name}</a></th>
            <td data-label=list>{title(row.list)}</td>
            <td data-label=whom>{is_for}</td>
            <td data-label=by>{row.owner}</td>
            <td data-label=remove>{end}</td>
        </tr>
    }
}

#[component]
fn ReadyMade(list: ListWord, slug: &'static str) -> impl IntoView {
    let own = &words().views;
    let [name, of, whom, by, _] = own.page.columns;
    view! {
        <tr>
            <th scope="row" data-label=name><a href=view_address(slug)>{(own.ready_made)(slug)}</a></th>
            <td data-label=of>{title(list)}</td>
            <td data-label=whom>{own.page.everybody}</td>
            <td data-label=by>{own.page.comes_along}</td>
            <td></td>
        </tr>
    }
}

fn view_address(slug: &str) -> String {
    format!("/views/{}", segment(slug))
}

fn title(list: ListWord) -> &'static str {
    let section = match list {
        ListWord::Sessions => Section::Sessions,
        ListWord::Messages => Section::Messages,
        ListWord::Parked => Section::Parked,
        ListWord::Duplicates => Section::Duplicates,
        ListWord::Decisions => Section::Decisions,
        ListWord::Activity => Section::Activity,
    };
    (words().shell.section)(section)
}
