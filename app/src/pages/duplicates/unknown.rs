//! Calls that wait for a person to say whether they happened.

use crate::parts::{PersonalText, Stamp};
use crate::view::query::segment;
use crate::view::{At, RequestId, UnknownCall};
use crate::words::words;
use leptos::prelude::*;

/// A form for each of them.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(super) fn Unknown(
    calls: Vec<UnknownCall>,
    now: At,
    may_settle: bool,
    request_id: RequestId,
) -> impl IntoView {
    let own = &words().duplicates;
    let missing = (!may_settle).then_some(own.may_not_settle);
    let lines = calls
        .into_iter()
        .map(|call| {
            let address = format!("/duplicates/calls/{}", segment(&call.id));
            let request = format!("{}-{}", request_id.0, call.id);
            view! {
                <li id=call.id>
                    <p>
                        <code>{call.tool}</code>" "{call.channel.name}" "<PersonalText text=call.contact/>" "
                        <Stamp at=call.at now/>" "{call.code.map(|code| view! { <code>{code}</code> })}
                    </p>
                    <p><PersonalText text=call.what/></p>
                    <form class="filter" method="post" action=address>
                        <input type="hidden" name="request_id" value=request/>
                        <label>{own.how_known}<input name="reason" required maxlength="500" disabled=!may_settle/></label>
                        <button type="submit" name="outcome" value="done" disabled=!may_settle>{own.happened}</button>
                        <button type="submit" name="outcome" value="failed" disabled=!may_settle>{own.not_happened}</button>
                    </form>
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="notice" aria-labelledby="unknown">
            <h2 id="unknown">{own.unknown_title}</h2>
            <p>{own.unknown_hint}</p>
            {missing.map(|text| view! { <p class="hint">{text}</p> })}
            <ul class="calls">{lines}</ul>
        </section>
    }
}
