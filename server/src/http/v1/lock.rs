//! `PUT` and `DELETE /v1/sessions/{session}/lock`: another system keeps replies back for a while.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::{Extension, Json};
use replygate_engine::{Deed, Verb};
use serde::Deserialize;
use serde_json::Value;

use super::bearer::Program;
use super::{answer, body, id};
use crate::http::failure::Failure;
use crate::service::Service;

/// A lock may stand for at most a day.
const MOST_MS: u64 = 86_400_000;

/// A lock, put or renewed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lock {
    /// Who holds it.
    holder: String,
    /// It must be renewed within this time.
    lease_ms: u64,
    /// It is gone after this time.
    ttl_ms: u64,
}

/// Whose lock goes; everybody's when it is not said.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unlock {
    holder: Option<String>,
}

pub(super) async fn lock(
    State(service): State<Arc<Service>>,
    Extension(program): Extension<Program>,
    Path(session): Path<String>,
    body: body::Body,
) -> Result<Json<Value>, Failure> {
    let session = id("session", &session)?;
    let lock: Lock = body::read(body)?;
    if lock.holder.trim().is_empty() || lock.holder.len() > 128 {
        return Err(Failure::unprocessable(
            "`holder` is empty or too long",
            "1 to 128 bytes",
        ));
    }
    if !(1..=MOST_MS).contains(&lock.ttl_ms) {
        let message = format!("`ttl_ms` is {}", lock.ttl_ms);
        return Err(Failure::unprocessable(message, "1 to 86400000"));
    }
    if !(1..=lock.ttl_ms).contains(&lock.lease_ms) {
        let message = format!("`lease_ms` is {}", lock.lease_ms);
        return Err(Failure::unprocessable(
            message,
            format!("1 to ttl_ms, {}", lock.ttl_ms),
        ));
    }
    let verb = Verb::Lock {
        holder: lock.holder,
        lease_ms: lock.lease_ms,
        ttl_ms: lock.ttl_ms,
    };
    answer::deed(service.engine.act(session, deed(verb, program)).await)
}

pub(super) async fn unlock(
    State(service): State<Arc<Service>>,
    Extension(program): Extension<Program>,
    Path(session): Path<String>,
    Query(query): Query<Unlock>,
    body: body::Body,
) -> Result<Json<Value>, Failure> {
    let session = id("session", &session)?;
    let body: Unlock = body::read_or_default(body)?;
    let holder = body.holder.or(query.holder);
    answer::deed(
        service
            .engine
            .act(session, deed(Verb::Unlock { holder }, program))
            .await,
    )
}

fn deed(verb: Verb, program: Program) -> Deed {
    Deed {
        verb,
        by: program.0,
        reason: None,
        request_id: None,
    }
}
