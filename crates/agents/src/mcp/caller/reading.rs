//! A server's answer, whole or by a stream that may have to be taken up again. Must never take an end without an answer for
//! a failure.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Method, Response};
use serde_json::Value;

use super::{Caller, Standing};
use crate::mcp::{Ended, Events, LONGEST};

const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
/// A stream is taken up again so often.
const TIMES: u32 = 60;
/// A pause before each.
const PAUSE: Duration = Duration::from_millis(500);

/// What a stream came to.
enum Came {
    Ended(Ended),
    /// It is over, or broke; the place from which it could go on.
    Over(Option<String>),
}

impl Caller {
    /// How the call of that id ended, by the answer to it.
    pub(super) async fn read(&self, response: Response, standing: &Standing, id: &Value) -> Ended {
        if !is_stream(&response) {
            let document = document(response).await;
            let ended = document.and_then(|text| Ended::by(id, &text, self.errors));
            return ended.unwrap_or_else(|| Ended::unknown("no_answer"));
        }
        let mut place = match self.follow(response, id).await {
            Came::Ended(ended) => return ended,
            Came::Over(place) => place,
        };
        for _ in 0..TIMES {
            // Only a session keeps what a stream has not brought yet.
            let Some(from) = place.take().filter(|_| standing.has_session()) else {
                break;
            };
            self.clock.sleep(PAUSE).await;
            let Some(response) = self.resume(standing, &from).await else {
                break;
            };
            match self.follow(response, id).await {
                Came::Ended(ended) => return ended,
                Came::Over(next) => place = next.or(Some(from)),
            }
        }
        Ended::unknown("stream_ended")
    }

    async fn follow(&self, mut response: Response, id: &Value) -> Came {
        let mut events = Events::default();
        while let Ok(Some(piece)) = response.chunk().await {
            let Ok(messages) = events.push(&piece) else {
                return Came::Ended(Ended::unknown("answer_too_long"));
            };
            let mut ends = messages
                .iter()
                .filter_map(|message| Ended::by(id, message, self.errors));
            if let Some(ended) = ends.next() {
                return Came::Ended(ended);
            }
        }
        Came::Over(events.last_id().map(str::to_owned))
    }

    async fn resume(&self, standing: &Standing, from: &str) -> Option<Response> {
        let mut headers = standing.headers("", None);
        headers.insert(LAST_EVENT, HeaderValue::from_str(from).ok()?);
        headers.insert(ACCEPT, STREAM);
        let asked = self.upstream.pass(Method::GET, None, headers, Bytes::new());
        let response = asked.await.ok()?;
        (response.status().is_success() && is_stream(&response)).then_some(response)
    }
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
}

async fn document(mut response: Response) -> Option<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.ok()? {
        if bytes.len() + chunk.len() > LONGEST {
            return None;
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).ok()
}

/// Every message of an answer, up to the first that has a result or an error.
pub(super) async fn messages(mut response: Response) -> Vec<String> {
    if !is_stream(&response) {
        return document(response).await.into_iter().collect();
    }
    let (mut events, mut all) = (Events::default(), Vec::new());
    while let Ok(Some(piece)) = response.chunk().await {
        let Ok(messages) = events.push(&piece) else {
            break;
        };
        let is_over = messages.iter().any(|message| is_answer(message));
        all.extend(messages);
        if is_over {
            break;
        }
    }
    all
}

fn is_answer(message: &str) -> bool {
    let message: Option<Value> = serde_json::from_str(message).ok();
    message.is_some_and(|message| message.get("result").is_some() || message.get("error").is_some())
}
