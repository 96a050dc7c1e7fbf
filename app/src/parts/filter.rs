//! The fields of filters. A filter is a form with the method GET: its fields are the address of what it shows.

use super::Erase;
use crate::words::words;
use leptos::prelude::*;

/// The text field, with what is wrong with it below.
#[component]
pub(crate) fn FilterField(
    label: &'static str,
    /// What may be written, while nothing is wrong.
    hint: &'static str,
    value: Option<String>,
    wrong: Option<String>,
) -> impl IntoView {
    let invalid = wrong.is_some().then_some("true");
    let below = wrong.map_or_else(
        || view! { <span id="q-hint" class="hint">{hint}</span> }.erased(),
        |wrong| view! { <span id="q-hint" class="wrong" role="alert">{wrong}</span> }.erased(),
    );
    view! {
        <label class="wide">
            {label}
            <input type="search" name="q" value=value data-key="/" aria-describedby="q-hint"
                aria-invalid=invalid autocapitalize="none" spellcheck="false"/>
            {below}
        </label>
    }
}

/// A choice among words, or any of them.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(crate) fn Options(
    label: &'static str,
    name: &'static str,
    /// Stored word and the word for people.
    options: Vec<(String, String)>,
    chosen: Option<String>,
) -> impl IntoView {
    let options = options
        .into_iter()
        .map(|(value, word)| {
            let is_chosen = chosen.as_ref() == Some(&value);
            view! { <option value=value selected=is_chosen>{word}</option> }
        })
        .collect_view();
    view! {
        <label>{label}<select name=name>
            <option value="">{words().filter.any}</option>
            {options}
        </select></label>
    }
}

/// The ways to other stretches of a list.
#[component]
pub(crate) fn Paging(newest: Option<String>, older: Option<String>) -> impl IntoView {
    let words = &words().filter;
    view! {
        <nav class="paging" aria-label=words.pages>
            {newest.map(|address| view! { <a href=address data-key="[">{words.newest}</a> })}
            {older.map(|address| view! { <a href=address rel="next" data-key="]">{words.older}</a> })}
        </nav>
    }
}
