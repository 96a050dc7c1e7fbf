//! An `api_server`: sessions that must be made before a run, and runs that stream chunks and their wholes. It does not
//! guard a session against two runs, but it notes when that happened.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use futures::stream;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use super::stand::serve;

/// How a run goes.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its events.
    pub events: Vec<Value>,
    /// Before the event of this place it waits until it is told to go on.
    pub held: Option<(usize, Arc<Notify>)>,
}

impl Script {
    /// A run that says this, chunk by chunk and then whole.
    #[must_use]
    pub fn words(pieces: &[&str]) -> Self {
        let mut events: Vec<Value> = pieces.iter().map(|piece| chunk(piece)).collect();
        events.push(whole("root_agent", &json!([{"text": pieces.concat()}])));
        Self::of(events)
    }

    /// A run of these events.
    #[must_use]
    pub const fn of(events: Vec<Value>) -> Self {
        Self { events, held: None }
    }

    /// The same, held before the event of this place.
    #[must_use]
    pub fn held(mut self, at: usize, until: &Arc<Notify>) -> Self {
        self.held = Some((at, Arc::clone(until)));
        self
    }
}

/// A piece of what the agent says.
#[must_use]
pub fn chunk(text: &str) -> Value {
    json!({
        "id": "ev1", "invocationId": "inv1", "author": "root_agent", "timestamp": 1_700_000_000.5, "partial": true,
        "content": {"role": "model", "parts": [{"text": text}]},
        "actions": {"stateDelta": {}, "artifactDelta": {}},
    })
}

/// A whole event, with 30 tokens read, 20 of them kept, and 7 written, 2 of them thoughts.
#[must_use]
pub fn whole(author: &str, parts: &Value) -> Value {
    json!({
        "id": "ev1", "invocationId": "inv1", "author": author, "timestamp": 1_700_000_000.5,
        "content": {"role": "model", "parts": parts},
        "actions": {"stateDelta": {}, "artifactDelta": {}},
        "usageMetadata": {
            "promptTokenCount": 30, "cachedContentTokenCount": 20, "candidatesTokenCount": 5, "thoughtsTokenCount": 2,
        },
    })
}

#[derive(Default)]
struct World {
    scripts: VecDeque<Script>,
    /// Sessions by user, with the texts that they were sent.
    sessions: BTreeMap<(String, String), Vec<String>>,
    running: BTreeSet<String>,
    bodies: Vec<Value>,
    problems: Vec<String>,
    deleted: usize,
    aborted: usize,
}

struct Shared {
    world: Mutex<World>,
    changed: watch::Sender<u64>,
}

/// An `api_server` with the app `loja` on this machine.
pub struct Server {
    /// Where it listens.
    pub url: String,
    shared: Arc<Shared>,
}

impl Shared {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.changed.send_modify(|changes| *changes += 1);
    }

    fn refuse(&self, status: StatusCode, problem: &str) -> Response {
        self.world().problems.push(problem.to_owned());
        (status, Json(json!({"detail": problem}))).into_response()
    }
}

impl Server {
    /// A server whose runs go like this, one after the other.
    pub async fn start(scripts: impl IntoIterator<Item = Script>) -> Self {
        let shared = Arc::new(Shared {
            world: Mutex::new(World {
                scripts: scripts.into_iter().collect(),
                ..World::default()
            }),
            changed: watch::Sender::new(0),
        });
        let session = post(create).delete(forget);
        let app = Router::new()
            .route("/apps/{app}/users/{user}/sessions/{session}", session)
            .route("/run_sse", post(run))
            .with_state(Arc::clone(&shared));
        Self {
            url: serve(app).await,
            shared,
        }
    }

    /// The bodies of every run so far.
    #[must_use]
    pub fn bodies(&self) -> Vec<Value> {
        self.shared.world().bodies.clone()
    }

    /// What was wrong with requests so far.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        self.shared.world().problems.clone()
    }

    /// The sessions that there are, as user and session, with what each was sent.
    #[must_use]
    pub fn sessions(&self) -> BTreeMap<(String, String), Vec<String>> {
        self.shared.world().sessions.clone()
    }

    /// How many sessions were deleted.
    #[must_use]
    pub fn deleted(&self) -> usize {
        self.shared.world().deleted
    }

    /// Waits until so many runs have begun.
    pub async fn begun(&self, many: usize) {
        self.until(|world| world.bodies.len() >= many).await;
    }

    /// Waits until so many clients went away before the end.
    pub async fn aborted(&self, many: usize) {
        self.until(|world| world.aborted >= many).await;
    }

    async fn until(&self, wanted: impl Fn(&World) -> bool) {
        let mut changed = self.shared.changed.subscribe();
        // The sender lives as long as the server, so waiting cannot fail.
        drop(changed.wait_for(|_| wanted(&self.shared.world())).await);
    }
}

async fn create(
    State(shared): State<Arc<Shared>>,
    Path((app, user, session)): Path<(String, String, String)>,
) -> Response {
    if app != "loja" {
        return shared.refuse(StatusCode::BAD_REQUEST, "there is no such app");
    }
    let mut world = shared.world();
    if world
        .sessions
        .contains_key(&(user.clone(), session.clone()))
    {
        let known = json!({"detail": "Session already exists"});
        return (StatusCode::CONFLICT, Json(known)).into_response();
    }
    world.sessions.insert((user, session.clone()), Vec::new());
    Json(json!({"id": session, "appName": app, "state": {}, "events": []})).into_response()
}

async fn forget(
    State(shared): State<Arc<Shared>>,
    Path((_, user, session)): Path<(String, String, String)>,
) -> Response {
    let mut world = shared.world();
    match world.sessions.remove(&(user, session)) {
        Some(_) => {
            world.deleted += 1;
            StatusCode::OK.into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Request {
    app_name: String,
    user_id: String,
    session_id: String,
    new_message: Message,
    streaming: bool,
    state_delta: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    role: String,
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    text: String,
}

async fn run(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let value: Value = serde_json::from_slice(&body).unwrap_or_default();
    let request: Request = match serde_json::from_value(value.clone()) {
        Ok(request) => request,
        Err(error) => {
            return shared.refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string());
        }
    };
    if request.app_name != "loja" {
        return shared.refuse(StatusCode::BAD_REQUEST, "there is no such app");
    }
    if request.new_message.role != "user" || request.new_message.parts.is_empty() {
        return shared.refuse(StatusCode::UNPROCESSABLE_ENTITY, "no message of a user");
    }
    let mut world = shared.world();
    let key = (request.user_id, request.session_id.clone());
    let Some(texts) = world.sessions.get_mut(&key) else {
        let missing = json!({"detail": "Session not found"});
        return (StatusCode::NOT_FOUND, Json(missing)).into_response();
    };
    texts.extend(request.new_message.parts.into_iter().map(|part| part.text));
    if !world.running.insert(request.session_id.clone()) {
        world.problems.push("two runs in one session".to_owned());
    }
    world.bodies.push(value);
    let Some(script) = world.scripts.pop_front() else {
        drop(world);
        return shared.refuse(StatusCode::NOT_IMPLEMENTED, "more runs than the script has");
    };
    drop(world);
    shared.changed();
    let client = Client {
        session: request.session_id,
        shared,
        ended: false,
    };
    let head = Response::builder().header("content-type", "text/event-stream");
    let body = Body::from_stream(events(script, client));
    head.body(body).expect("these headers are sound")
}

/// Notes the end of a run, and whether the client went away before it.
struct Client {
    session: String,
    shared: Arc<Shared>,
    ended: bool,
}

impl Client {
    fn finish(&mut self) {
        self.ended = true;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let mut world = self.shared.world();
        world.running.remove(&self.session);
        world.aborted += usize::from(!self.ended);
        drop(world);
        self.shared.changed();
    }
}

fn events(
    script: Script,
    client: Client,
) -> impl futures::Stream<Item = Result<Bytes, Infallible>> {
    let held = script.held;
    let events = script.events.into_iter();
    stream::unfold(
        (events, client, 0_usize),
        move |(mut events, mut client, place)| {
            let held = held.clone().filter(|(at, _)| *at == place);
            async move {
                if let Some((_, until)) = held {
                    until.notified().await;
                }
                let Some(event) = events.next() else {
                    client.finish();
                    return None;
                };
                let bytes = Bytes::from(format!("data: {event}\n\n"));
                Some((Ok(bytes), (events, client, place + 1)))
            }
        },
    )
}
