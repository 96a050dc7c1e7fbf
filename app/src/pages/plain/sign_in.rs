//! `/sign-in`: a plain form that the server answers; see [`mount`](crate::mount) for its fields.

use crate::plain::Asked;
use crate::words::words;
use leptos::prelude::*;
use leptos_meta::Title;

/// The sign-in form.
#[expect(
    clippy::unused_async,
    reason = "a page may wait; this one has nothing to wait for"
)]
pub(super) async fn page(asked: Asked) -> AnyView {
    let door = &words().door;
    let next = asked
        .term("next")
        .filter(|next| is_inside(next))
        .unwrap_or_default();
    let refused = asked.term("why").and_then(|why| match why.as_str() {
        "refused" => Some(door.refused),
        "throttled" => Some(door.throttled),
        "over" => Some(door.over),
        "changed" => Some(door.changed),
        _ => None,
    });
    view! {
        <Title text=words().titled(door.sign_in)/>
        <section class="door">
            <h1 tabindex="-1">{door.sign_in}</h1>
            {refused.map(|text| view! { <p class="notice" role="alert">{text}</p> })}
            <form method="post" action="/sign-in">
                <input type="hidden" name="next" value=next/>
                <label>
                    {door.name}
                    <input name="name" autocomplete="username" autocapitalize="none" required/>
                </label>
                <label>
                    {door.password}
                    <input name="password" type="password" autocomplete="current-password" required/>
                </label>
                <button type="submit" class="primary">{door.enter}</button>
            </form>
        </section>
    }
    .into_any()
}

/// Whether an address stays on this site: a path, and neither `//host` nor a form that browsers read as one.
pub(crate) fn is_inside(address: &str) -> bool {
    address.starts_with('/') && !address[1..].starts_with(['/', '\\'])
}

/// The sign-in page, with the way back to `page`.
pub(crate) fn sign_in_address(page: Option<&str>) -> String {
    let mut query = crate::view::query::Query::new();
    query.add("next", page.filter(|page| *page != "/"));
    query.on("/sign-in")
}

#[cfg(test)]
mod tests {
    use super::is_inside;

    #[test]
    fn the_way_back_never_leads_to_another_site() {
        assert!(is_inside("/sessions?state=idle"));
        for address in [
            "",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "sessions",
        ] {
            assert!(!is_inside(address), "{address}");
        }
    }
}
