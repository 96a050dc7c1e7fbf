//! `/v1/actions`: agents elsewhere ask before they call a tool with an effect, and tell how the call ended. Must never give
//! leave twice for one meaning; the guard decides, this only words its answers.

mod wish;

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use replygate_engine::{Leave, Wait};
use replygate_gate::tools::{CallState, Runner, SettleRefusal, Settled};
use replygate_gate::{ActionId, DuplicateId};
use replygate_ports::ledger::{Call, LedgerError, Settlement};
use serde::Deserialize;
use serde_json::{Value, json};

use super::body::{self, Body};
use super::id;
use crate::http::failure::Failure;
use crate::service::Service;
use wish::Asked;

pub(super) use wish::MOST_BYTES;

/// Behind a proxy that waits a minute nobody waits longer. Seconds.
const LONGEST_WAIT: u64 = 25;
/// A word for what went wrong.
const CODE: &str = "1 to 64 of a-z, A-Z, 0-9, _, - and .";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Waits {
    /// So many seconds for the same call, if that is running.
    #[serde(default)]
    wait: u64,
}

/// `POST /v1/actions`
pub(super) async fn ask(
    State(service): State<Arc<Service>>,
    waits: Result<Query<Waits>, QueryRejection>,
    body: Body,
) -> Result<Response, Failure> {
    let wait = waits.map_err(|_| wrong_wait("no number of seconds"))?.wait;
    if wait > LONGEST_WAIT {
        return Err(wrong_wait(&wait.to_string()));
    }
    let wish = match wish::read(body, service.engine.toolbox())? {
        Asked::Unguarded => return Ok(Json(json!({ "state": "unguarded" })).into_response()),
        Asked::Guarded(wish) => wish,
    };
    let wait = Wait::Ms(wait * 1_000);
    let leave = service.engine.guard().ask(&wish, wait).await?;
    Ok(match leave {
        Leave::Run { action, key } => reserved(action, key, wish.guarding.lease_ms),
        Leave::Duplicate {
            duplicate,
            first,
            note,
            ..
        } => avoided("duplicate", duplicate, &first, &note),
        Leave::Unknown {
            duplicate,
            first,
            note,
            ..
        } => avoided("unknown", duplicate, &first, &note),
        Leave::InProgress { first, left_ms, .. } => in_progress(first, left_ms),
    })
}

fn wrong_wait(value: &str) -> Failure {
    Failure::field("wait", value, "0 to 25 seconds")
}

fn reserved(action: ActionId, key: ActionId, lease_ms: u64) -> Response {
    let answer = json!({
        "action": action,
        "key": key,
        "state": "reserved",
        "lease_seconds": lease_ms / 1_000,
    });
    let place = [(header::LOCATION, format!("/v1/actions/{action}"))];
    (StatusCode::CREATED, place, Json(answer)).into_response()
}

fn avoided(state: &str, duplicate: DuplicateId, first: &Call, note: &str) -> Response {
    let answer = json!({
        "action": duplicate,
        "state": state,
        "first": {
            "action": first.entry.action,
            "at": first.entry.settled_at.unwrap_or(first.entry.reserved_at),
            "result": first.result,
        },
        "note": note,
    });
    Json(answer).into_response()
}

fn in_progress(first: ActionId, left_ms: u64) -> Response {
    let message = format!(
        "the same call is running as {first}, for {} s at most",
        left_ms.div_ceil(1_000)
    );
    let again = [(header::RETRY_AFTER, "1")];
    (again, Failure::in_progress(first, message)).into_response()
}

/// `GET /v1/actions/{action}`
pub(super) async fn one(
    State(service): State<Arc<Service>>,
    Path(action): Path<String>,
) -> Result<Json<Value>, Failure> {
    let call = outside(&service, &action).await?;
    Ok(Json(shown(&call)))
}

/// The call of that id, if it is one that an agent elsewhere carries out.
async fn outside(service: &Service, name: &str) -> Result<Call, Failure> {
    let action: ActionId = id("action", name)?;
    let call = service.engine.guard().ledger().call(action).await?;
    call.filter(|call| call.runner == Runner::Outside)
        .ok_or_else(|| Failure::not_found("action", name))
}

fn shown(call: &Call) -> Value {
    let entry = &call.entry;
    let mut shown = json!({
        "action": entry.action,
        "state": word(entry.state),
        "tool": call.tool,
        "channel": call.whom.channel,
        "contact": call.whom.contact,
        "reserved_at": entry.reserved_at,
        "lease_seconds": entry.guarding.lease_ms / 1_000,
    });
    let more = [
        ("settled_at", json!(entry.settled_at)),
        ("result", json!(call.result)),
        ("code", json!(call.code)),
    ];
    for (name, value) in more.into_iter().filter(|(_, value)| !value.is_null()) {
        shown[name] = value;
    }
    shown
}

/// A call that runs is reserved, to whoever asked for it.
const fn word(state: CallState) -> &'static str {
    match state {
        CallState::Running => "reserved",
        CallState::Done | CallState::Failed | CallState::Unknown => state.as_str(),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    #[serde(default)]
    result: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Why {
    code: Option<String>,
}

/// `POST /v1/actions/{action}/done`
pub(super) async fn done(
    State(service): State<Arc<Service>>,
    Path(action): Path<String>,
    body: Body,
) -> Result<Json<Value>, Failure> {
    let Done { result } = body::read_or_default(body)?;
    settle(&service, &action, Settlement::Done { result }).await
}

/// `POST /v1/actions/{action}/failed`
pub(super) async fn failed(
    State(service): State<Arc<Service>>,
    Path(action): Path<String>,
    body: Body,
) -> Result<Json<Value>, Failure> {
    let code = code(body, "failed")?;
    settle(&service, &action, Settlement::Failed { code }).await
}

/// `POST /v1/actions/{action}/unknown`
pub(super) async fn unknown(
    State(service): State<Arc<Service>>,
    Path(action): Path<String>,
    body: Body,
) -> Result<Json<Value>, Failure> {
    let code = code(body, "unknown")?;
    settle(&service, &action, Settlement::Unknown { code }).await
}

fn code(body: Body, otherwise: &str) -> Result<String, Failure> {
    let Why { code } = body::read_or_default(body)?;
    let Some(code) = code else {
        return Ok(otherwise.to_owned());
    };
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if (1..=64).contains(&code.len()) && code.bytes().all(is_sign) {
        return Ok(code);
    }
    Err(Failure::field("code", &code, CODE))
}

/// Records how a call ended; the same again changes nothing and succeeds.
async fn settle(
    service: &Service,
    name: &str,
    settlement: Settlement,
) -> Result<Json<Value>, Failure> {
    let call = outside(service, name).await?;
    let action = call.entry.action;
    let word = ended(&settlement);
    match service.engine.guard().settle(action, settlement).await {
        Ok(Settled::Now(_)) => Ok(Json(
            json!({ "action": action, "state": word, "repeated": false }),
        )),
        Ok(Settled::Before) => Ok(Json(
            json!({ "action": action, "state": word, "repeated": true }),
        )),
        Err(LedgerError::NoSuch) => Err(Failure::not_found("action", name)),
        Err(LedgerError::Refused(refusal)) => Err(refused(&refusal)),
        Err(LedgerError::Store(error)) => Err(error.into()),
    }
}

const fn ended(settlement: &Settlement) -> &'static str {
    match settlement {
        Settlement::Done { .. } => "done",
        Settlement::Failed { .. } => "failed",
        Settlement::Unknown { .. } => "unknown",
    }
}

fn refused(refusal: &SettleRefusal) -> Failure {
    let word = match refusal {
        SettleRefusal::Settled(_) => "settled_otherwise",
        SettleRefusal::Replaced(_) => "replaced",
    };
    Failure::new(StatusCode::CONFLICT, word, refusal.to_string())
}
