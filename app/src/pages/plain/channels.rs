//! `/channels`: where customers write, whether it works, and how it is set.

use crate::parts::{Heading, Stamp, Trouble};
use crate::plain::Asked;
use crate::view::{At, Channel, ConsoleError};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok((channels, at)) => view! { <List channels at/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn read(asked: &Asked) -> Result<(Vec<Channel>, At), ConsoleError> {
    let (console, caller) = asked.inside()?;
    Ok((console.channels(&caller).await?, console.now()))
}

#[component]
fn List(channels: Vec<Channel>, at: At) -> impl IntoView {
    let own = &words().channels;
    let columns = &own.columns;
    let is_empty = channels.is_empty();
    let lines = channels
        .into_iter()
        .map(|channel| view! { <Line channel now=at/> })
        .collect_view();
    view! {
        <Heading title=own.title at/>
        <div class="panel">
            <table class="stack">
                <caption>{own.caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">{columns.name}</th>
                        <th scope="col">{columns.kind}</th>
                        <th scope="col">{columns.last_inbound}</th>
                        <th scope="col">{columns.last_delivery}</th>
                        <th scope="col">{columns.debounce}</th>
                        <th scope="col">{columns.strategy}</th>
                        <th scope="col">{columns.ladder}</th>
                        <th scope="col">{columns.parked}</th>
                        <th scope="col">{columns.settings}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
            {is_empty.then(|| view! { <p class="empty">{own.none_yet}</p> })}
        </div>
    }
}

#[component]
fn Line(channel: Channel, now: At) -> impl IntoView {
    let own = &words().channels;
    let columns = &own.columns;
    let id = &channel.channel.id;
    let (address, lab) = (id.address(), id.lab_address());
    let parked = format!("/parked?channel={id}");
    let ladder = (own.ladder)(&channel.ladder_ms);
    view! {
        <tr>
            <th scope="row" data-label=columns.name><a href=address>{channel.channel.name}</a></th>
            <td data-label=columns.kind>{channel.kind}</td>
            <td class="number" data-label=columns.last_inbound>{moment(channel.last_inbound, now)}</td>
            <td class="number" data-label=columns.last_delivery>{moment(channel.last_delivery, now)}</td>
            <td class="number" data-label=columns.debounce>
                <a href=lab>{(own.windows)(&channel.debounce)}</a>
            </td>
            <td data-label=columns.strategy>{(words().channel.value)("strategy", &channel.strategy)}</td>
            <td data-label=columns.ladder>{ladder}</td>
            <td class="number" data-label=columns.parked>
                {match channel.parked {
                    0 => view! { <span class="hint">{own.none}</span> }.into_any(),
                    count => view! { <a href=parked>{count}</a> }.into_any(),
                }}
            </td>
            <td data-label=columns.settings>{(own.version)(channel.settings_version)}</td>
        </tr>
    }
}

fn moment(at: Option<At>, now: At) -> AnyView {
    match at {
        Some(at) => view! { <Stamp at now/> }.into_any(),
        None => view! { <span class="hint">{words().channels.never}</span> }.into_any(),
    }
}
