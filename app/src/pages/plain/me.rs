//! `/settings/me`: how a person wants to read, and what they may do.

mod sign_ins;

use crate::parts::{Came, Heading, KeysList, Trouble};
use crate::plain::Asked;
use crate::view::said::Said;
use crate::view::{
    At, Caller, ConsoleError, Density, Permission, Shortcuts, SignInRow, Theme, Viewer,
};
use crate::words::words;
use leptos::prelude::*;
use sign_ins::SignIns;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(shown) => view! { <Sheet asked shown/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

struct Shown {
    caller: Caller,
    sign_ins: Vec<SignInRow>,
    at: At,
    zones: Vec<String>,
    said: Said,
}

async fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let (at, zones) = (console.now(), console.zones());
    Ok(Shown {
        sign_ins: console.sign_ins(&caller).await?,
        caller,
        at,
        zones,
        said: Said::read(|name| asked.term(name)),
    })
}

#[component]
fn Sheet(asked: Asked, shown: Shown) -> impl IntoView {
    let me = &words().me;
    let saved = asked.term("saved").is_some();
    let answer = asked.term("password");
    let ended = asked.term("ended").and_then(|count| count.parse().ok());
    let refused = match &shown.said {
        Said::Refused(error) => Some((words().after_form)(error)),
        _ => None,
    };
    let (caller, at, zones) = (shown.caller, shown.at, shown.zones);
    view! {
        <Heading title=me.title at/>
        {ended.map(|count| view! { <Came done=true>{(me.ended)(count)}</Came> })}
        {refused.map(|text| view! { <Came done=false>{text}</Came> })}
        {saved.then(|| view! { <p class="notice done" role="status">{me.saved}</p> })}
        <div class="columns">
            <section aria-labelledby="reading">
                <h2 id="reading">{me.appearance}</h2>
                <Wishes viewer=asked.viewer zones/>
                <h2>{words().keys.title}</h2>
                <KeysList/>
            </section>
            <section aria-labelledby="may">
                {caller.may(Permission::Team).then(|| view! {
                    <p><a href="/settings/team">{words().team.title}</a></p>
                })}
                <h2 id="may">{me.role}</h2>
                <May caller/>
                <h2>{me.sign_ins}</h2>
                <SignIns rows=shown.sign_ins now=at/>
                <h2 id="password">{me.password}</h2>
                <Password answer/>
            </section>
        </div>
    }
}

#[component]
fn Wishes(viewer: Viewer, zones: Vec<String>) -> impl IntoView {
    let me = &words().me;
    let chosen = viewer.chose_zone.then(|| viewer.zone.name.clone());
    let themes = Theme::ALL.iter().map(|theme| {
        let is_chosen = viewer.theme == *theme;
        view! { <option value=theme.stored() selected=is_chosen>{(me.theme_of)(*theme)}</option> }
    });
    let densities = Density::ALL.iter().map(|density| {
        let is_chosen = viewer.density == *density;
        view! { <option value=density.stored() selected=is_chosen>{(me.density_of)(*density)}</option> }
    });
    let zones = zones.into_iter().map(|name| {
        let is_chosen = chosen.as_ref() == Some(&name);
        let value = name.clone();
        view! { <option value=value selected=is_chosen>{name}</option> }
    });
    view! {
        <form class="fields" method="post" action="/settings/me">
            <label>{me.theme}<select name="theme">{themes.collect_view()}</select></label>
            <label>{me.density}<select name="density">{densities.collect_view()}</select></label>
            <label>{me.zone}<select name="zone">
                <option value="">{(me.zone_of_browser)(&viewer.zone.name)}</option>
                {zones.collect_view()}
            </select></label>
            <label class="check">
                <input type="checkbox" name="shortcuts" value="on" aria-describedby="keys-hint"
                    checked=viewer.shortcuts == Shortcuts::On/>
                {me.shortcuts}
            </label>
            <p id="keys-hint" class="hint">{me.shortcuts_hint}</p>
            <div class="buttons">
                <button type="submit" class="primary">{me.save}</button>
                <span class="hint">{me.here_only}</span>
            </div>
        </form>
    }
}

/// The form for another password, and why the last one that was sent did nothing.
#[component]
fn Password(answer: Option<String>) -> impl IntoView {
    let (me, door) = (&words().me, &words().door);
    let wrong = answer.and_then(|answer| match answer.as_str() {
        "differ" => Some(door.differ),
        "refused" => Some(me.password_wrong),
        "short" => Some(door.too_short),
        "throttled" => Some(door.throttled),
        _ => None,
    });
    view! {
        <form class="fields" method="post" action="/settings/password">
            {wrong.map(|text| view! { <p class="notice" role="alert">{text}</p> })}
            <label>
                {me.present_password}
                <input name="present" type="password" autocomplete="current-password" required/>
            </label>
            <label>
                {door.new_password}
                <input name="password" type="password" autocomplete="new-password" minlength="12" required
                    aria-describedby="password-rule"/>
            </label>
            <p id="password-rule" class="hint">{door.password_rule}</p>
            <label>
                {door.repeat}
                <input name="repeat" type="password" autocomplete="new-password" minlength="12" required/>
            </label>
            <p class="hint">{me.password_hint}</p>
            <button type="submit">{door.set}</button>
        </form>
    }
}

#[component]
fn May(caller: Caller) -> impl IntoView {
    let words = words();
    let rows = Permission::ALL.iter().map(|permission| {
        let is_allowed = caller.may(*permission);
        let word = if is_allowed {
            words.me.may
        } else {
            words.me.may_not
        };
        view! {
            <tr data-allowed=is_allowed.to_string()>
                <th scope="row">{(words.domain.permission)(*permission)}</th>
                <td>{word}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let role = (words.domain.role)(caller.role);
    view! {
        <table class="plain">
            <caption>{caller.name}", "{role}</caption>
            <tbody>{rows}</tbody>
        </table>
    }
}
