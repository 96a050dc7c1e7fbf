//! `/channels/{cid}`: a channel's settings as a form, and the versions of them.

mod field;
mod versions;

use crate::parts::{Came, Heading, Stamp, Trouble};
use crate::plain::Asked;
use crate::view::said::Said;
use crate::view::{
    At, ChannelId, ChannelSettings, ConsoleError, Cursor, Page, PageQuery, Permission, RequestId,
    SavedVersion,
};
use crate::words::words;
use field::Field;
use leptos::prelude::*;
use versions::Versions;

pub(super) use versions::version_page;

/// What a form held that was refused: its page shows it again.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefusedSettings {
    /// Names and values as they were typed.
    pub(crate) fields: Vec<(String, String)>,
    /// Why.
    pub(crate) error: Option<ConsoleError>,
}

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(shown) => view! { <Sheet shown/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

struct Shown {
    settings: ChannelSettings,
    versions: Page<SavedVersion>,
    is_first: bool,
    may_save: bool,
    request_id: RequestId,
    said: Said,
    saved: Option<u32>,
    refused: RefusedSettings,
    now: At,
}

async fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let id = ChannelId(asked.segment(1));
    let after = asked.term("after").map(Cursor);
    let is_first = after.is_none();
    let settings = console.settings(&caller, id.clone(), None).await?;
    let query = PageQuery {
        limit: 10,
        ..PageQuery::behind(after)
    };
    Ok(Shown {
        settings,
        versions: console.settings_versions(&caller, id, query).await?,
        is_first,
        may_save: caller.may(Permission::SaveSettings),
        request_id: console.mint(),
        said: Said::read(|name| asked.term(name)),
        saved: asked.term("saved").and_then(|number| number.parse().ok()),
        refused: use_context::<RefusedSettings>().unwrap_or_default(),
        now: console.now(),
    })
}

#[component]
fn Sheet(shown: Shown) -> impl IntoView {
    let words = words();
    let own = &words.channel;
    let now = shown.now;
    let settings = shown.settings;
    let version = settings.version.clone();
    let id = settings.channel.id.clone();
    let (lab, parked) = (id.lab_address(), format!("/parked?channel={id}"));
    let saved = shown
        .saved
        .map(|number| (own.saved)(number, version.number));
    let refused = match (&shown.refused.error, &shown.said) {
        (Some(error), _) | (None, Said::Refused(error)) => Some((words.after_form)(error)),
        _ => None,
    };
    let reason = version.reason.clone();
    view! {
        <Heading title=(own.title)(&settings.channel.name) at=now/>
        {saved.map(|text| view! { <Came done=true>{text}</Came> })}
        {refused.map(|text| view! { <Came done=false>{text}</Came> })}
        <dl class="facts">
            <div><dt>{own.in_force}</dt><dd>{(words.channels.version)(version.number)}</dd></div>
            <div><dt>{own.by}</dt><dd>{version.by.clone()}</dd></div>
            <div><dt>{own.at}</dt><dd><Stamp at=version.at now/></dd></div>
            {reason.map(|reason| view! { <div><dt>{own.reason}</dt><dd dir="auto">{reason}</dd></div> })}
            <div><dt>{own.more}</dt><dd class="links"><a href=lab>{own.lab}</a><a href=parked>{own.parked}</a></dd></div>
        </dl>
        <Form settings refused=shown.refused may_save=shown.may_save request_id=shown.request_id.clone()/>
        <Versions channel=id in_force=version.number versions=shown.versions is_first=shown.is_first
            may_save=shown.may_save request_id=shown.request_id/>
    }
}

/// The settings by group, each with what it changes and what is allowed.
#[component]
fn Form(
    settings: ChannelSettings,
    refused: RefusedSettings,
    may_save: bool,
    request_id: RequestId,
) -> impl IntoView {
    let own = &words().channel;
    let address = settings.channel.id.address();
    let groups = own
        .groups
        .iter()
        .map(|(title, keys)| {
            let fields: Vec<_> = settings
                .settings
                .iter()
                .filter(|setting| keys.iter().any(|key| belongs(&setting.key, key)))
                .map(|setting| {
                    view! { <Field setting=setting.clone() refused=refused.clone() may_save/> }
                })
                .collect();
            (!fields.is_empty()).then(|| {
                view! { <fieldset><legend><h2>{*title}</h2></legend><div class="grid">{fields}</div></fieldset> }
            })
        })
        .collect_view();
    let missing = (!may_save).then(|| (words().may_not)(Permission::SaveSettings));
    let typed = refused.fields.iter().find(|(name, _)| name == "reason");
    let reason = typed.map(|(_, reason)| reason.clone());
    view! {
        <form class="settings" method="post" action=address>
            <input type="hidden" name="base" value=settings.version.number/>
            <input type="hidden" name="request_id" value=request_id.0/>
            {groups}
            <div class="save">
                <label>{own.why}<input name="reason" value=reason maxlength="500" disabled=!may_save/></label>
                <button type="submit" class="primary" name="deed" value="save" disabled=!may_save>{own.save}</button>
                <span class="hint">{missing.unwrap_or_else(|| own.save_hint.to_owned())}</span>
            </div>
        </form>
    }
}

/// Whether a key is `part`, or lies under it.
fn belongs(key: &str, part: &str) -> bool {
    key.strip_prefix(part)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
