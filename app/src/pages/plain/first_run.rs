//! `/first-run?token=…`: sets a first password; the server answers the form, see [`mount`](crate::mount).

use crate::plain::Asked;
use crate::words::words;
use leptos::prelude::*;
use leptos_meta::Title;

/// The form for the first password.
pub(super) async fn page(asked: Asked) -> AnyView {
    let door = &words().door;
    let token = asked.term("token");
    let refused = asked.term("why").and_then(|why| match why.as_str() {
        "used" => Some(door.link_used),
        "differ" => Some(door.differ),
        "short" => Some(door.too_short),
        _ => None,
    });
    let console = crate::api::asking::console().ok();
    let name = match (&console, &token) {
        (Some(console), Some(token)) => console.invited(token.clone()).await,
        _ => None,
    };
    let form = match (token, name) {
        (None, _) => view! { <p class="notice" role="alert">{door.no_link}</p> }.into_any(),
        // Without a name the link was used: the answer to the form says so.
        (Some(token), name) => {
            let name = name.unwrap_or_default();
            view! { <Form token name/> }.into_any()
        }
    };
    view! {
        <Title text=words().titled(door.first_run)/>
        <section class="door">
            <h1 tabindex="-1">{door.first_run}</h1>
            {refused.map(|text| view! { <p class="notice" role="alert">{text}</p> })}
            {form}
        </section>
    }
    .into_any()
}

#[component]
fn Form(token: String, name: String) -> impl IntoView {
    let door = &words().door;
    view! {
        <p>{(door.first_run_why)(&name)}</p>
        <form method="post" action="/first-run">
            <input type="hidden" name="token" value=token/>
            <label>
                {door.name}
                <input name="name" value=name autocomplete="username" readonly/>
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
