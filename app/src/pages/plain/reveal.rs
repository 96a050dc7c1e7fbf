//! `/reveal`: why somebody wants to see texts and contacts. A sign-in is asked once; what is shown afterwards is written
//! down with the same reason.

use super::sign_in::is_inside;
use crate::parts::{Came, Heading, Trouble};
use crate::plain::Asked;
use crate::view::query::Query;
use crate::view::said::Said;
use crate::view::{At, ConsoleError, Permission, Veiled};
use crate::words::words;
use leptos::prelude::*;

/// The page.
#[expect(
    clippy::unused_async,
    reason = "a page may wait; this one has nothing to wait for"
)]
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked) {
        Ok(shown) => view! { <Why shown/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

struct Shown {
    over: Veiled,
    back: String,
    said: Said,
    now: At,
}

fn read(asked: &Asked) -> Result<Shown, ConsoleError> {
    let (console, caller) = asked.inside()?;
    caller.need(Permission::Reveal)?;
    let over = asked.term("of").as_deref().and_then(Veiled::from_stored);
    let missing = || ConsoleError::NotFound {
        what: "text".to_owned(),
    };
    let back = asked.term("back").filter(|back| is_inside(back));
    Ok(Shown {
        over: over.ok_or_else(missing)?,
        back: back.unwrap_or_else(|| "/sessions".to_owned()),
        said: Said::read(|name| asked.term(name)),
        now: console.now(),
    })
}

#[component]
fn Why(shown: Shown) -> impl IntoView {
    let own = &words().veil;
    let refused = match &shown.said {
        Said::Refused(error) => Some((words().after_form)(error)),
        _ => None,
    };
    let (of, back) = (shown.over.stored().to_owned(), shown.back.clone());
    view! {
        <Heading title=own.title at=shown.now/>
        {refused.map(|text| view! { <Came done=false>{text}</Came> })}
        <p>{(own.what)(&shown.over)}</p>
        <form class="fields" method="post" action="/reveal">
            <input type="hidden" name="of" value=of/>
            <input type="hidden" name="back" value=shown.back/>
            <label class="wide">
                {own.reason}
                <input name="reason" required maxlength="500" aria-describedby="why-hint"/>
            </label>
            <p id="why-hint" class="hint">{own.once}</p>
            <div class="buttons">
                <button type="submit" class="primary">{own.show}</button>
                <a href=back>{own.keep}</a>
            </div>
        </form>
    }
}

/// The page that asks why, with the way back.
pub(crate) fn reveal_address(of: &str, back: &str) -> String {
    let mut query = Query::new();
    query.add("of", Some(of));
    query.add("back", Some(back));
    query.on("/reveal")
}
