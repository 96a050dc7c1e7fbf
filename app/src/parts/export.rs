//! The links that take a list out of the console.

use crate::words::words;
use leptos::prelude::*;

/// Links to the list in each format.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(crate) fn ExportLinks(
    /// The address of the list with its filter: `/messages?status=PARKED`.
    list: String,
    /// Whether the reader may.
    may_export: bool,
) -> impl IntoView {
    let own = &words().export;
    let text = if may_export { own.title } else { own.may_not };
    let links = may_export.then(|| {
        let to = |format: &str| {
            let (path, query) = list.split_at(list.find('?').unwrap_or(list.len()));
            format!("/export{path}.{format}{query}")
        };
        view! {
            " "<a href=to("csv") rel="external" download="">{own.csv}</a>
            " "<a href=to("jsonl") rel="external" download="">{own.jsonl}</a>
        }
    });
    view! { <p class="hint export">{text}{links}</p> }
}
