//! The client's side of a call. It may be gone at any time, which changes nothing for the call.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use replygate_agents::mcp::{Era, answer};
use replygate_ports::clock::Clock;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

/// So many pieces may wait for a client.
const WAITING: usize = 64;
/// A client that does not read is waited for so long, each time: the call's outcome has to be learnt meanwhile.
const PATIENCE: Duration = Duration::from_secs(5);
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
    clock: Arc<dyn Clock>,
    era: Era,
    id: Value,
    /// The last bytes of the stream.
    tail: Vec<u8>,
}

impl Client {
    pub(super) fn new(
        begun: oneshot::Sender<Relayed>,
        clock: Arc<dyn Clock>,
        era: Era,
        id: Value,
    ) -> Self {
        Self {
            state: State::Waiting(begun),
            clock,
            era,
            id,
            tail: Vec::new(),
        }
    }

    /// Whether nobody waits for an answer any more.
    pub(super) fn is_gone(&self) -> bool {
        match &self.state {
            State::Waiting(begun) => begun.is_closed(),
            State::Reading(pieces) => pieces.is_closed(),
            State::Over => true,
        }
    }

    /// The head of an answer whose body follows.
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

    /// More of the body.
    pub(super) async fn more(&mut self, piece: Bytes) {
        let State::Reading(pieces) = &self.state else {
            return;
        };
        self.tail.extend_from_slice(&piece);
        self.tail.drain(..self.tail.len().saturating_sub(4));
        let is_sent = tokio::select! {
            biased;
            sent = pieces.send(piece) => sent.is_ok(),
            () = self.clock.sleep(PATIENCE) => false,
        };
        if !is_sent {
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

    /// A result in the server's place.
    pub(super) fn result(&mut self, result: &Value) {
        let answer = answer::result(&self.id, result).to_string();
        self.whole(StatusCode::OK, json(), answer.into());
    }

    /// A result that the model must not take for done.
    pub(super) async fn refuse(&mut self, text: &str) {
        let refusal = answer::refusal(self.era, text);
        if !matches!(self.state, State::Reading(_)) {
            self.result(&refusal);
            return;
        }
        // In the middle of an event nothing can be said any more.
        if is_between_events(&self.tail) {
            let answer = answer::result(&self.id, &refusal);
            let event = format!("event: message\ndata: {answer}\n\n");
            self.more(event.into()).await;
        }
        self.state = State::Over;
    }

    /// Its stream ends without an answer.
    pub(super) fn end(&mut self) {
        self.state = State::Over;
    }

    /// The ledger cannot be asked: nothing happened, the client may call again.
    pub(super) fn unavailable(&mut self) {
        let message = "the ledger cannot answer now; nothing was called, try again";
        let error = answer::error(&self.id, INTERNAL, message).to_string();
        self.whole(StatusCode::SERVICE_UNAVAILABLE, json(), error.into());
    }
}

fn is_between_events(tail: &[u8]) -> bool {
    let ends: [&[u8]; 3] = [b"\n\n", b"\r\n\r\n", b"\r\r"];
    tail.is_empty() || ends.iter().any(|end| tail.ends_with(end))
}

fn json() -> HeaderMap {
    let kind = HeaderValue::from_static("application/json");
    HeaderMap::from_iter([(header::CONTENT_TYPE, kind)])
}

#[cfg(test)]
mod tests {
    use replygate_embedded::SystemClock;
    use serde_json::json;

    use super::*;

    fn client() -> (Client, oneshot::Receiver<Relayed>) {
        let (begun, head) = oneshot::channel();
        let clock = Arc::new(SystemClock::start());
        (Client::new(begun, clock, Era::Sessions, json!(1)), head)
    }

    async fn heard(head: oneshot::Receiver<Relayed>) -> String {
        let Ok(Relayed {
            body: Body::Stream(mut pieces),
            ..
        }) = head.await
        else {
            panic!("a stream");
        };
        let mut text = String::new();
        while let Some(piece) = pieces.recv().await {
            text.push_str(std::str::from_utf8(&piece).unwrap());
        }
        text
    }

    #[tokio::test]
    async fn a_refusal_follows_whole_events_and_never_stands_in_one() {
        for (said, is_told) in [
            (&["data: {}", "\n\n"][..], true),
            (&["data: {}\r\n", "\r\n"], true),
            (&[], true),
            (&["data: {\"half"], false),
            (&["data: {}\n"], false),
        ] {
            let (mut client, head) = client();
            client.begin(StatusCode::OK, HeaderMap::new());
            for piece in said {
                client.more(Bytes::from_static(piece.as_bytes())).await;
            }
            client.refuse("nobody knows").await;
            let text = heard(head).await;
            assert_eq!(text.contains("nobody knows"), is_told, "{text}");
        }
    }

    #[tokio::test]
    async fn a_client_that_went_away_is_noticed_and_told_nothing() {
        let (mut client, head) = client();
        assert!(!client.is_gone());
        drop(head);
        assert!(client.is_gone());
        client.result(&json!({}));
    }
}
