//! `POST /settings/sign-ins`: a person ends a sign-in of theirs, or all but this one.

use super::Posted;
use super::posted::{invalid, refusal, see};
use crate::view::ConsoleError;
use axum::response::Response;

pub(super) async fn post(form: Posted) -> Response {
    match ended(&form).await {
        Ok(count) => see(&format!("/settings/me?ended={count}")),
        Err(error) => refusal("/settings/me", &error),
    }
}

async fn ended(form: &Posted) -> Result<u32, ConsoleError> {
    let (console, who) = (&form.console, &form.caller);
    let deed = form.field("deed").unwrap_or_default();
    match deed.as_str() {
        "end" => {
            let id = form.field("id").unwrap_or_default();
            console.end_sign_in(who, id).await.map(|()| 1)
        }
        "end_others" => console.end_other_sign_ins(who).await,
        other => Err(invalid("deed", other, "end, end_others")),
    }
}
