//! An answer as it comes in, piece by piece. Must never hold more than its bound, nor wait for a piece without end.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use replygate_ports::clock::Clock;
use serde::de::DeserializeOwned;

use super::sse::{Sse, SseEvent};
use super::told::Told;
use super::{broken, within};
use crate::unanswered::{Stage, Unanswered};

/// The longest answer that is read whole, in bytes.
const ANSWER_BYTES: usize = 1024 * 1024;
/// The longest stream: an event of some 250 bytes for each of 64,000 tokens.
const STREAM_BYTES: usize = 16 * 1024 * 1024;
/// As much as is read of a refusal: its kind stands at the beginning.
const REFUSAL_BYTES: usize = 64 * 1024;

/// An answer whose head is there.
pub(crate) struct Incoming {
    response: reqwest::Response,
    clock: Arc<dyn Clock>,
    idle: Option<Duration>,
    read: usize,
    sse: Sse,
    ready: VecDeque<SseEvent>,
}

/// An answer that is none of 2xx, with the beginning of what it said.
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) told: Told,
    pub(crate) body: Vec<u8>,
}

impl Incoming {
    pub(super) fn new(
        response: reqwest::Response,
        clock: Arc<dyn Clock>,
        idle: Option<Duration>,
    ) -> Self {
        Self {
            response,
            clock,
            idle,
            read: 0,
            sse: Sse::default(),
            ready: VecDeque::new(),
        }
    }

    /// The status, one of 2xx.
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// A header's value, where it is text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }

    /// Whether it says that it is a stream of events.
    pub(crate) fn is_stream(&self) -> bool {
        self.header("content-type")
            .is_some_and(|kind| kind.trim_start().starts_with("text/event-stream"))
    }

    /// The whole answer as JSON.
    pub(crate) async fn json<A: DeserializeOwned>(mut self) -> Result<A, Unanswered> {
        let bytes = self.whole(ANSWER_BYTES).await?;
        serde_json::from_slice(&bytes).map_err(|_| Unanswered::Unreadable)
    }

    /// The next event of a stream; `None` when the other side ended it.
    pub(crate) async fn event(&mut self) -> Result<Option<SseEvent>, Unanswered> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            let Some(chunk) = self.chunk(STREAM_BYTES).await? else {
                return Ok(None);
            };
            self.sse.push(&chunk, &mut self.ready)?;
        }
    }

    async fn whole(&mut self, most: usize) -> Result<Vec<u8>, Unanswered> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk(most).await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    async fn chunk(&mut self, most: usize) -> Result<Option<Bytes>, Unanswered> {
        let response = &mut self.response;
        let next = async { response.chunk().await.map_err(|error| broken(&error)) };
        let chunk = within(&*self.clock, self.idle, Stage::Idle, next).await?;
        if let Some(chunk) = &chunk {
            self.read += chunk.len();
            if self.read > most {
                return Err(Unanswered::TooLong);
            }
        }
        Ok(chunk)
    }
}

impl Refused {
    /// Reads as much of the refusal as is needed; one whose body does not come is a refusal all the same.
    pub(super) async fn read(status: u16, told: Told, mut incoming: Incoming) -> Self {
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = incoming.chunk(REFUSAL_BYTES).await {
            body.extend_from_slice(&chunk);
        }
        Self { status, told, body }
    }
}
