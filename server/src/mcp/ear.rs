//! What is heard in an answer that only passes: what a server says of its tools, and answers to calls that are under way, which
//! a stream that was taken up again may bring. Must never change what it hears.

use std::sync::Arc;

use http::{HeaderMap, header};
use replygate_engine::Guard;
use replygate_mcp::{Ended, Events, hints};
use serde_json::Value;

use super::Proxy;
use super::exchange::settlement;

/// A document that is longer is not heard to its end. Bytes.
const LONGEST: usize = 8 * 1024 * 1024;

/// What is listened for.
pub(crate) enum Listening {
    /// Nothing.
    None,
    /// What the server says of its tools, in the answer to the request of that id.
    Hints(Value),
    /// Answers to calls that are under way.
    Answers,
}

enum Hearing {
    Document(Vec<u8>),
    Stream(Events),
    Nothing,
}

/// Listens to one answer.
pub(crate) struct Ear {
    proxy: Arc<Proxy>,
    guard: Guard,
    /// The request's headers: they name the client's session.
    request: HeaderMap,
    listening: Listening,
    hearing: Hearing,
}

impl Ear {
    pub(crate) fn new(
        proxy: Arc<Proxy>,
        guard: Guard,
        request: &HeaderMap,
        listening: Listening,
    ) -> Self {
        Self {
            proxy,
            guard,
            request: request.clone(),
            listening,
            hearing: Hearing::Nothing,
        }
    }

    /// The same ear for a body of this kind.
    pub(crate) fn for_body(mut self, answer: &HeaderMap) -> Self {
        let kind = answer.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|value| value.to_str().ok()).unwrap_or_default();
        self.hearing = match self.listening {
            Listening::None => Hearing::Nothing,
            _ if kind.starts_with("text/event-stream") => Hearing::Stream(Events::default()),
            Listening::Hints(_) => Hearing::Document(Vec::new()),
            Listening::Answers => Hearing::Nothing,
        };
        self
    }

    /// A piece of the body.
    pub(crate) async fn hears(&mut self, piece: &[u8]) {
        let complete = match &mut self.hearing {
            Hearing::Nothing => return,
            Hearing::Document(document) => {
                document.extend_from_slice(piece);
                if document.len() > LONGEST {
                    self.hearing = Hearing::Nothing;
                }
                return;
            }
            Hearing::Stream(events) => events.push(piece),
        };
        let Ok(complete) = complete else {
            self.hearing = Hearing::Nothing;
            return;
        };
        for data in complete {
            self.understands(&data).await;
        }
    }

    /// The body is over.
    pub(crate) fn ends(&mut self) {
        if let (Hearing::Document(document), Listening::Hints(id)) = (&self.hearing, &self.listening)
            && let Some(hints) = hints(id, document)
        {
            self.proxy.learn(hints);
        }
    }

    async fn understands(&self, data: &[u8]) {
        match &self.listening {
            Listening::None => {}
            Listening::Hints(id) => {
                if let Some(hints) = hints(id, data) {
                    self.proxy.learn(hints);
                }
            }
            Listening::Answers => self.answers(data).await,
        }
    }

    /// Records the outcome of the call that is answered here, if one is.
    async fn answers(&self, data: &[u8]) {
        for flight in self.proxy.flights.of_session(&self.request) {
            let Some(ended) = Ended::by(&flight.id, data) else {
                continue;
            };
            let settled = self.guard.settle(flight.action, settlement(ended)).await;
            if let Err(error) = settled {
                tracing::warn!(action = %flight.action, %error, "a call's outcome could not be recorded");
            }
            self.proxy.flights.end(flight.action);
        }
    }
}
