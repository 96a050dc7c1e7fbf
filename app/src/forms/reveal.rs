//! `POST /reveal`: shows texts and contacts to somebody who may see them, and writes that down. The first time in a sign-in
//! it asks why.

use super::Posted;
use super::posted::{invalid, refusal, see};
use crate::pages::plain::{is_inside, reveal_address};
use crate::view::{ConsoleError, Revealed, Veiled, VeiledList};
use axum::response::Response;

pub(super) async fn post(form: Posted) -> Response {
    let back = form.field("back").filter(|back| is_inside(back));
    let back = back.unwrap_or_else(|| "/sessions".to_owned());
    let of = form.field("of").unwrap_or_default();
    match reveal(&form, &of).await {
        Ok(Revealed::Shown) => see(&back),
        Ok(Revealed::ReasonMissing) => see(&reveal_address(&of, &back)),
        Err(error) => refusal(&reveal_address(&of, &back), &error),
    }
}

async fn reveal(form: &Posted, of: &str) -> Result<Revealed, ConsoleError> {
    let over = Veiled::from_stored(of).ok_or_else(|| invalid("of", of, &allowed()))?;
    let (console, who) = (&form.console, &form.caller);
    console.reveal(who, over, form.field("reason")).await
}

fn allowed() -> String {
    let lists = VeiledList::ALL.iter().map(|list| list.stored());
    let all: Vec<&str> = lists.chain(["a session's id"]).collect();
    all.join(", ")
}
