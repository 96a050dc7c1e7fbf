//! `POST /sessions/{sid}`: takes a session over, writes to its customer, hands it back, lets held replies go, takes a lock
//! off. Each once.

use super::Posted;
use super::posted::{came, invalid};
use crate::view::{ConsoleError, LockOwner, Outcome, SessionAction, SessionId};
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn post(Path(session): Path<String>, form: Posted) -> Response {
    let session = SessionId(session);
    let address = session.address();
    came(&address, &form, act(&form, session).await)
}

async fn act(form: &Posted, session: SessionId) -> Result<Outcome, ConsoleError> {
    let (console, who) = (&form.console, &form.caller);
    let deed = form.field("deed").unwrap_or_default();
    let what = SessionAction {
        session,
        request_id: form.request_id()?,
        reason: form.field("reason"),
    };
    match deed.as_str() {
        "take_over" => console.take_over(who, what).await,
        "say" => {
            let text = form.field("text").unwrap_or_default();
            console.say(who, what, text).await
        }
        "hand_back" => console.hand_back(who, what).await,
        "release_hold" => console.release_hold(who, what).await,
        "unlock" => {
            let given = |name| form.field(name).unwrap_or_default();
            let lock = LockOwner {
                name: given("holder"),
                token: given("token"),
            };
            console.unlock(who, what, lock).await
        }
        other => {
            let allowed = "take_over, say, hand_back, release_hold, unlock";
            Err(invalid("deed", other, allowed))
        }
    }
}
