//! The versions of a channel's settings: who changed what, why, and the way back. `/channels/{cid}/versions/{n}` is one
//! of them.

use crate::parts::{Heading, Paging, Stamp, Trouble};
use crate::plain::Asked;
use crate::view::query::Query;
use crate::view::{
    At, ChannelId, ChannelSettings, ConsoleError, Page, Permission, RequestId, SavedVersion,
    SettingChange,
};
use crate::words::words;
use leptos::prelude::*;

/// The list below a channel's form, newest first.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(super) fn Versions(
    channel: ChannelId,
    in_force: u32,
    versions: Page<SavedVersion>,
    is_first: bool,
    may_save: bool,
    request_id: RequestId,
) -> impl IntoView {
    let own = &words().channel;
    let now = versions.as_of;
    let older = versions.next.as_ref().map(|next| {
        let mut query = Query::new();
        query.add("after", Some(next.as_str()));
        format!("{}#versions", query.on(&channel.address()))
    });
    let newest = (!is_first).then(|| format!("{}#versions", channel.address()));
    let lines = versions
        .rows
        .into_iter()
        .map(|saved| {
            let version = saved.version;
            let back = Back {
                channel: channel.clone(),
                base: in_force,
                to: version.number,
                request_id: format!("{}-{}", request_id.0, version.number),
            };
            let address = channel.version_address(version.number);
            let action = if version.number == in_force {
                view! { <span class="state">{own.in_force}</span> }.into_any()
            } else {
                view! { <RollBackForm back may_save/> }.into_any()
            };
            view! {
                <tr>
                    <th scope="row" class="number" data-label=own.version><a href=address>{version.number}</a></th>
                    <td class="number" data-label=own.at><Stamp at=version.at now/></td>
                    <td data-label=own.by>{version.by}</td>
                    <td class="change" data-label=own.changed><Changes changes=saved.changes/></td>
                    <td data-label=own.reason dir="auto">{version.reason}</td>
                    <td data-label=own.back>{action}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="versions">
            <h2 id="versions">{own.versions}</h2>
            <div class="panel">
                <table class="stack">
                    <caption class="quiet">{own.versions}</caption>
                    <thead>
                        <tr>
                            <th scope="col" aria-sort="descending">{own.version}</th>
                            <th scope="col">{own.at}</th>
                            <th scope="col">{own.by}</th>
                            <th scope="col">{own.changed}</th>
                            <th scope="col">{own.reason}</th>
                            <th scope="col">{own.back}</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
            <Paging newest older/>
        </section>
    }
}

/// What differs, setting by setting.
#[component]
fn Changes(changes: Vec<SettingChange>) -> impl IntoView {
    let own = &words().channel;
    if changes.is_empty() {
        return view! { <span class="hint">{own.nothing_changed}</span> }.into_any();
    }
    let lines = changes
        .into_iter()
        .map(|change| {
            let told = |value: String| {
                if value.is_empty() {
                    own.not_set.to_owned()
                } else {
                    value
                }
            };
            let (before, after) = (told(change.before), told(change.after));
            view! { <li><code>{change.key}</code>" "<del>{before}</del>" "<ins>{after}</ins></li> }
        })
        .collect_view();
    view! { <ul class="changes">{lines}</ul> }.into_any()
}

/// A way back.
#[derive(Clone)]
struct Back {
    channel: ChannelId,
    base: u32,
    to: u32,
    request_id: String,
}

#[component]
fn RollBackForm(back: Back, may_save: bool) -> impl IntoView {
    let own = &words().channel;
    let number = back.to;
    view! {
        <form method="post" action=back.channel.address()>
            <input type="hidden" name="base" value=back.base/>
            <input type="hidden" name="to" value=number/>
            <input type="hidden" name="request_id" value=back.request_id/>
            <button type="submit" name="deed" value="roll_back" disabled=!may_save>{(own.roll_back)(number)}</button>
        </form>
    }
}

/// The page of one version.
pub(in crate::pages::plain) async fn version_page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(shown) => view! { <Sheet shown/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

struct Shown {
    version: ChannelSettings,
    in_force: ChannelSettings,
    may_save: bool,
    request_id: RequestId,
    now: At,
}

async fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let id = ChannelId(asked.segment(1));
    let number = asked.path.rsplit('/').next().unwrap_or_default();
    let number: u32 = number.parse().map_err(|_| ConsoleError::NotFound {
        what: "version".to_owned(),
    })?;
    Ok(Shown {
        version: console.settings(&caller, id.clone(), Some(number)).await?,
        in_force: console.settings(&caller, id, None).await?,
        may_save: caller.may(Permission::SaveSettings),
        request_id: console.mint(),
        now: console.now(),
    })
}

#[component]
fn Sheet(shown: Shown) -> impl IntoView {
    let words = words();
    let own = &words.channel;
    let now = shown.now;
    let (version, id) = (
        shown.version.version.clone(),
        shown.version.channel.id.clone(),
    );
    let base = shown.in_force.version.number;
    let back = (version.number != base).then(|| Back {
        channel: id.clone(),
        base,
        to: version.number,
        request_id: shown.request_id.0,
    });
    let changes = SettingChange::between(&shown.in_force.settings, &shown.version.settings);
    let values = shown
        .version
        .settings
        .into_iter()
        .map(|setting| {
            let (name, _) = (own.setting)(&setting.key);
            view! {
                <tr>
                    <th scope="row" data-label=own.name>{name}" "<code>{setting.key}</code></th>
                    <td data-label=own.value_column><code>{setting.value}</code></td>
                </tr>
            }
        })
        .collect_view();
    let name = &shown.version.channel.name;
    view! {
        <Heading title=(own.version_title)(name, version.number) at=now/>
        <dl class="facts">
            <div><dt>{own.by}</dt><dd>{version.by}</dd></div>
            <div><dt>{own.at}</dt><dd><Stamp at=version.at now/></dd></div>
            {version.reason.map(|reason| view! { <div><dt>{own.reason}</dt><dd dir="auto">{reason}</dd></div> })}
            <div><dt>{own.in_force}</dt><dd><a href=id.address()>{(words.channels.version)(base)}</a></dd></div>
        </dl>
        {back.map(|back| view! {
            <section aria-labelledby="difference">
                <h2 id="difference">{(own.difference)(base, back.to)}</h2>
                <div class="change"><Changes changes/></div>
                <RollBackForm back may_save=shown.may_save/>
            </section>
        })}
        <section aria-labelledby="values">
            <h2 id="values">{own.all_settings}</h2>
            <div class="panel">
                <table class="stack">
                    <caption class="quiet">{own.all_settings}</caption>
                    <thead><tr><th scope="col">{own.name}</th><th scope="col">{own.value_column}</th></tr></thead>
                    <tbody>{values}</tbody>
                </table>
            </div>
        </section>
    }
}
