//! `POST /parked/{rid}/reprocess`: does what was chosen about one waiting reply, once.

use super::Posted;
use super::posted::{came, invalid};
use crate::view::{Choice, ConsoleError, Outcome, Override, ReplyAction, ReplyId};
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn post(Path(reply): Path<String>, form: Posted) -> Response {
    let reply = ReplyId(reply);
    let address = reply.decide_address();
    came(&address, &form, act(&form, reply).await)
}

async fn act(form: &Posted, reply: ReplyId) -> Result<Outcome, ConsoleError> {
    let word = form.field("choice").unwrap_or_default();
    let choice = Choice::from_stored(&word).ok_or_else(|| {
        let allowed: Vec<_> = Choice::ALL.iter().map(|choice| choice.stored()).collect();
        invalid("choice", &word, &allowed.join(", "))
    })?;
    let action = ReplyAction {
        reply,
        generation: form.number("generation", "the number that came with the page")?,
        request_id: form.request_id()?,
        reason: form.field("reason"),
        checks: match form.field("overrule") {
            Some(_) => Override::Overrule,
            None => Override::Respect,
        },
    };
    let (console, who) = (&form.console, &form.caller);
    match choice {
        Choice::Send => console.reprocess(who, action).await,
        Choice::Rerun => console.rerun(who, action).await,
        Choice::Discard => console.discard(who, action).await,
        Choice::Delivered => console.mark_delivered(who, action).await,
    }
}
