//! What is heard in an answer that only passes: what a server says of its tools, and answers to calls that are under way, which
//! a stream that was taken up again may bring. Must never change what it hears.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use replygate_agents::mcp::{Ended, Events, hints};
use replygate_engine::Guard;
use serde_json::Value;

use super::Proxy;
use super::exchange::settlement;

/// A list that is longer is not heard to its end. Bytes.
const LONGEST: usize = 8 * 1024 * 1024;

/// What is listened for.
pub(crate) enum Listening {
    /// Nothing.
    Nothing,
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
    /// How long the answer is, where it says so: nobody asks for more than that.
    whole: Option<usize>,
}

impl Ear {
    /// An ear for the answer with these headers.
    pub(crate) fn new(
        proxy: Arc<Proxy>,
        guard: Guard,
        request: HeaderMap,
        listening: Listening,
        answer: &HeaderMap,
    ) -> Self {
        let hearing = match listening {
            Listening::Nothing => Hearing::Nothing,
            _ if is_stream(answer) => Hearing::Stream(Events::default()),
            Listening::Hints(_) => Hearing::Document(Vec::new()),
            Listening::Answers => Hearing::Nothing,
        };
        let whole = answer.get(header::CONTENT_LENGTH);
        let whole = whole.and_then(|value| value.to_str().ok()?.parse().ok());
        Self {
            proxy,
            guard,
            request,
            listening,
            hearing,
            whole,
        }
    }

    /// A piece of the body.
    pub(crate) async fn hears(&mut self, piece: &[u8]) {
        let complete = match &mut self.hearing {
            Hearing::Nothing => return,
            Hearing::Document(document) => {
                document.extend_from_slice(piece);
                if document.len() > LONGEST {
                    self.hearing = Hearing::Nothing;
                } else if self.whole == Some(document.len()) {
                    self.ends().await;
                }
                return;
            }
            Hearing::Stream(events) => events.push(piece),
        };
        let Ok(complete) = complete else {
            self.hearing = Hearing::Nothing;
            return;
        };
        for message in complete {
            self.understands(&message).await;
        }
    }

    /// The body is over.
    pub(crate) async fn ends(&mut self) {
        if let Hearing::Document(document) = std::mem::replace(&mut self.hearing, Hearing::Nothing)
            && let Ok(message) = String::from_utf8(document)
        {
            self.understands(&message).await;
        }
    }

    async fn understands(&self, message: &str) {
        match &self.listening {
            Listening::Nothing => {}
            Listening::Hints(id) => {
                if let Some(hints) = hints(id, message) {
                    self.proxy.learn(hints);
                }
            }
            Listening::Answers => self.answers(message).await,
        }
    }

    /// Records the outcome of the call that is answered here, if one is.
    async fn answers(&self, message: &str) {
        for (action, flight) in self.proxy.flights.of_session(&self.request) {
            let ended = Ended::by(&flight.id, message, self.proxy.server.errors);
            let Some(ended) = ended else {
                continue;
            };
            let settled = self.guard.settle(action, settlement(ended)).await;
            if let Err(error) = settled {
                tracing::warn!(%action, %error, "a call's outcome could not be recorded");
            }
            self.proxy.flights.end(action);
        }
    }
}

pub(super) fn is_stream(answer: &HeaderMap) -> bool {
    let kind = answer.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|value| value.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}
