//! Asking about sessions.

use crate::view::{
    ChannelRef, ConsoleError, ConversationItem, Cursor, Page, PageQuery, SessionDetail,
    SessionFilter, SessionId, SessionRow, TimelineEvent,
};
use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use super::asking::{caller, console};

/// What the sessions page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionsView {
    /// The rows.
    pub page: Page<SessionRow>,
    /// The channels that the filter offers.
    pub channels: Vec<ChannelRef>,
}

/// What a session's page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionView {
    /// The session.
    pub detail: SessionDetail,
    /// Its messages and replies, newest first.
    pub conversation: Page<ConversationItem>,
    /// Its newest events, newest first.
    pub events: Page<TimelineEvent>,
}

/// The sessions that match.
#[server(prefix = "/api", endpoint = "sessions/list", input = Json)]
pub async fn list_sessions(
    filter: SessionFilter,
    page: PageQuery,
) -> Result<SessionsView, ConsoleError> {
    let (console, who) = (console()?, caller()?);
    let page = console.sessions(&who, filter, page).await?;
    let channels = console.channels(&who).await?;
    let channels = channels
        .into_iter()
        .map(|channel| channel.channel)
        .collect();
    Ok(SessionsView { page, channels })
}

/// The present rows of these sessions.
#[server(prefix = "/api", endpoint = "sessions/rows", input = Json)]
pub async fn refresh_sessions(ids: Vec<SessionId>) -> Result<Page<SessionRow>, ConsoleError> {
    let (console, who) = (console()?, caller()?);
    console.session_rows(&who, ids).await
}

/// One session with its conversation behind `after` and its newest events.
#[server(prefix = "/api", endpoint = "sessions/open", input = Json)]
pub async fn open_session(
    id: SessionId,
    after: Option<Cursor>,
) -> Result<SessionView, ConsoleError> {
    let (console, who) = (console()?, caller()?);
    let detail = console.session(&who, id.clone()).await?;
    let conversation = console
        .conversation(&who, id.clone(), PageQuery::behind(after))
        .await?;
    let events = console.timeline(&who, id, PageQuery::first()).await?;
    Ok(SessionView {
        detail,
        conversation: conversation.items,
        events,
    })
}
