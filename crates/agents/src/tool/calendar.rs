//! The built-in calendar as a tool. Must never show one person the events of another.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::ActionId;
use replygate_ports::calendar::{Calendar, CalendarEvent, EventQuery};
use replygate_ports::store::StoreError;
use replygate_ports::tools::{ToolCall, ToolError, ToolHost};
use serde_json::{Value, json};

use super::arguments::{refused, text, texts, time};

/// The most events that one call lists.
const MOST: u32 = 100;

/// What the tool does with the calendar.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    Create,
    List,
    Cancel,
}

/// The calendar as a tool.
pub(crate) struct CalendarTool {
    calendar: Arc<dyn Calendar>,
    deed: Deed,
}

impl CalendarTool {
    pub(crate) fn new(calendar: Arc<dyn Calendar>, deed: Deed) -> Self {
        Self { calendar, deed }
    }

    async fn create(&self, call: &ToolCall) -> Result<Value, ToolError> {
        let title = text(&call.arguments, &["title", "summary"])?;
        let begins = ["start_datetime", "start"];
        let start = time(&call.arguments, &begins)?
            .ok_or_else(|| refused("start_datetime", "not given", "a time"))?;
        let end = time(&call.arguments, &["end_datetime", "end"])?;
        if end.is_some_and(|end| end < start) {
            return Err(refused(
                "end_datetime",
                "before the start",
                "a time behind it",
            ));
        }
        let event = CalendarEvent {
            // A call that is repeated under one key makes one event.
            id: call.key,
            whom: call.whom.clone(),
            title,
            start,
            end,
            guests: texts(&call.arguments, &["guests", "attendees", "guest"])?,
            created_at: call.at,
            cancelled_at: None,
        };
        let answer = told(&event);
        self.calendar.add_event(event).await.map_err(maybe)?;
        Ok(answer)
    }

    async fn theirs(&self, call: &ToolCall) -> Result<Vec<CalendarEvent>, ToolError> {
        let query = EventQuery {
            channel: Some(call.whom.channel.clone()),
            contact: Some(call.whom.contact.clone()),
            from: time(&call.arguments, &["from"])?,
            to: time(&call.arguments, &["to"])?,
            standing_only: true,
            after: None,
            limit: MOST,
        };
        self.calendar.events(&query).await.map_err(unread)
    }

    async fn cancel(&self, call: &ToolCall) -> Result<Value, ToolError> {
        let named = text(&call.arguments, &["event", "id"])?;
        let no_such = || {
            refused(
                "event",
                &format!("`{named}`"),
                "the id of one of this person's events",
            )
        };
        let id: ActionId = named.parse().map_err(|_| no_such())?;
        if !self.theirs(call).await?.iter().any(|event| event.id == id) {
            return Err(no_such());
        }
        let cancelled = self.calendar.cancel_event(id, call.at).await;
        let event = cancelled.map_err(maybe)?.ok_or_else(no_such)?;
        Ok(told(&event))
    }
}

#[async_trait]
impl ToolHost for CalendarTool {
    async fn run(&self, call: &ToolCall) -> Result<Value, ToolError> {
        match self.deed {
            Deed::Create => self.create(call).await,
            Deed::Cancel => self.cancel(call).await,
            Deed::List => {
                let events = self.theirs(call).await?;
                Ok(json!({ "events": events.iter().map(told).collect::<Vec<_>>() }))
            }
        }
    }
}

fn told(event: &CalendarEvent) -> Value {
    json!({
        "event": event.id,
        "title": event.title,
        "start_ms": event.start,
        "end_ms": event.end,
        "guests": event.guests,
        "cancelled": event.cancelled_at.is_some(),
    })
}

/// A write that came back with a fault may have been made.
fn maybe(_: StoreError) -> ToolError {
    ToolError::Unknown {
        code: "store".to_owned(),
    }
}

fn unread(_: StoreError) -> ToolError {
    ToolError::Failed {
        code: "store".to_owned(),
        message: "the calendar cannot be read at the moment".to_owned(),
    }
}
