//! `/operations/{op}`: what is planned, how far it is, and what came of each reply.

mod sheet;
mod steering;

use crate::api::{OperationAsked, SaidTerms, open_operation};
use crate::parts::Trouble;
use crate::view::OperationId;
use crate::words::words;
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use sheet::OperationSheet;

/// An operation's page.
#[component]
pub(crate) fn OperationPage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let wanted = Memo::new(move |_| {
        let query = query.read();
        let given = |name| query.get(name).filter(|value: &String| !value.is_empty());
        OperationAsked {
            id: OperationId(params.read().get("op").unwrap_or_default()),
            outcome: given("outcome"),
            after: given("after").map(Into::into),
            said: SaidTerms::of(&query),
        }
    });
    let view = Resource::new_blocking(
        move || wanted.get(),
        async |asked| (asked.clone(), open_operation(asked).await),
    );
    view! {
        <Transition fallback=move || view! { <p role="status">{words().shell.loading}</p> }>
            {move || Suspend::new(async move {
                match view.await {
                    (asked, Ok(view)) => view! { <OperationSheet asked view/> }.into_any(),
                    (_, Err(error)) => view! { <Trouble error/> }.into_any(),
                }
            })}
        </Transition>
    }
}
