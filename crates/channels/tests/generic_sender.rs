//! The generic channel against a server on this machine: what it posts, and what it makes of each answer.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use replygate_channels::generic::{GenericChannel, Secret, verify};
use replygate_channels::http_client;
use replygate_gate::{At, MessageId, Outcome, ReplyId, SessionKey};
use replygate_ports::channel::{Channel, Outbound, Show};
use replygate_ports::clock::Clock;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::sync::Notify;

const NOW: At = At(1_700_000_000_500);
const LIMIT: Duration = Duration::from_secs(10);

/// Time stands still; waits end when the test says so.
#[derive(Default)]
struct Still {
    over: Notify,
}

#[async_trait]
impl Clock for Still {
    fn now(&self) -> At {
        NOW
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, _wait: Duration) {
        self.over.notified().await;
    }
}

fn secret() -> Secret {
    Secret::parse("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=").unwrap()
}

fn channel(url: String, clock: Arc<dyn Clock>) -> GenericChannel {
    GenericChannel::new(url, vec![secret()], http_client().unwrap(), clock)
}

fn key() -> SessionKey {
    SessionKey {
        channel: "shop".into(),
        account: String::new(),
        conversation: "g1".into(),
        contact: "c1".into(),
    }
}

fn part() -> Outbound {
    Outbound {
        key: key(),
        reply: ReplyId(5),
        seq: 3,
        part: 1,
        parts: 2,
        text: "Sim, aceitamos PIX.".into(),
        covers: vec![MessageId(1), MessageId(2)],
    }
}

type Seen = Arc<Mutex<Vec<(HeaderMap, Bytes)>>>;

/// A server that remembers what it got and always answers the same.
async fn server(
    status: u16,
    retry_after: Option<&'static str>,
    body: &'static str,
) -> (String, Seen) {
    let seen = Seen::default();
    let answer = move |State(seen): State<Seen>, headers: HeaderMap, body_in: Bytes| async move {
        seen.lock().unwrap().push((headers, body_in));
        let mut response: Response = (StatusCode::from_u16(status).unwrap(), body).into_response();
        if let Some(value) = retry_after {
            response
                .headers_mut()
                .insert("retry-after", value.parse().unwrap());
        }
        if (300..400).contains(&status) {
            response
                .headers_mut()
                .insert("location", "/elsewhere".parse().unwrap());
        }
        response
    };
    let app = Router::new().fallback(answer).with_state(Arc::clone(&seen));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/deliver", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (url, seen)
}

async fn sent(
    status: u16,
    retry_after: Option<&'static str>,
    body: &'static str,
) -> (Outcome, usize) {
    let (url, seen) = server(status, retry_after, body).await;
    let outcome = channel(url, Arc::new(Still::default()))
        .send(&part(), LIMIT)
        .await;
    let times = seen.lock().unwrap().len();
    (outcome, times)
}

fn only(seen: &Seen) -> (HeaderMap, Value) {
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 1);
    let (headers, body) = &seen[0];
    assert_eq!(verify(headers, body, &[secret()], NOW), Ok(()));
    (headers.clone(), serde_json::from_slice(body).unwrap())
}

#[tokio::test]
async fn a_part_is_posted_as_documented_and_its_receipt_is_kept() {
    let (url, seen) = server(200, None, r#"{"receipt":"r-77","other":1}"#).await;
    let outcome = channel(url, Arc::new(Still::default()))
        .send(&part(), LIMIT)
        .await;
    assert_eq!(
        outcome,
        Outcome::Accepted {
            receipt: Some("r-77".into())
        }
    );
    let (headers, body) = only(&seen);
    assert_eq!(headers["webhook-id"], format!("{}:1", ReplyId(5)));
    assert_eq!(headers["webhook-timestamp"], "1700000000");
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(
        body,
        json!({
            "type": "reply", "reply_id": ReplyId(5), "seq": 3, "channel": "shop", "contact": "c1",
            "conversation": "g1", "part": 1, "parts": 2, "text": "Sim, aceitamos PIX.",
            "covers": [MessageId(1), MessageId(2)],
        })
    );
}

#[tokio::test]
async fn typing_and_notices_are_signed_too() {
    let (url, seen) = server(204, None, "").await;
    channel(url, Arc::new(Still::default()))
        .typing(&key(), Show::On)
        .await;
    assert_eq!(
        only(&seen).1,
        json!({"type": "typing", "contact": "c1", "on": true})
    );

    let (url, seen) = server(204, None, "").await;
    let outcome = channel(url, Arc::new(Still::default()))
        .notice(&key(), ReplyId(9), "Stopped.", LIMIT)
        .await;
    assert_eq!(outcome, Outcome::Accepted { receipt: None });
    let (headers, body) = only(&seen);
    assert_eq!(headers["webhook-id"], format!("{}:notice", ReplyId(9)));
    assert_eq!(
        body,
        json!({
            "type": "notice", "channel": "shop", "contact": "c1", "conversation": "g1",
            "notice_id": ReplyId(9), "text": "Stopped.",
        })
    );
}

#[tokio::test]
async fn answers_become_outcomes_and_nothing_is_sent_twice() {
    let failed = |code: &str, retry_after_ms| Outcome::Failed {
        code: code.into(),
        retry_after_ms,
    };
    for (status, retry_after, expected) in [
        (204, None, Outcome::Accepted { receipt: None }),
        (429, Some("2"), failed("http_429", Some(2_000))),
        (
            503,
            Some("Tue, 14 Nov 2023 22:13:30 GMT"),
            failed("http_503", Some(9_500)),
        ),
        (500, None, failed("http_500", None)),
        (
            403,
            None,
            Outcome::Refused {
                code: "http_403".into(),
            },
        ),
        (
            307,
            None,
            Outcome::Refused {
                code: "http_307".into(),
            },
        ),
        (
            504,
            None,
            Outcome::Unknown {
                code: "http_504".into(),
            },
        ),
    ] {
        assert_eq!(
            sent(status, retry_after, "").await,
            (expected, 1),
            "{status}"
        );
    }
}

#[tokio::test]
async fn an_unreadable_receipt_does_not_undo_the_acceptance() {
    for (body, receipt) in [
        ("thanks", None),
        (r#"{"receipt":null}"#, None),
        (r#"{"receipt":{"id":1}}"#, None),
        (r#"{"receipt":42}"#, Some("42".to_owned())),
    ] {
        assert_eq!(
            sent(200, None, body).await.0,
            Outcome::Accepted { receipt },
            "{body}"
        );
    }
}

#[tokio::test]
async fn nobody_listening_is_a_definite_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let outcome = channel(url, Arc::new(Still::default()))
        .send(&part(), LIMIT)
        .await;
    assert_eq!(
        outcome,
        Outcome::Failed {
            code: "connect".into(),
            retry_after_ms: None
        }
    );
}

#[tokio::test]
async fn a_connection_that_breaks_after_the_request_leaves_the_outcome_open() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut start = [0; 64];
        stream.read_exact(&mut start).await.unwrap();
    });
    let outcome = channel(url, Arc::new(Still::default()))
        .send(&part(), LIMIT)
        .await;
    assert_eq!(
        outcome,
        Outcome::Unknown {
            code: "connection_lost".into()
        }
    );
}

#[tokio::test]
async fn no_answer_in_time_leaves_the_outcome_open() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let clock = Arc::new(Still::default());
    let timer = Arc::clone(&clock);
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut start = [0; 64];
        stream.read_exact(&mut start).await.unwrap();
        timer.over.notify_one();
        // Keeps the connection open for as long as the test runs.
        std::future::pending::<()>().await;
    });
    let outcome = channel(url, clock).send(&part(), LIMIT).await;
    assert_eq!(
        outcome,
        Outcome::Unknown {
            code: "timeout".into()
        }
    );
}
