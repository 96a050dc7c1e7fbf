//! `/first-run?token=…`: sets the first password; the server answers the form, see [`mount`](crate::mount).

use crate::words::words;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

/// The form for the first password.
#[component]
pub(crate) fn FirstRunPage() -> impl IntoView {
    let door = &words().door;
    let query = use_query_map().read_untracked();
    let token = query.get("token").filter(|token| !token.is_empty());
    let refused = query.get("why").and_then(|why| match why.as_str() {
        "used" => Some(door.link_used),
        "differ" => Some(door.differ),
        "short" => Some(door.too_short),
        _ => None,
    });
    let form = token.map_or_else(
        || view! { <p class="notice" role="alert">{door.no_link}</p> }.into_any(),
        |token| view! { <Form token/> }.into_any(),
    );
    view! {
        <Title text=door.first_run/>
        <section class="door">
            <h1 tabindex="-1">{door.first_run}</h1>
            {refused.map(|text| view! { <p class="notice" role="alert">{text}</p> })}
            {form}
        </section>
    }
}

#[component]
fn Form(token: String) -> impl IntoView {
    let door = &words().door;
    view! {
        <p>{door.first_run_why}</p>
        <form method="post" action="/first-run">
            <input type="hidden" name="token" value=token/>
            <label>
                {door.name}
                <input name="name" value="admin" autocomplete="username" readonly/>
            </label>
            <label>
                {door.new_password}
                <input name="password" type="password" autocomplete="new-password" minlength="12"
                    required aria-describedby="rule"/>
            </label>
            <p id="rule" class="hint">{door.password_rule}</p>
            <label>
                {door.repeat}
                <input name="repeat" type="password" autocomplete="new-password" minlength="12"
                    required/>
            </label>
            <button type="submit" class="primary">{door.set}</button>
        </form>
    }
}
