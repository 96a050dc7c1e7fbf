//! Deeds on one session or one reply.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::{Extension, Json};
use replygate_engine::{Deed, Verb};
use replygate_gate::{ReplyId, SessionId, Target};
use serde::Deserialize;
use serde_json::Value;

use super::bearer::Program;
use super::{answer, body, id};
use crate::activity::PROGRAM;
use crate::http::failure::Failure;
use crate::service::Service;

/// What comes with a deed on a session. All of it may be missing, `text` aside for `say`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OnSession {
    reason: Option<String>,
    request_id: Option<String>,
    text: Option<String>,
}

/// What comes with a deed on a reply.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OnReply {
    /// The generation that was seen.
    generation: u32,
    reason: Option<String>,
    request_id: Option<String>,
    /// Goes on although another reply answered the messages; only for `rerun`, and needs a reason.
    #[serde(default)]
    r#override: bool,
}

const SESSION_DEEDS: &str = "takeover, handback, say, release-hold";
const REPLY_DEEDS: &str = "reprocess, rerun, discard, mark-delivered";

/// `POST /v1/sessions/{session}/{takeover|handback|say|release-hold}`
pub(super) async fn on_session(
    State(service): State<Arc<Service>>,
    Extension(program): Extension<Program>,
    Path((session, deed)): Path<(String, String)>,
    body: body::Body,
) -> Result<Json<Value>, Failure> {
    let session: SessionId = id("session", &session)?;
    let body: OnSession = body::read_or_default(body)?;
    let verb = match (deed.as_str(), body.text) {
        ("takeover", None) => Verb::TakeOver,
        ("handback", None) => Verb::HandBack,
        ("release-hold", None) => Verb::ReleaseHold,
        ("say", Some(text)) if !text.trim().is_empty() => Verb::Say { parts: vec![text] },
        ("say", _) => {
            return Err(Failure::unprocessable(
                "`text` is missing or empty",
                "the words to send",
            ));
        }
        ("takeover" | "handback" | "release-hold", Some(_)) => {
            return Err(Failure::unprocessable(
                "`text` is set",
                "nothing, for this deed",
            ));
        }
        _ => return Err(unknown(&deed, SESSION_DEEDS)),
    };
    let deed = Deed {
        verb,
        by: program.0,
        reason: body.reason,
        request_id: body.request_id,
    };
    answer::deed(service.act(session, deed, PROGRAM).await)
}

/// `POST /v1/replies/{reply}/{reprocess|rerun|discard|mark-delivered}`
pub(super) async fn on_reply(
    State(service): State<Arc<Service>>,
    Extension(program): Extension<Program>,
    Path((reply, deed)): Path<(String, String)>,
    body: body::Body,
) -> Result<Json<Value>, Failure> {
    let name = reply;
    let reply: ReplyId = id("reply", &name)?;
    let body: OnReply = body::read(body)?;
    let target = Target {
        reply,
        generation: body.generation,
    };
    let verb = match deed.as_str() {
        "reprocess" => Verb::Reprocess(target),
        "rerun" => Verb::Rerun {
            target,
            overrule: overrule(&body)?,
        },
        "discard" => Verb::Discard(target),
        "mark-delivered" => Verb::MarkDelivered(target),
        _ => return Err(unknown(&deed, REPLY_DEEDS)),
    };
    if body.r#override && !matches!(verb, Verb::Rerun { .. }) {
        return Err(Failure::unprocessable(
            "`override` is true",
            "true only for rerun",
        ));
    }
    let session = service.stores.store.find_reply(reply).await?;
    let session = session.ok_or_else(|| Failure::not_found("reply", &name))?;
    let deed = Deed {
        verb,
        by: program.0,
        reason: body.reason,
        request_id: body.request_id,
    };
    answer::deed(service.act(session, deed, PROGRAM).await)
}

fn overrule(body: &OnReply) -> Result<Option<String>, Failure> {
    let reason = body
        .reason
        .clone()
        .filter(|reason| !reason.trim().is_empty());
    match (body.r#override, reason) {
        (false, _) => Ok(None),
        (true, Some(reason)) => Ok(Some(reason)),
        (true, None) => Err(Failure::unprocessable(
            "`override` is true without a `reason`",
            "true with a reason",
        )),
    }
}

fn unknown(deed: &str, allowed: &str) -> Failure {
    let deed: String = deed.chars().take(64).collect();
    let message = format!("there is no deed `{deed}`, allowed: {allowed}");
    Failure::new(axum::http::StatusCode::NOT_FOUND, "not_found", message)
}
