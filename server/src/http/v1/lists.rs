//! Reading: sessions, one session with its conversation and timeline, replies by status. Every list is bounded and goes
//! on behind a place.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use replygate_gate::{At, ReplyId, ReplyStatus, SessionId};
use replygate_ports::views::{ReplyQuery, SessionQuery};
use serde::Deserialize;
use serde_json::Value;

use super::{answer, id};
use crate::http::failure::Failure;
use crate::service::Service;

/// A query as it arrived, or why it cannot be read.
type Wanted<T> = Result<Query<T>, QueryRejection>;

/// Rows without a wish.
const USUAL: u32 = 50;
/// Never more rows.
const MOST: u32 = 200;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SessionsWanted {
    channel: Option<String>,
    contact: Option<String>,
    #[serde(default)]
    open: bool,
    limit: Option<u32>,
    after: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RepliesWanted {
    channel: Option<String>,
    /// Words separated by commas.
    status: Option<String>,
    limit: Option<u32>,
    after: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepsWanted {
    limit: Option<u32>,
    /// Only steps before this version.
    before: Option<u64>,
}

pub(super) async fn sessions(
    State(service): State<Arc<Service>>,
    wanted: Wanted<SessionsWanted>,
) -> Result<Json<Value>, Failure> {
    let wanted = read(wanted)?;
    let limit = limit(wanted.limit)?;
    let query = SessionQuery {
        channel: wanted.channel,
        contact: wanted.contact,
        open_only: wanted.open,
        after: behind(wanted.after.as_deref())?,
        limit,
    };
    let rows = service.stores.views.sessions(&query).await?;
    let next = rows
        .last()
        .filter(|_| rows.len() == limit as usize)
        .map(|row| answer::place(row.last_activity, row.id));
    let rows: Vec<Value> = rows.iter().map(answer::session).collect();
    Ok(answer::list("sessions", &rows, next.as_deref()))
}

pub(super) async fn session(
    State(service): State<Arc<Service>>,
    Path(session): Path<String>,
) -> Result<Json<Value>, Failure> {
    let found: SessionId = id("session", &session)?;
    let summaries = service.stores.views.session_summaries(&[found]).await?;
    let summary = summaries
        .first()
        .ok_or_else(|| Failure::not_found("session", &session))?;
    let lines = service
        .stores
        .views
        .conversation(found, None, USUAL)
        .await?;
    let live = service.engine.board().live(&summary.stored.key.channel);
    let strategy = live.map(|live| live.settings.strategy);
    Ok(answer::conversation(found, summary, strategy, &lines))
}

pub(super) async fn timeline(
    State(service): State<Arc<Service>>,
    Path(session): Path<String>,
    wanted: Wanted<StepsWanted>,
) -> Result<Json<Value>, Failure> {
    let wanted = read(wanted)?;
    let session: SessionId = id("session", &session)?;
    let limit = limit(wanted.limit)?;
    let steps = service
        .stores
        .views
        .timeline(session, wanted.before, limit)
        .await?;
    let next = steps
        .last()
        .filter(|step| steps.len() == limit as usize && step.version > 1)
        .map(|step| step.version.to_string());
    let steps: Vec<Value> = steps.iter().map(answer::step).collect();
    Ok(answer::list("steps", &steps, next.as_deref()))
}

pub(super) async fn replies(
    State(service): State<Arc<Service>>,
    wanted: Wanted<RepliesWanted>,
) -> Result<Json<Value>, Failure> {
    let wanted = read(wanted)?;
    let limit = limit(wanted.limit)?;
    let query = ReplyQuery {
        channel: wanted.channel,
        statuses: statuses(wanted.status.as_deref())?,
        after: behind(wanted.after.as_deref())?,
        limit,
    };
    let rows = service.stores.views.reply_list(&query).await?;
    let next = rows
        .last()
        .filter(|_| rows.len() == limit as usize)
        .map(|row| answer::place(row.changed_at, row.id));
    let rows: Vec<Value> = rows.iter().map(answer::reply).collect();
    Ok(answer::list("replies", &rows, next.as_deref()))
}

pub(super) async fn reply(
    State(service): State<Arc<Service>>,
    Path(reply): Path<String>,
) -> Result<Json<Value>, Failure> {
    let found: ReplyId = id("reply", &reply)?;
    let rows = service.stores.views.replies_by_id(&[found]).await?;
    let row = rows
        .first()
        .ok_or_else(|| Failure::not_found("reply", &reply))?;
    Ok(Json(answer::reply(row)))
}

fn read<T>(wanted: Wanted<T>) -> Result<T, Failure> {
    match wanted {
        Ok(Query(wanted)) => Ok(wanted),
        Err(error) => Err(Failure::unprocessable(
            error.body_text(),
            "the parameters that the API describes",
        )),
    }
}

fn limit(wanted: Option<u32>) -> Result<u32, Failure> {
    let limit = wanted.unwrap_or(USUAL);
    if (1..=MOST).contains(&limit) {
        return Ok(limit);
    }
    Err(Failure::unprocessable(
        format!("`limit` is {limit}"),
        "1 to 200",
    ))
}

fn statuses(words: Option<&str>) -> Result<Vec<ReplyStatus>, Failure> {
    let words = words
        .unwrap_or_default()
        .split(',')
        .filter(|word| !word.is_empty());
    words
        .map(str::parse::<ReplyStatus>)
        .collect::<Result<_, _>>()
        .map_err(|error| {
            Failure::unprocessable(format!("`status` is `{}`", error.text), error.allowed)
        })
}

fn behind<T: std::str::FromStr>(place: Option<&str>) -> Result<Option<(At, T)>, Failure> {
    let Some(place) = place else { return Ok(None) };
    let read = || {
        let (at, id) = place.split_once('.')?;
        Some((At(at.parse().ok()?), id.parse().ok()?))
    };
    let unknown = || {
        Failure::unprocessable(
            "`after` is no place in this list",
            "the `next` of an earlier answer",
        )
    };
    read().map(Some).ok_or_else(unknown)
}
