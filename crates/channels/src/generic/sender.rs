//! Hands replies to the other side's address. Must never follow a redirect, never repeat a request by itself, and never
//! log or return what the other side said beyond its status and receipt.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::{Either, select};
use replygate_gate::{MessageId, Outcome, ReplyId, Sender, SessionKey};
use replygate_ports::channel::{Channel, Outbound, Show, Typing};
use replygate_ports::clock::Clock;
use serde::{Deserialize, Serialize};

use super::outcome;
use super::secret::Secret;
use super::signature::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, sign};

/// A receipt is a short id; the rest of a longer answer is not read.
const RECEIPT_BYTES: usize = 16 * 1024;
/// The longest receipt that is kept, in bytes.
const RECEIPT_ID_BYTES: usize = 256;
/// Typing is of no consequence: nobody waits longer for it.
const TYPING_WITHIN: Duration = Duration::from_secs(3);

/// Posts to one address.
///
/// Each post carries `webhook-id`, `webhook-timestamp` and `webhook-signature` (see [`sign`](super::sign)); the id
/// stays the same when a part is handed over again, so that the other side can tell.
///
/// - a part, `webhook-id` `{reply_id}:{part}`: `{"type":"reply","reply_id","seq","channel","contact","conversation",
///   "part","parts","text","covers":[message ids]}`, `part` from 0;
/// - typing: `{"type":"typing","contact","on"}`;
/// - a notice, `webhook-id` `{notice_id}:notice`: `{"type":"notice","channel","contact","conversation","notice_id",
///   "text"}`.
///
/// `account` is added where the session has one. A 2xx may carry `{"receipt":"…"}`, the other side's own id. What other
/// answers mean is said by the table in the module `outcome`; no connection is a definite failure, an answer that does
/// not come in time is not known.
pub struct GenericChannel {
    deliver_url: String,
    secrets: Vec<Secret>,
    client: reqwest::Client,
    clock: Arc<dyn Clock>,
    typings: AtomicU64,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Body<'a> {
    Reply {
        reply_id: ReplyId,
        seq: u64,
        channel: &'a str,
        #[serde(skip_serializing_if = "str::is_empty")]
        account: &'a str,
        contact: &'a str,
        conversation: &'a str,
        part: u16,
        parts: u16,
        text: &'a str,
        covers: &'a [MessageId],
    },
    Typing {
        #[serde(skip_serializing_if = "str::is_empty")]
        account: &'a str,
        contact: &'a str,
        on: bool,
    },
    Notice {
        channel: &'a str,
        #[serde(skip_serializing_if = "str::is_empty")]
        account: &'a str,
        contact: &'a str,
        conversation: &'a str,
        notice_id: ReplyId,
        text: &'a str,
    },
}

#[derive(Deserialize)]
struct Receipt {
    receipt: Option<serde_json::Value>,
}

type Deadline<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

impl GenericChannel {
    /// A sender to `deliver_url` that signs with every one of `secrets`. `client` must not follow redirects, see
    /// [`http_client`](crate::http_client).
    #[must_use]
    pub fn new(
        deliver_url: String,
        secrets: Vec<Secret>,
        client: reqwest::Client,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            deliver_url,
            secrets,
            client,
            clock,
            typings: AtomicU64::new(0),
        }
    }

    async fn post(&self, id: &str, body: &Body<'_>, limit: Duration) -> Outcome {
        let Ok(raw) = serde_json::to_vec(body) else {
            return Outcome::Refused {
                code: "unwritable".to_owned(),
            };
        };
        let mut deadline: Deadline<'_> = self.clock.sleep(limit);
        let request = Box::pin(self.request(id, raw).send());
        let response = match select(request, deadline.as_mut()).await {
            Either::Left((Ok(response), _)) => response,
            Either::Left((Err(error), _)) => return outcome::of_error(&error),
            Either::Right(_) => {
                return Outcome::Unknown {
                    code: "timeout".to_owned(),
                };
            }
        };
        match outcome::of_answer(response.status(), response.headers(), self.clock.now()) {
            Outcome::Accepted { .. } => Outcome::Accepted {
                receipt: receipt(response, deadline).await,
            },
            other => other,
        }
    }

    fn request(&self, id: &str, raw: Vec<u8>) -> reqwest::RequestBuilder {
        let timestamp = self.clock.now().0.div_euclid(1_000);
        self.client
            .post(&self.deliver_url)
            .header(http::header::CONTENT_TYPE, "application/json")
            .header(HEADER_ID, id)
            .header(HEADER_TIMESTAMP, timestamp)
            .header(HEADER_SIGNATURE, sign(id, timestamp, &raw, &self.secrets))
            .body(raw)
    }
}

/// The receipt in an answer, if there is one and it comes in time. The part is accepted either way.
async fn receipt(response: reqwest::Response, deadline: Deadline<'_>) -> Option<String> {
    let body = Box::pin(read_start(response));
    let Either::Left((bytes, _)) = select(body, deadline).await else {
        return None;
    };
    match serde_json::from_slice::<Receipt>(&bytes).ok()?.receipt? {
        serde_json::Value::String(id) if (1..=RECEIPT_ID_BYTES).contains(&id.len()) => Some(id),
        serde_json::Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

/// The body, cut after [`RECEIPT_BYTES`].
async fn read_start(mut response: reqwest::Response) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > RECEIPT_BYTES {
            bytes.truncate(RECEIPT_BYTES);
            break;
        }
    }
    bytes
}

#[async_trait]
impl Channel for GenericChannel {
    async fn send(&self, part: &Outbound, limit: Duration) -> Outcome {
        let body = Body::Reply {
            reply_id: part.reply,
            seq: part.seq,
            channel: &part.key.channel,
            account: &part.key.account,
            contact: &part.key.contact,
            conversation: &part.key.conversation,
            part: part.part,
            parts: part.parts,
            text: &part.text,
            covers: &part.covers,
        };
        self.post(&format!("{}:{}", part.reply, part.part), &body, limit)
            .await
    }

    async fn typing(&self, to: &SessionKey, show: Show) {
        let nth = self.typings.fetch_add(1, Ordering::Relaxed);
        let id = format!("{}:typing:{}:{nth}", to.session(), self.clock.now());
        let body = Body::Typing {
            account: &to.account,
            contact: &to.contact,
            on: show == Show::On,
        };
        self.post(&id, &body, TYPING_WITHIN).await;
    }

    async fn notice(&self, to: &SessionKey, id: ReplyId, text: &str, limit: Duration) -> Outcome {
        let body = Body::Notice {
            channel: &to.channel,
            account: &to.account,
            contact: &to.contact,
            conversation: &to.conversation,
            notice_id: id,
            text,
        };
        self.post(&format!("{id}:notice"), &body, limit).await
    }

    fn typing_style(&self) -> Typing {
        Typing::OnOff
    }

    fn sender(&self) -> Sender {
        Sender::Reads
    }
}
