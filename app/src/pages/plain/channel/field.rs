//! One setting as a field: what it is, what it changes, what is allowed, and whether somebody set it.

use super::RefusedSettings;
use crate::view::{ConsoleError, Setting};
use crate::words::words;
use leptos::prelude::*;

/// Longer values are written on several lines.
const LONG: usize = 40;

#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(super) fn Field(setting: Setting, refused: RefusedSettings, may_save: bool) -> impl IntoView {
    let own = &words().channel;
    let key = setting.key.clone();
    let (label, effect) = (own.setting)(&key);
    let typed = refused.fields.iter().find(|(name, _)| *name == key);
    let value = typed.map_or_else(|| setting.value.clone(), |(_, value)| value.clone());
    let is_wrong = match &refused.error {
        Some(ConsoleError::Invalid { field, .. }) => *field == key,
        _ => false,
    };
    let is_set = setting.value != setting.default;
    let hint = format!("hint-{key}");
    let meaning = (own.in_words)(&key, &value);
    let allowed = (own.allowed)(&setting.allowed, &setting.default);
    let wrong = is_wrong.then_some(own.wrong);
    view! {
        <label data-set=is_set.then_some("yes")>
            <span class="name">{label}" "<code>{key}</code></span>
            {input(&setting, value, is_wrong, !may_save, &hint)}
            <span class="hint" id=hint>
                {wrong.map(|text| view! { <strong class="wrong">{text}</strong>" " })}
                {meaning.map(|text| view! { <b>{text}</b>" " })}
                {effect}" "{allowed}
            </span>
        </label>
    }
}

fn input(setting: &Setting, value: String, is_wrong: bool, disabled: bool, hint: &str) -> AnyView {
    let (name, hint) = (setting.key.clone(), hint.to_owned());
    let invalid = is_wrong.then_some("true");
    let choices = setting.choices();
    if !choices.is_empty() {
        let options = choices
            .into_iter()
            .map(|choice| {
                let word = (words().channel.value)(&name, choice);
                let is_chosen = choice == value;
                view! { <option value=choice.to_owned() selected=is_chosen>{word}</option> }
            })
            .collect_view();
        return view! {
            <select name=name.clone() aria-describedby=hint aria-invalid=invalid disabled=disabled>{options}</select>
        }
        .into_any();
    }
    if value.chars().count() > LONG {
        return view! {
            <textarea name=name rows="3" aria-describedby=hint aria-invalid=invalid disabled=disabled
                spellcheck="false">{value}</textarea>
        }
        .into_any();
    }
    view! {
        <input name=name value=value aria-describedby=hint aria-invalid=invalid disabled=disabled
            autocomplete="off" spellcheck="false"/>
    }
    .into_any()
}
