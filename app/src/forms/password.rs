//! `POST /settings/password`: a person changes their own password, which ends every sign-in of theirs.

use super::Posted;
use super::posted::{refusal, see};
use crate::view::{ConsoleError, PasswordAnswer};
use axum::response::Response;

pub(super) async fn post(form: Posted) -> Response {
    match changed(&form).await {
        Ok(Some(PasswordAnswer::Changed)) => see("/sign-in?why=changed"),
        Ok(Some(answer)) => see(&format!("/settings/me?password={}", answer.stored())),
        Ok(None) => see("/settings/me?password=differ"),
        Err(error) => refusal("/settings/me", &error),
    }
}

/// The answer, or nothing where the two new passwords differ.
async fn changed(form: &Posted) -> Result<Option<PasswordAnswer>, ConsoleError> {
    let field = |name| form.field(name).unwrap_or_default();
    if field("password") != field("repeat") {
        return Ok(None);
    }
    let (console, who) = (&form.console, &form.caller);
    let answer = console.change_password(who, field("present"), field("password"));
    answer.await.map(Some)
}
