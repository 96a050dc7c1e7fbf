//! Customers who write by signed webhooks, and what any program may ask by `/v1`. Must never send a message again by
//! itself: a repetition is part of the play.

use std::sync::Arc;

use replygate_channels::generic::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, Secret, sign};
use replygate_gate::{At, MessageId, SessionId};
use replygate_ports::clock::Clock;
use replygate_ports::store::Step;
use reqwest::StatusCode;
use serde::{Deserialize, Serialize};

/// Steps that one request for a timeline brings.
const STEPS: usize = 200;

/// Where a play takes place.
#[derive(Clone)]
pub struct Place {
    /// The server's address, such as `http://127.0.0.1:8420`.
    pub url: String,
    /// The secret that signs for the channels, in both directions.
    pub secret: Secret,
    /// A token that may operate.
    pub token: String,
}

/// A message to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saying {
    /// The sender's own id of it.
    pub message_id: String,
    /// Who writes.
    pub contact: String,
    /// The words.
    pub text: String,
    /// When it claims to be written, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_at: Option<At>,
}

/// The answer to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Accepted {
    /// Its id.
    pub message: MessageId,
    /// Its session.
    pub session: SessionId,
    /// Whether it was known.
    pub duplicate: bool,
}

/// The server could not be asked, or said no.
#[derive(Debug, thiserror::Error)]
pub enum TalkError {
    /// No answer came.
    #[error("{what} got no answer")]
    Unanswered {
        /// What was asked.
        what: &'static str,
        /// Why.
        #[source]
        source: reqwest::Error,
    },
    /// The answer was no.
    #[error("{what} was answered with {status}: {why}")]
    Refused {
        /// What was asked.
        what: &'static str,
        /// The status.
        status: StatusCode,
        /// The server's words.
        why: String,
    },
}

#[derive(Deserialize)]
struct Page {
    steps: Vec<Step>,
    next: Option<String>,
}

/// All customers of a play. Clones share connections.
#[derive(Clone)]
pub struct Customer {
    client: reqwest::Client,
    place: Place,
    clock: Arc<dyn Clock>,
}

impl Customer {
    /// Customers at this place.
    ///
    /// # Errors
    /// When the system's TLS roots or resolver settings cannot be read.
    pub fn new(place: Place, clock: Arc<dyn Clock>) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: replygate_channels::http_client()?,
            place,
            clock,
        })
    }

    /// Sends a message on a channel.
    pub async fn say(&self, channel: &str, saying: &Saying) -> Result<Accepted, TalkError> {
        let what = "a message";
        let body = serde_json::to_vec(saying).unwrap_or_default();
        let (id, now) = (&saying.message_id, self.clock.now().0.div_euclid(1_000));
        let signature = sign(id, now, &body, std::slice::from_ref(&self.place.secret));
        let request = self
            .client
            .post(format!("{}/hooks/{channel}", self.place.url))
            .header(HEADER_ID, id)
            .header(HEADER_TIMESTAMP, now)
            .header(HEADER_SIGNATURE, signature)
            .header(reqwest::header::CONTENT_TYPE, "application/json")
            .body(body);
        read(what, request).await
    }

    /// Puts a lock on a session, as another system does.
    pub async fn lock(
        &self,
        session: SessionId,
        holder: &str,
        lease_ms: u64,
        ttl_ms: u64,
    ) -> Result<(), TalkError> {
        let body = serde_json::json!({ "holder": holder, "lease_ms": lease_ms, "ttl_ms": ttl_ms });
        let request = self
            .client
            .put(format!("{}/v1/sessions/{session}/lock", self.place.url))
            .bearer_auth(&self.place.token)
            .json(&body);
        answered("a lock", request).await.map(drop)
    }

    /// Everything that happened in a session, oldest first.
    pub async fn log(&self, session: SessionId) -> Result<Vec<Step>, TalkError> {
        let mut steps: Vec<Step> = Vec::new();
        let mut before = String::new();
        loop {
            let url = format!(
                "{}/v1/sessions/{session}/timeline?limit={STEPS}{before}",
                self.place.url
            );
            let request = self.client.get(url).bearer_auth(&self.place.token);
            let page: Page = read("a session's timeline", request).await?;
            steps.extend(page.steps);
            let Some(next) = page.next else { break };
            before = format!("&before={next}");
        }
        steps.sort_unstable_by_key(|step| step.version);
        Ok(steps)
    }
}

async fn answered(
    what: &'static str,
    request: reqwest::RequestBuilder,
) -> Result<reqwest::Response, TalkError> {
    let response = request
        .send()
        .await
        .map_err(|source| TalkError::Unanswered { what, source })?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let why = response
        .text()
        .await
        .unwrap_or_default()
        .chars()
        .take(400)
        .collect();
    Err(TalkError::Refused { what, status, why })
}

async fn read<T: serde::de::DeserializeOwned>(
    what: &'static str,
    request: reqwest::RequestBuilder,
) -> Result<T, TalkError> {
    let response = answered(what, request).await?;
    response
        .json()
        .await
        .map_err(|source| TalkError::Unanswered { what, source })
}
