//! The views of a list, and the form that saves the present one.

use crate::view::Around;
use crate::words::words;
use leptos::prelude::*;

/// Ready-made and saved views, the one that is looked at marked; and the form that gives the present filter a name.
#[component]
pub(crate) fn Views(around: Around) -> impl IntoView {
    let own = &words().views;
    let is_saved = around.views.iter().any(|view| view.address == around.here);
    let links = around
        .views
        .into_iter()
        .map(|view| {
            let current = (view.address == around.here).then_some("page");
            view! { <li><a href=view.address aria-current=current>{view.name}</a></li> }
        })
        .collect_view();
    let save = (!is_saved).then(|| {
        view! {
            <details class="save-view">
                <summary>{own.save}</summary>
                <form method="post" action="/views">
                    <input type="hidden" name="address" value=around.here/>
                    <label>{own.name}<input name="name" required maxlength="64"/></label>
                    <label class="check">
                        <input type="checkbox" name="shared" value="yes" disabled=!around.may_share/>
                        {own.shared}
                    </label>
                    <button type="submit">{own.save_it}</button>
                </form>
            </details>
        }
    });
    view! {
        <div class="views">
            <nav class="tabs" aria-label=own.title><ul>{links}</ul></nav>
            {save}
            <a href="/views" rel="external">{own.manage}</a>
        </div>
    }
}
