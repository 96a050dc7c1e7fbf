//! `POST /duplicates/{did}`: a verdict, or leave for one more call. `POST /duplicates/calls/{aid}`: settles a call whose outcome
//! nobody knows.

use super::Posted;
use super::posted::{invalid, refusal, see};
use crate::view::query::segment;
use crate::view::{At, ConsoleError, DuplicateDeed, OpinionWord, duplicate_address};
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn post(Path(id): Path<String>, form: Posted) -> Response {
    let address = duplicate_address(&id);
    match done(&form, id).await {
        Ok(deed) => see(&format!("{address}?done={deed}")),
        Err(error) => refusal(&address, &error),
    }
}

async fn done(form: &Posted, id: String) -> Result<&'static str, ConsoleError> {
    let deed = deed(form, id)?;
    let (console, who) = (&form.console, &form.caller);
    match form.field("deed").as_deref() {
        Some("verdict") => {
            let word = form.field("opinion").unwrap_or_default();
            let opinion = OpinionWord::from_stored(&word).ok_or_else(|| {
                let allowed: Vec<_> = OpinionWord::ALL.iter().map(|word| word.stored()).collect();
                invalid("opinion", &word, &allowed.join(", "))
            })?;
            let seen = seen(form)?;
            let judged = console.judge(who, deed, seen, opinion).await;
            judged.map(|()| "verdict")
        }
        Some("allow_once") => console.allow_once(who, deed).await.map(|()| "allow_once"),
        other => Err(invalid(
            "deed",
            other.unwrap_or_default(),
            "verdict, allow_once",
        )),
    }
}

pub(super) async fn settle(Path(id): Path<String>, form: Posted) -> Response {
    let address = format!("/duplicates?settled={}", segment(&id));
    match settled(&form, id).await {
        Ok(()) => see(&address),
        Err(error) => refusal("/duplicates", &error),
    }
}

async fn settled(form: &Posted, id: String) -> Result<(), ConsoleError> {
    let happened = match form.field("outcome").as_deref() {
        Some("done") => true,
        Some("failed") => false,
        other => {
            return Err(invalid(
                "outcome",
                other.unwrap_or_default(),
                "done, failed",
            ));
        }
    };
    let deed = deed(form, id)?;
    form.console.settle_call(&form.caller, deed, happened).await
}

/// When the verdict was given that stood on the page; none where there was none.
fn seen(form: &Posted) -> Result<Option<At>, ConsoleError> {
    let Some(seen) = form.field("seen") else {
        return Ok(None);
    };
    let at = seen.trim().parse().map(At);
    at.map(Some)
        .map_err(|_| invalid("seen", &seen, "the one that came with the page"))
}

fn deed(form: &Posted, id: String) -> Result<DuplicateDeed, ConsoleError> {
    Ok(DuplicateDeed {
        id,
        request_id: form.request_id()?,
        reason: form.field("reason"),
    })
}
