//! `/sessions/{sid}`: one customer's session. Looked at as a conversation, on an axis of time, or event by event; beside
//! it how it stands and what a person may do about it.

mod actions;
mod bubble;
mod conversation;
mod events;
mod sheet;
mod standing;
mod timeline;

use crate::api::{SaidTerms, SessionAsked, open_session};
use crate::parts::Trouble;
use crate::view::SessionId;
use crate::words::words;
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use sheet::SessionSheet;

#[cfg(feature = "ssr")]
pub(crate) use bubble::Bubble;
#[cfg(feature = "ssr")]
pub(crate) use events::EventLine;

/// A session's page.
#[component]
pub(crate) fn SessionPage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let wanted = Memo::new(move |_| {
        let query = query.read();
        let given = |name| query.get(name).filter(|value: &String| !value.is_empty());
        SessionAsked {
            id: SessionId(params.read().get("sid").unwrap_or_default()),
            tab: given("view"),
            after: given("after").map(Into::into),
            said: SaidTerms::of(&query),
        }
    });
    let view = Resource::new_blocking(
        move || wanted.get(),
        async |asked| (asked.clone(), open_session(asked).await),
    );
    view! {
        <Transition fallback=move || view! { <p role="status">{words().shell.loading}</p> }>
            {move || Suspend::new(async move {
                match view.await {
                    (asked, Ok(view)) => view! { <SessionSheet asked view/> }.into_any(),
                    (_, Err(error)) => view! { <Trouble error/> }.into_any(),
                }
            })}
        </Transition>
    }
}
