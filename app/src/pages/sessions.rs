//! `/sessions`: what is going on, newest activity first.

mod filter;
mod list;
mod row;
mod rows;

use crate::api::list_sessions;
use crate::parts::Trouble;
use crate::words::words;
use filter::Wanted;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use list::SessionList;

pub(super) use row::WindowBar;

/// The sessions page.
#[component]
pub(crate) fn SessionsPage() -> impl IntoView {
    let words = words();
    let query = use_query_map();
    let wanted = Memo::new(move |_| Wanted::read(&query.read()));
    let view = Resource::new_blocking(
        move || wanted.get(),
        async |wanted| {
            let wanted = wanted?;
            let view = list_sessions(wanted.filter.clone(), wanted.page()).await?;
            Ok((wanted, view))
        },
    );
    view! {
        <Title text=words.titled(words.sessions.title)/>
        <Transition fallback=move || view! { <p role="status">{words.shell.loading}</p> }>
            {move || Suspend::new(async move {
                match view.await {
                    Ok((wanted, view)) => view! { <SessionList wanted view/> }.into_any(),
                    Err(error) => view! { <Trouble error/> }.into_any(),
                }
            })}
        </Transition>
    }
}
