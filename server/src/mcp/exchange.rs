//! One guarded call on its way to the server and back. It goes on whoever still waits for it: what came of it is recorded
//! before the client learns it, so that a client that calls again at once finds it done.

mod client;
mod server;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use replygate_engine::Guard;
use replygate_gate::ActionId;
use replygate_gate::text::Tongue;
use replygate_gate::tools::Note;
use replygate_mcp::{Ended, Era};
use replygate_ports::clock::Clock;
use replygate_ports::ledger::{LedgerError, Settlement};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::{Flight, Guarded, Proxy};
use client::Client;
pub(crate) use client::{Body as RelayedBody, Relayed};
use server::{Answering, Piece};

/// A result that is larger is not kept: whoever calls again is told in words that it was done. Bytes.
const KEPT: usize = 256 * 1024;
/// After its time is over and the client has its answer, a call is listened to for so long: what it came to may still be
/// learnt.
const LISTEN_ON: Duration = Duration::from_secs(600);
/// A settlement that met an unavailable store is tried again after this time.
const AGAIN: Duration = Duration::from_millis(200);

/// One guarded call on its way.
pub(crate) struct Exchange {
    pub(crate) proxy: Arc<Proxy>,
    pub(crate) guard: Guard,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) guarded: Guarded,
    pub(crate) action: ActionId,
    /// The request's id.
    pub(crate) id: Value,
    pub(crate) era: Era,
    pub(crate) headers: HeaderMap,
    pub(crate) query: Option<String>,
    pub(crate) body: Bytes,
}

impl Exchange {
    /// Sends the call and returns the answer as soon as there is something to pass on. `None` only when the process stops.
    pub(crate) async fn relay(self) -> Option<Relayed> {
        let flight = Flight {
            action: self.action,
            id: self.id.clone(),
            may_cancel: self.guarded.may_repeat(),
        };
        self.proxy.flights.begin(&self.headers, flight);
        let (begun, head) = oneshot::channel();
        let client = Client::new(begun, self.era, self.id.clone());
        let calls = self.proxy.calls.clone();
        calls.spawn(self.run(client));
        head.await.ok()
    }

    async fn run(self, mut client: Client) {
        let mut answering = Answering::ask(&self);
        let mut over = self.clock.sleep(Duration::from_millis(self.guarded.timeout_ms));
        let mut is_late = false;
        loop {
            tokio::select! {
                biased;
                piece = answering.next() => {
                    if self.took(piece, &mut client).await {
                        return;
                    }
                }
                () = &mut over => {
                    if is_late {
                        return;
                    }
                    is_late = true;
                    self.settle(Ended::Unknown("timeout".to_owned())).await;
                    client.refuse(&unknown());
                    over = self.clock.sleep(LISTEN_ON);
                }
            }
        }
    }

    /// Deals with a piece of the answer; whether it was the last.
    async fn took(&self, piece: Piece, client: &mut Client) -> bool {
        if let Some(ended) = piece.ended {
            self.settle(ended).await;
        }
        match piece.tells {
            server::Tells::Head(status, headers) => client.begin(status, headers),
            server::Tells::More(bytes) => client.more(bytes),
            server::Tells::Whole(status, headers, body) => client.whole(status, headers, body),
            server::Tells::Unreachable => client.unreachable(),
            server::Tells::Lost => client.refuse(&unknown()),
            server::Tells::Nothing => {}
        }
        piece.is_last
    }

    /// Records how the call ended, again and again while the store does not answer and the reservation stands.
    async fn settle(&self, ended: Ended) {
        let settlement = settlement(ended);
        let until = self.clock.elapsed() + Duration::from_millis(self.guarded.guarding.lease_ms);
        loop {
            match self.guard.settle(self.action, settlement.clone()).await {
                Err(LedgerError::Store(error)) if self.clock.elapsed() < until => {
                    tracing::warn!(action = %self.action, %error, "a call's outcome could not be recorded yet");
                    self.clock.sleep(AGAIN).await;
                }
                Err(error) => {
                    tracing::warn!(action = %self.action, %error, "a call's outcome came too late");
                    break;
                }
                Ok(_) => break,
            }
        }
        self.proxy.flights.end(self.action);
    }
}

/// What the model is told of a call whose outcome is not known.
fn unknown() -> String {
    Note::Unknown { age_ms: 0 }.text(Tongue::default())
}

/// How it is recorded.
pub(super) fn settlement(ended: Ended) -> Settlement {
    match ended {
        Ended::Done(result) => Settlement::Done {
            result: kept(result),
        },
        Ended::Failed(code) => Settlement::Failed { code },
        Ended::Unknown(code) => Settlement::Unknown { code },
    }
}

/// What is kept of a result for those who call again.
fn kept(result: Value) -> Value {
    if result.to_string().len() <= KEPT {
        return result;
    }
    json!({ "content": [{ "type": "text", "text": "It was done. Its result was too large to be kept." }] })
}
