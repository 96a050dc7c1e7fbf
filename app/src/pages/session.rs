//! `/sessions/{sid}`: one conversation with everything that happened to it.

mod bubble;
mod following;
mod sheet;

use crate::api::open_session;
use crate::parts::Trouble;
use crate::view::{Cursor, SessionId};
use crate::words::words;
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use sheet::SessionSheet;

#[cfg(feature = "ssr")]
pub(crate) use bubble::Bubble;
#[cfg(feature = "ssr")]
pub(crate) use sheet::EventLine;

/// A session's page.
#[component]
pub(crate) fn SessionPage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let wanted = Memo::new(move |_| {
        let id = SessionId(params.read().get("sid").unwrap_or_default());
        let after = query
            .read()
            .get("after")
            .filter(|after| !after.is_empty())
            .map(Cursor);
        (id, after)
    });
    let view = Resource::new_blocking(
        move || wanted.get(),
        async |(id, after)| {
            open_session(id, after.clone())
                .await
                .map(|view| (after, view))
        },
    );
    view! {
        <Transition fallback=move || view! { <p role="status">{words().shell.loading}</p> }>
            {move || Suspend::new(async move {
                match view.await {
                    Ok((after, view)) => view! { <SessionSheet after view/> }.into_any(),
                    Err(error) => view! { <Trouble error/> }.into_any(),
                }
            })}
        </Transition>
    }
}
