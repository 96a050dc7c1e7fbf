//! The lab on screen: the setting, sentences to try it on, what was recorded under it, and saving it.

use super::played::Played;
use super::replayed::Replayed;
use crate::api::{LabAsked, LabView};
use crate::parts::{Erase, Notice, changing, still, zone};
use crate::view::{ConsoleError, LAB_KEYS, ReplayRange, SettingValue, proposed, written};
use crate::words::words;
use leptos::prelude::*;
use replygate_gate::debounce::Windows;

/// The name of the field with the sentences.
const SCRIPT: &str = "script";

/// What is typed into the form; plain values where no script runs.
#[derive(Clone, Copy)]
pub(super) struct Typed {
    values: [RwSignal<String>; LAB_KEYS.len()],
    /// The sentences with their times.
    pub(super) script: RwSignal<String>,
}

impl Typed {
    fn of(asked: &LabAsked, in_force: &Windows) -> Self {
        let written = written(in_force);
        let first = |place: usize| {
            let given = asked
                .typed
                .iter()
                .find(|given| given.key == LAB_KEYS[place]);
            given.map_or_else(|| written[place].clone(), |given| given.value.clone())
        };
        let script = asked.script.clone();
        Self {
            values: std::array::from_fn(|place| RwSignal::new(first(place))),
            script: RwSignal::new(script.unwrap_or_else(|| words().lab.first_script.to_owned())),
        }
    }

    /// Takes over what stands in the fields. A person may have typed before the scripts were there, and a browser that
    /// loads the page again fills in what stood there before.
    #[cfg(feature = "hydrate")]
    fn take_over(self) {
        let fields = LAB_KEYS.into_iter().zip(self.values);
        let all = fields.chain([(SCRIPT, self.script)]);
        Effect::new(move |_| {
            for (name, value) in all.clone() {
                let typed = crate::browser::typed_into(name);
                if let Some(typed) = typed.filter(|typed| value.with_untracked(|old| old != typed))
                {
                    value.set(typed);
                }
            }
        });
    }

    /// The windows that are typed, or what is wrong with them.
    fn windows(self, base: &Windows) -> Result<Windows, ConsoleError> {
        let values = LAB_KEYS.into_iter().zip(self.values);
        let typed: Vec<_> = values
            .map(|(key, value)| SettingValue {
                key: key.to_owned(),
                value: value.get(),
            })
            .collect();
        proposed(base, &typed)
    }
}

/// The page.
#[component]
pub(in crate::pages) fn LabSheet(asked: LabAsked, view: LabView) -> impl IntoView {
    let own = &words().lab;
    let setting = view.setting.clone();
    let (in_force, channel) = (setting.windows, setting.channel.clone());
    let typed = Typed::of(&asked, &in_force);
    #[cfg(feature = "hydrate")]
    typed.take_over();
    let windows = Memo::new(move |_| typed.windows(&in_force));
    let title = (own.title)(&channel.name);
    #[cfg(feature = "ssr")]
    crate::parts::title({
        let title = words().titled(&title);
        move || title.clone()
    });
    let address = channel.id.lab_address();
    let (reset, saving) = (address.clone(), address.clone());
    let version = setting.version.clone();
    let (replay, as_of) = (view.replay.clone(), view.as_of);
    let saved_at = zone().long(version.at);
    let commands = StoredValue::new(setting.commands.clone());
    view! {
        {still!(view! {
        <div class="heading">
            <h1 tabindex="-1">{title}</h1>
            <p class="live">
                {(own.in_force)(version.number, &version.by, &saved_at)}
                " "<a href=channel.id.address()>{own.all_settings}</a>
            </p>
        </div>
        })}
        {view.told.clone().map(|told| still!(view! { <Notice told/> }))}
        <form class="lab" method="get" action=address>
            <section aria-labelledby="setting">
                <h2 id="setting">{own.setting}</h2>
                <Fields typed in_force windows/>
                <Warnings windows/>
                <p><a href=reset>{own.reset}</a></p>
            </section>
            <section aria-labelledby="try">
                <h2 id="try">{own.try_it}</h2>
                <Script typed/>
                <Played script=typed.script commands in_force windows/>
            </section>
            {still!(view! {
            <section class="wide" aria-labelledby="replay">
                <h2 id="replay">{own.replay}</h2>
                <Range chosen=asked.replay/>
                {replay.map(|replay| view! { <Replayed replay as_of/> })}
            </section>
            })}
            <Save view windows address=saving/>
        </form>
    }
}

/// The fields, each with what it does; a value that is not allowed says so below it.
#[component]
fn Fields(
    typed: Typed,
    in_force: Windows,
    windows: Memo<Result<Windows, ConsoleError>>,
) -> impl IntoView {
    let own = &words().lab;
    let before = written(&in_force);
    LAB_KEYS
        .into_iter()
        .zip(typed.values)
        .zip(before)
        .map(|((key, value), before)| {
            let (name, effect) = (own.field)(key);
            let wrong = move || match windows.get() {
                Err(ConsoleError::Invalid { field, allowed, .. }) if field == key => {
                    Some((own.wrong)(&allowed))
                }
                _ => None,
            };
            let hint = format!("hint-{key}");
            let changed = {
                let before = before.clone();
                move || (value.get() != before).then(|| (own.was)(&before))
            };
            let first = value.get_untracked();
            let invalid = move || wrong().is_some().then_some("true");
            let field = if key == "debounce.enabled" {
                let is_on = first == "true";
                view! {
                    <select name=key aria-describedby=hint.clone() on:change=move |event| value.set(event_target_value(&event))>
                        <option value="true" selected=is_on>{own.on}</option>
                        <option value="false" selected=!is_on>{own.off}</option>
                    </select>
                }
                .erased()
            } else {
                view! {
                    <input name=key value=first inputmode="numeric" autocomplete="off" aria-describedby=hint.clone()
                        aria-invalid=invalid on:input=move |event| value.set(event_target_value(&event))/>
                }
                .erased()
            };
            view! {
                <label>
                    <span class="name">{name}</span>
                    {field}
                    <span class="hint" id=hint>
                        {effect}" "<b>{changed}</b>
                        {changing(move || wrong().map(|text| view! { " "<span class="wrong">{text}</span> }))}
                    </span>
                </label>
            }
        })
        .collect_view()
}

/// What is allowed and still to be thought about.
#[component]
fn Warnings(windows: Memo<Result<Windows, ConsoleError>>) -> impl IntoView {
    move || {
        let found = windows
            .get()
            .ok()
            .map(|windows| (words().lab.warnings)(&windows));
        let lines = found.unwrap_or_default().into_iter();
        lines
            .map(|text| view! { <p class="warning" role="status">{text}</p> })
            .collect_view()
    }
}

/// The sentences. With scripts a line can also be added at the moment it is typed.
#[component]
fn Script(typed: Typed) -> impl IntoView {
    let own = &words().lab;
    let script = typed.script;
    let field = NodeRef::<leptos::html::Textarea>::new();
    let presets = own
        .presets
        .iter()
        .map(|(name, text)| {
            let query = format!("?script={}", crate::view::query::segment(text));
            let set = move |event: leptos::ev::MouseEvent| {
                event.prevent_default();
                if let Some(field) = field.get_untracked() {
                    field.set_value(text);
                }
                script.set((*text).to_owned());
            };
            view! { <li><a href=query on:click=set>{*name}</a></li> }
        })
        .collect_view();
    view! {
        <label>
            <span class="name">{own.script}</span>
            <textarea name=SCRIPT rows="5" maxlength="4000" dir="auto" aria-describedby="script-hint" node_ref=field
                on:input=move |event| script.set(event_target_value(&event))>{script.get_untracked()}</textarea>
        </label>
        <p class="hint" id="script-hint">{own.script_hint}</p>
        <ul class="presets" aria-label=own.presets_name>{presets}</ul>
        <p class="buttons"><button type="submit">{own.play}</button><span class="hint">{own.play_hint}</span></p>
    }
}

/// Which recorded messages are replayed.
#[component]
fn Range(chosen: Option<String>) -> impl IntoView {
    let own = &words().lab;
    let choices = ReplayRange::ALL
        .iter()
        .map(|range| {
            let class = (chosen.as_deref() == Some(range.stored())).then_some("primary");
            view! {
                <button type="submit" name="replay" value=range.stored() class=class>{(own.range_of)(*range)}</button>
            }
        })
        .collect_view();
    view! {
        <p class="hint">{own.replay_hint}</p>
        <div class="buttons">{choices}</div>
    }
}

/// Saving what is typed as a new version, and the way back to the one before.
#[component]
fn Save(
    view: LabView,
    windows: Memo<Result<Windows, ConsoleError>>,
    address: String,
) -> impl IntoView {
    let own = &words().lab;
    let setting = view.setting.clone();
    let (in_force, may_save) = (setting.windows, view.may_save);
    let channel = setting.channel.id.clone();
    let is_same = move || windows.get() == Ok(in_force);
    let is_wrong = move || windows.get().is_err();
    // Without scripts the server looks at what is sent.
    let disabled = move || !may_save || (cfg!(feature = "hydrate") && is_wrong());
    let told = move || {
        if !may_save {
            return own.may_not.to_owned();
        }
        match windows.get() {
            Ok(_) if is_same() => own.unchanged.to_owned(),
            Ok(proposed) => (own.difference)(&in_force, &proposed),
            Err(_) => own.not_allowed.to_owned(),
        }
    };
    let request = view.request_id.0.clone();
    let back = setting.earlier.map(|earlier| {
        view! {
            <button type="submit" name="deed" value="roll_back" formmethod="post" formaction=channel.address()
                disabled=!may_save>{(own.roll_back)(earlier)}</button>
            <input type="hidden" name="to" value=earlier/>
        }
    });
    view! {
        <section class="wide save" aria-labelledby="save">
            <h2 id="save">{(own.save_title)(setting.version.number + 1, &setting.channel.name)}</h2>
            <p aria-live="polite">{told}</p>
            <input type="hidden" name="base" value=setting.version.number/>
            <input type="hidden" name="request_id" value=request/>
            <label>
                <span class="name">{own.reason}</span>
                <input name="reason" maxlength="500" disabled=!may_save autocomplete="off"/>
            </label>
            <div class="buttons">
                <button type="submit" class="primary" formmethod="post" formaction=address disabled=disabled>{own.save}</button>
                {back}
                <span class="hint">{own.save_hint}</span>
            </div>
        </section>
    }
}
