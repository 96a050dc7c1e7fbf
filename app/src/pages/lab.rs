//! `/channels/{cid}/debounce`: a setting that is tried out before it is in force. One form: it is tried by its address, with
//! GET, and saved by POST. With scripts what is typed is played at once, by the very rules of the server.

mod lanes;
mod played;
mod replayed;
mod sheet;

use crate::api::{LabAsked, SaidTerms, open_lab};
use crate::parts::Trouble;
use crate::view::{ChannelId, LAB_KEYS, SettingValue};
use crate::words::words;
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use leptos_router::params::ParamsMap;
use sheet::LabSheet;

/// A channel's lab.
#[component]
pub(crate) fn LabPage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let wanted = Memo::new(move |_| {
        let query = query.read();
        let given = |name| query.get(name).filter(|value: &String| !value.is_empty());
        LabAsked {
            channel: ChannelId(params.read().get("cid").unwrap_or_default()),
            typed: typed(&query),
            script: given("script"),
            replay: given("replay"),
            saved: given("saved"),
            said: SaidTerms::of(&query),
        }
    });
    let view = Resource::new_blocking(
        move || wanted.get(),
        async |asked| (asked.clone(), open_lab(asked).await),
    );
    view! {
        <Transition fallback=move || view! { <p role="status">{words().shell.loading}</p> }>
            {move || Suspend::new(async move {
                match view.await {
                    (asked, Ok(view)) => view! { <LabSheet asked view/> }.into_any(),
                    (_, Err(error)) => view! { <Trouble error/> }.into_any(),
                }
            })}
        </Transition>
    }
}

/// The settings in an address, also those that are there and empty.
fn typed(query: &ParamsMap) -> Vec<SettingValue> {
    let keys = LAB_KEYS.into_iter();
    keys.filter_map(|key| {
        Some(SettingValue {
            key: key.to_owned(),
            value: query.get(key)?,
        })
    })
    .collect()
}
