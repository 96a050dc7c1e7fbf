//! One call of a tool with an effect: the question whether it may run, and its way to the server and back. It goes on whoever
//! still waits for it: what came of it is recorded before the client learns it, so that a client that calls again at once
//! finds it done.

mod client;
mod server;
mod under_way;

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::HeaderMap;
use replygate_agents::mcp::{Ended, Era, answer};
use replygate_engine::{Guard, Leave, Wait, Wish};
use replygate_ports::clock::Clock;
use replygate_ports::ledger::Settlement;
use replygate_ports::tools::Tool;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::Proxy;
use client::Client;
pub(crate) use client::{Body as RelayedBody, Relayed};
use under_way::UnderWay;

/// A result that is larger is not kept: whoever calls again is told in words that it was done. Bytes.
const KEPT: usize = 256 * 1024;

/// One call of a tool with an effect.
pub(crate) struct Exchange {
    pub(crate) proxy: Arc<Proxy>,
    pub(crate) guard: Guard,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) tool: Arc<Tool>,
    pub(crate) wish: Wish,
    /// The request's id.
    pub(crate) id: Value,
    pub(crate) era: Era,
    /// What of the request goes to the server.
    pub(crate) headers: HeaderMap,
    pub(crate) query: Option<String>,
    pub(crate) body: Bytes,
}

impl Exchange {
    /// Carries the call out, or does not; the answer as soon as there is something to pass on. `None` only when the process
    /// stops.
    pub(crate) async fn relay(self) -> Option<Relayed> {
        let (begun, head) = oneshot::channel();
        let client = Client::new(begun, self.clock.clone(), self.era, self.id.clone());
        let calls = self.proxy.calls.clone();
        // In a task of its own: a client that goes away does not take a reservation with it.
        calls.spawn(self.run(client));
        head.await.ok()
    }

    async fn run(self, mut client: Client) {
        match self.guard.ask(&self.wish, Wait::ToTheEnd).await {
            Ok(Leave::Run { action, key }) => {
                let call = UnderWay::new(self, action, key);
                call.run(client).await;
            }
            Ok(Leave::Duplicate {
                first,
                age_ms,
                note,
                ..
            }) => {
                let action = first.entry.action.to_string();
                let result = first.result.unwrap_or_default();
                let replay = answer::replay(self.era, &result, &action, age_ms, &note);
                client.result(&replay);
            }
            Ok(Leave::Unknown { note, .. } | Leave::InProgress { note, .. }) => {
                client.refuse(&note).await;
            }
            Err(error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "the ledger failed"
                );
                client.unavailable();
            }
        }
    }
}

/// How it is recorded.
pub(super) fn settlement(ended: Ended) -> Settlement {
    match ended {
        Ended::Done(result) => Settlement::Done {
            result: kept(result),
        },
        Ended::Failed { code, .. } => Settlement::Failed { code },
        Ended::Unknown { code } => Settlement::Unknown { code },
    }
}

/// What is kept of a result for those who call again.
fn kept(result: Value) -> Value {
    if result.to_string().len() <= KEPT {
        return result;
    }
    let words = "It was done. Its result was too large to be kept.";
    json!({ "content": [{ "type": "text", "text": words }] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_result_is_kept_in_words() {
        let result = json!({ "content": [{ "type": "text", "text": "x".repeat(KEPT) }] });
        let Settlement::Done { result: kept } = settlement(Ended::Done(result)) else {
            panic!("it was done");
        };
        assert!(kept.to_string().len() < 200);
        let small = json!({ "content": [] });
        let settled = settlement(Ended::Done(small.clone()));
        assert_eq!(settled, Settlement::Done { result: small });
    }
}
