//! The other side of a generic channel: takes replies and notes when each came. Must never refuse a reply that is signed
//! rightly, so that every hand-over counts.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use replygate_channels::generic::{Secret, verify};
use replygate_gate::{At, MessageId, ReplyId};
use replygate_ports::clock::Clock;
use serde::Deserialize;
use tokio_util::sync::{CancellationToken, DropGuard};

/// A part of a reply as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The reply.
    pub reply: ReplyId,
    /// Its place in the conversation's order.
    pub seq: u64,
    /// To whom.
    pub contact: String,
    /// Which part, from 0.
    pub part: u16,
    /// The part's text.
    pub text: String,
    /// The messages that the reply answers.
    pub covers: Vec<MessageId>,
    /// When it came.
    pub at: At,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Body {
    Reply {
        reply_id: ReplyId,
        seq: u64,
        contact: String,
        part: u16,
        text: String,
        covers: Vec<MessageId>,
    },
    #[serde(other)]
    Other,
}

struct Shared {
    clock: Arc<dyn Clock>,
    secret: Secret,
    patience: Duration,
    receipts: Mutex<Receipts>,
}

#[derive(Default)]
struct Receipts {
    by_contact: HashMap<String, Vec<Receipt>>,
    total: usize,
    last: At,
}

/// A listening deliver address; it ends with the value.
pub struct Endpoint {
    address: SocketAddr,
    shared: Arc<Shared>,
    _stop: DropGuard,
}

impl Endpoint {
    /// Listens at `listen`; each answer comes `patience` after its request was noted.
    pub async fn start(
        listen: SocketAddr,
        secret: Secret,
        patience: Duration,
        clock: Arc<dyn Clock>,
    ) -> std::io::Result<Self> {
        let listener = tokio::net::TcpListener::bind(listen).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            clock,
            secret,
            patience,
            receipts: Mutex::default(),
        });
        let routes = Router::new()
            .fallback(post(take))
            .with_state(shared.clone())
            .into_make_service();
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        tokio::spawn(async move {
            tokio::select! {
                served = axum::serve(listener, routes).into_future() => {
                    if let Err(error) = served {
                        tracing::error!(%error, "the deliver address does not answer any more");
                    }
                }
                () = stopped.cancelled() => {}
            }
        });
        Ok(Self {
            address,
            shared,
            _stop: stop.drop_guard(),
        })
    }

    /// The address to configure as `deliver_url`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// What came for a contact, in the order in which it came.
    #[must_use]
    pub fn of(&self, contact: &str) -> Vec<Receipt> {
        self.receipts()
            .by_contact
            .get(contact)
            .cloned()
            .unwrap_or_default()
    }

    /// Everything that came, by contact.
    #[must_use]
    pub fn all(&self) -> HashMap<String, Vec<Receipt>> {
        self.receipts().by_contact.clone()
    }

    /// How many parts came.
    #[must_use]
    pub fn total(&self) -> usize {
        self.receipts().total
    }

    /// When the last part came; 1970 before the first.
    #[must_use]
    pub fn last(&self) -> At {
        self.receipts().last
    }

    fn receipts(&self) -> MutexGuard<'_, Receipts> {
        self.shared
            .receipts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

async fn take(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let now = shared.clock.now();
    if verify(&headers, &body, std::slice::from_ref(&shared.secret), now).is_err() {
        return StatusCode::UNAUTHORIZED;
    }
    let Ok(body) = serde_json::from_slice::<Body>(&body) else {
        return StatusCode::BAD_REQUEST;
    };
    let Body::Reply {
        reply_id,
        seq,
        contact,
        part,
        text,
        covers,
    } = body
    else {
        return StatusCode::OK;
    };
    let receipt = Receipt {
        reply: reply_id,
        seq,
        contact,
        part,
        text,
        covers,
        at: now,
    };
    note(&shared, receipt);
    if !shared.patience.is_zero() {
        shared.clock.sleep(shared.patience).await;
    }
    StatusCode::OK
}

fn note(shared: &Shared, receipt: Receipt) {
    let mut receipts = shared
        .receipts
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    receipts.total += 1;
    receipts.last = receipt.at;
    receipts
        .by_contact
        .entry(receipt.contact.clone())
        .or_default()
        .push(receipt);
}
