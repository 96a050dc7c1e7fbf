//! The client's side of a call. It may be gone at any time, which changes nothing for the call.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use replygate_mcp::{Era, answer};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

/// So many pieces may wait for a client; one that does not read is given up.
const WAITING: usize = 256;
/// JSON-RPC's word for a fault of the server.
const INTERNAL: i64 = -32_603;

/// An answer to pass on.
pub(crate) struct Relayed {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
}

/// Its body.
pub(crate) enum Body {
    /// There at once.
    Whole(Bytes),
    /// As it comes.
    Stream(mpsc::Receiver<Bytes>),
}

enum State {
    /// It waits for the head.
    Waiting(oneshot::Sender<Relayed>),
    /// It reads a stream of events.
    Reading(mpsc::Sender<Bytes>),
    /// It has its answer, or is gone.
    Over,
}

pub(super) struct Client {
    state: State,
    era: Era,
    id: Value,
}

impl Client {
    pub(super) fn new(begun: oneshot::Sender<Relayed>, era: Era, id: Value) -> Self {
        Self {
            state: State::Waiting(begun),
            era,
            id,
        }
    }

    /// The head of a stream of events.
    pub(super) fn begin(&mut self, status: StatusCode, headers: HeaderMap) {
        let State::Waiting(begun) = std::mem::replace(&mut self.state, State::Over) else {
            return;
        };
        let (pieces, body) = mpsc::channel(WAITING);
        let relayed = Relayed {
            status,
            headers,
            body: Body::Stream(body),
        };
        if begun.send(relayed).is_ok() {
            self.state = State::Reading(pieces);
        }
    }

    /// More of the stream.
    pub(super) fn more(&mut self, piece: Bytes) {
        if let State::Reading(pieces) = &self.state
            && pieces.try_send(piece).is_err()
        {
            self.state = State::Over;
        }
    }

    /// The whole answer.
    pub(super) fn whole(&mut self, status: StatusCode, headers: HeaderMap, body: Bytes) {
        if let State::Waiting(begun) = std::mem::replace(&mut self.state, State::Over) {
            let body = Body::Whole(body);
            // A client that is gone needs no answer.
            let _ = begun.send(Relayed {
                status,
                headers,
                body,
            });
        }
    }

    /// A result that the model must not take for done.
    pub(super) fn refuse(&mut self, text: &str) {
        let refusal = answer::result(&self.id, answer::refusal(self.era, text));
        if matches!(self.state, State::Reading(_)) {
            self.more(format!("event: message\ndata: {refusal}\n\n").into());
            self.state = State::Over;
            return;
        }
        self.whole(StatusCode::OK, json(), refusal.to_string().into());
    }

    /// The server could not be reached: nothing happened, the client may call again.
    pub(super) fn unreachable(&mut self) {
        let error = answer::error(&self.id, INTERNAL, "the MCP server cannot be reached");
        self.whole(StatusCode::BAD_GATEWAY, json(), error.to_string().into());
    }
}

fn json() -> HeaderMap {
    let kind = HeaderValue::from_static("application/json");
    HeaderMap::from_iter([(header::CONTENT_TYPE, kind)])
}
