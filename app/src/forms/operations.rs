//! `POST /parked/plan`: freezes a selection into a plan and leads to its page. `POST /operations/{op}`: steers it.

use super::Posted;
use super::posted::{came, invalid, refusal, see};
use crate::api::ParkedAsked;
use crate::view::{
    At, Choice, ConsoleError, OperationId, Pace, PlanAsked, PlanSet, ReplyId, Steer, SteerAsked,
};
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn plan(form: Posted) -> Response {
    match planned(&form).await {
        Ok(operation) => see(&operation.address()),
        Err(error) => refusal("/parked", &error),
    }
}

async fn planned(form: &Posted) -> Result<OperationId, ConsoleError> {
    let word = form.field("choice").unwrap_or_default();
    let choice = Choice::from_stored(&word)
        .ok_or_else(|| invalid("choice", &word, "send, rerun, discard"))?;
    let set = match form.field("all") {
        Some(_) => PlanSet::Matching {
            filter: filter(form).read()?,
            as_of: At(form.number("as_of", "the time that came with the page")?),
        },
        None => PlanSet::Picked(form.all("pick").map(pick).collect::<Result<_, _>>()?),
    };
    let asked = PlanAsked {
        choice,
        set,
        request_id: form.request_id()?,
    };
    form.console.plan(&form.caller, asked).await
}

/// The filter of the list that the form stood around.
fn filter(form: &Posted) -> ParkedAsked {
    ParkedAsked {
        q: form.field("q"),
        why: form.field("why"),
        channel: form.field("channel"),
        age: form.field("age"),
        view: form.field("view"),
        ..ParkedAsked::default()
    }
}

/// A reply and the generation that was seen, as a box names them.
fn pick(text: &str) -> Result<(ReplyId, u32), ConsoleError> {
    let wrong = || invalid("pick", text, "a reply and its generation");
    let (reply, generation) = text.rsplit_once(':').ok_or_else(wrong)?;
    let generation = generation.parse().map_err(|_| wrong())?;
    Ok((ReplyId(reply.to_owned()), generation))
}

pub(super) async fn steer(Path(operation): Path<String>, form: Posted) -> Response {
    let operation = OperationId(operation);
    let address = operation.address();
    came(&address, &form, steered(&form, operation).await)
}

async fn steered(form: &Posted, operation: OperationId) -> Result<(), ConsoleError> {
    let word = form.field("steer").unwrap_or_default();
    let steer = Steer::from_stored(&word)
        .ok_or_else(|| invalid("steer", &word, "start, pause, resume, stop"))?;
    let pace = if steer == Steer::Start {
        Pace {
            per_minute: form.number("per_minute", "1 to 6000")?,
            first: form.number("first", "0 or more")?,
            halt_percent: form.number("halt_percent", "1 to 100")?,
        }
    } else {
        Pace::usual(1)
    };
    let asked = SteerAsked {
        operation,
        steer,
        pace,
        reason: form.field("reason"),
        typed: form.field("typed"),
    };
    form.console.steer(&form.caller, asked).await
}
