//! A server on this machine that plays a script: each request takes the next act. It notes what it was asked, what was
//! wrong with that, and who went away before the end.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router};
use futures::stream;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The method.
    pub method: Method,
    /// Path and query.
    pub uri: Uri,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; null when there was none or it is no JSON.
    pub body: Value,
}

impl Seen {
    /// A header's text; empty when it is not there.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.and_then(|value| value.to_str().ok()).unwrap_or("")
    }
}

/// What is done with one request.
#[derive(Clone, Debug)]
pub enum Act {
    /// It is answered at once.
    Answer {
        /// The status.
        status: u16,
        /// Headers besides the content type.
        headers: Vec<(&'static str, String)>,
        /// The body.
        body: String,
    },
    /// It is answered by a stream of events.
    Stream {
        /// Headers besides the content type.
        headers: Vec<(&'static str, String)>,
        /// What is sent, in pieces.
        beats: Vec<Beat>,
        /// How it ends.
        end: End,
    },
    /// It is answered by this result to whatever request it is, as JSON-RPC does.
    Result(Value),
    /// It is never answered.
    Silence,
}

impl Act {
    /// A JSON answer.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::Answer {
            status,
            headers: Vec::new(),
            body: body.to_string(),
        }
    }

    /// The same with a header more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        match &mut self {
            Self::Answer { headers, .. } | Self::Stream { headers, .. } => {
                headers.push((name, value.to_owned()));
            }
            Self::Result(_) | Self::Silence => {}
        }
        self
    }

    /// A stream of these pieces that ends as it should.
    #[must_use]
    pub fn stream(beats: impl IntoIterator<Item = String>) -> Self {
        Self::Stream {
            headers: Vec::new(),
            beats: beats
                .into_iter()
                .map(|piece| Beat::Send(Bytes::from(piece)))
                .collect(),
            end: End::Clean,
        }
    }

    /// The same stream cut after so many pieces, like this.
    #[must_use]
    pub fn cut(mut self, after: usize, how: End) -> Self {
        if let Self::Stream { beats, end, .. } = &mut self {
            beats.truncate(after);
            *end = how;
        }
        self
    }

    /// The same stream, each byte in a piece of its own.
    #[must_use]
    pub fn byte_by_byte(mut self) -> Self {
        if let Self::Stream { beats, .. } = &mut self {
            let bytes = beats.iter().flat_map(|beat| match beat {
                Beat::Send(bytes) => bytes.to_vec(),
                Beat::Hold(_) => Vec::new(),
            });
            *beats = bytes
                .map(|byte| Beat::Send(Bytes::from(vec![byte])))
                .collect();
        }
        self
    }

    /// The same stream, held before the piece `at` until `until` is told.
    #[must_use]
    pub fn held(mut self, at: usize, until: &Arc<Notify>) -> Self {
        if let Self::Stream { beats, .. } = &mut self {
            beats.insert(at, Beat::Hold(Arc::clone(until)));
        }
        self
    }
}

/// A piece of a stream.
#[derive(Clone, Debug)]
pub enum Beat {
    /// Bytes, sent in one piece.
    Send(Bytes),
    /// Nothing, until this is told.
    Hold(Arc<Notify>),
}

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// In order.
    Clean,
    /// The connection breaks.
    Broken,
    /// Not at all: nothing more comes.
    Silence,
}

type Check = dyn Fn(&Seen) -> Result<(), String> + Send + Sync;

struct Shared {
    check: Box<Check>,
    acts: Mutex<VecDeque<Act>>,
    seen: Mutex<Vec<Seen>>,
    problems: Mutex<Vec<String>>,
    begun: watch::Sender<usize>,
    gone: watch::Sender<usize>,
}

/// A server that plays a script.
pub struct Stand {
    /// Where it listens: `http://127.0.0.1:PORT`.
    pub url: String,
    shared: Arc<Shared>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stand {
    /// A server whose requests have to pass `check`.
    ///
    /// # Panics
    /// When this machine has no free port.
    pub async fn start(
        check: impl Fn(&Seen) -> Result<(), String> + Send + Sync + 'static,
        acts: impl IntoIterator<Item = Act>,
    ) -> Self {
        let shared = Arc::new(Shared {
            check: Box::new(check),
            acts: Mutex::new(acts.into_iter().collect()),
            seen: Mutex::default(),
            problems: Mutex::default(),
            begun: watch::Sender::new(0),
            gone: watch::Sender::new(0),
        });
        let app = Router::new().fallback(play).with_state(Arc::clone(&shared));
        Self {
            url: serve(app).await,
            shared,
        }
    }

    /// Adds an act to the script.
    pub fn then(&self, act: Act) {
        lock(&self.shared.acts).push_back(act);
    }

    /// Every request so far.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        lock(&self.shared.seen).clone()
    }

    /// The bodies of every request so far.
    #[must_use]
    pub fn bodies(&self) -> Vec<Value> {
        self.seen().into_iter().map(|seen| seen.body).collect()
    }

    /// What was wrong with requests so far; nothing when all was as documented.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        lock(&self.shared.problems).clone()
    }

    /// Waits until so many requests were taken up and their first piece, if they have one, is out.
    pub async fn begun(&self, many: usize) {
        reach(&self.shared.begun, many).await;
    }

    /// Waits until so many clients went away before the end.
    pub async fn gone(&self, many: usize) {
        reach(&self.shared.gone, many).await;
    }

    /// How many clients went away before the end so far.
    #[must_use]
    pub fn gone_so_far(&self) -> usize {
        *self.shared.gone.borrow()
    }
}

async fn reach(counter: &watch::Sender<usize>, many: usize) {
    let mut seen = counter.subscribe();
    // The sender lives as long as the stand, so waiting cannot fail.
    drop(seen.wait_for(|count| *count >= many).await);
}

/// Serves on a free port of this machine and returns the address.
pub(super) async fn serve(app: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("this machine has a free port");
    let address = listener.local_addr().expect("a listener has an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

/// Notes that the client went away, unless the end was reached.
struct Client {
    shared: Arc<Shared>,
    ended: bool,
}

impl Drop for Client {
    fn drop(&mut self) {
        if !self.ended {
            self.shared.gone.send_modify(|gone| *gone += 1);
        }
    }
}

async fn play(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let seen = Seen {
        method,
        uri,
        headers,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    };
    let checked = (shared.check)(&seen);
    let id = seen.body["id"].clone();
    lock(&shared.seen).push(seen);
    if let Err(problem) = checked {
        lock(&shared.problems).push(problem.clone());
        return (StatusCode::BAD_REQUEST, problem).into_response();
    }
    let Some(act) = lock(&shared.acts).pop_front() else {
        let problem = "asked more often than the script has acts";
        lock(&shared.problems).push(problem.to_owned());
        return (StatusCode::NOT_IMPLEMENTED, problem).into_response();
    };
    perform(act, &id, shared).await
}

async fn perform(act: Act, id: &Value, shared: Arc<Shared>) -> Response {
    match act {
        Act::Answer {
            status,
            headers,
            body,
        } => {
            shared.begun.send_modify(|begun| *begun += 1);
            let head = Response::builder()
                .status(status)
                .header("content-type", "application/json");
            finish(head, headers, Body::from(body))
        }
        Act::Stream {
            headers,
            beats,
            end,
        } => {
            let head = Response::builder().header("content-type", "text/event-stream");
            finish(head, headers, Body::from_stream(pieces(beats, end, shared)))
        }
        Act::Result(result) => {
            shared.begun.send_modify(|begun| *begun += 1);
            Json(json!({ "jsonrpc": "2.0", "id": id, "result": result })).into_response()
        }
        Act::Silence => {
            let _client = Client {
                shared: Arc::clone(&shared),
                ended: false,
            };
            shared.begun.send_modify(|begun| *begun += 1);
            std::future::pending().await
        }
    }
}

fn finish(
    head: axum::http::response::Builder,
    headers: Vec<(&'static str, String)>,
    body: Body,
) -> Response {
    let head = headers
        .into_iter()
        .fold(head, |head, (name, value)| head.header(name, value));
    head.body(body).expect("a script has sound headers")
}

/// A stream under way.
struct Playing {
    beats: std::vec::IntoIter<Beat>,
    end: End,
    client: Client,
    sent: usize,
}

fn pieces(
    beats: Vec<Beat>,
    end: End,
    shared: Arc<Shared>,
) -> impl futures::Stream<Item = Result<Bytes, std::io::Error>> {
    let playing = Playing {
        beats: beats.into_iter(),
        end,
        client: Client {
            shared,
            ended: false,
        },
        sent: 0,
    };
    stream::unfold(playing, |mut playing| async move {
        let piece = playing.next().await?;
        Some((piece, playing))
    })
}

impl Playing {
    async fn next(&mut self) -> Option<Result<Bytes, std::io::Error>> {
        // To be asked for the second piece means that the first one is out.
        if self.sent == 1 {
            self.client.shared.begun.send_modify(|begun| *begun += 1);
        }
        self.sent += 1;
        for beat in self.beats.by_ref() {
            match beat {
                Beat::Hold(until) => until.notified().await,
                Beat::Send(bytes) => return Some(Ok(bytes)),
            }
        }
        let ended = std::mem::replace(&mut self.client.ended, self.end != End::Silence);
        match self.end {
            End::Silence => std::future::pending().await,
            End::Broken if !ended => Some(Err(std::io::Error::other(
                "the script breaks the connection here",
            ))),
            End::Broken | End::Clean => None,
        }
    }
}
