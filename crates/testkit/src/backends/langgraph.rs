//! An Agent Server: threads that hold one run at a time, runs that are streamed, cancelled, refused or put in line. What a
//! run says comes from a script, and what became of each run is noted.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Json;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, post};
use futures::stream;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use super::stand::serve;

/// How a run goes.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its events after the metadata: name and data.
    pub events: Vec<(&'static str, Value)>,
    /// Before the event of this place it waits until it is told to go on.
    pub held: Option<(usize, Arc<Notify>)>,
    /// Whether it ends with an `end`.
    pub ends: bool,
}

impl Script {
    /// A run that says this, token by token and then as a state.
    #[must_use]
    pub fn words(pieces: &[&str]) -> Self {
        let text: String = pieces.concat();
        let mut events: Vec<(&'static str, Value)> = pieces
            .iter()
            .map(|piece| ("messages", token("run-1", piece)))
            .collect();
        events.push(("updates", state(&[ai("run-1", &text)])));
        Self::of(events)
    }

    /// A run of these events.
    #[must_use]
    pub fn of(events: Vec<(&'static str, Value)>) -> Self {
        Self {
            events,
            held: None,
            ends: true,
        }
    }

    /// The same, held before the event of this place.
    #[must_use]
    pub fn held(mut self, at: usize, until: &Arc<Notify>) -> Self {
        self.held = Some((at, Arc::clone(until)));
        self
    }

    /// The same, whose stream ends without an `end`.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.ends = false;
        self
    }
}

/// A token of a message.
#[must_use]
pub fn token(id: &str, text: &str) -> Value {
    json!([{"type": "AIMessageChunk", "id": id, "content": text}, {"langgraph_node": "agent"}])
}

/// A model's message, with 30 tokens read, 20 of them kept, and 7 written.
#[must_use]
pub fn ai(id: &str, text: &str) -> Value {
    json!({
        "type": "ai", "id": id, "content": text, "tool_calls": [],
        "usage_metadata": {
            "input_tokens": 30, "output_tokens": 7, "total_tokens": 37, "input_token_details": {"cache_read": 20},
        },
    })
}

/// A model's message that calls a tool.
#[must_use]
pub fn call(id: &str, tool: &str) -> Value {
    let mut message = ai(id, "");
    message["tool_calls"] =
        json!([{"id": format!("call-{id}"), "name": tool, "args": {}, "type": "tool_call"}]);
    message
}

/// What a node made of the state.
#[must_use]
pub fn state(messages: &[Value]) -> Value {
    json!({"agent": {"messages": messages}})
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It goes on.
    Running,
    /// It ended by itself.
    Success,
    /// It was stopped and its checkpoint stays.
    Interrupted,
    /// It was stopped and undone.
    RolledBack,
    /// Its client went away and the server stopped it.
    Disconnected,
}

#[derive(Default)]
struct World {
    scripts: VecDeque<Script>,
    /// Run ids by thread; the last one may still run.
    threads: BTreeMap<String, Vec<String>>,
    runs: BTreeMap<String, Fate>,
    bodies: Vec<Value>,
    deleted: Vec<String>,
    problems: Vec<String>,
}

struct Shared {
    world: Mutex<World>,
    changed: watch::Sender<u64>,
}

/// An Agent Server on this machine.
pub struct Server {
    /// Where it listens.
    pub url: String,
    shared: Arc<Shared>,
}

type Held<'a> = MutexGuard<'a, World>;

impl Shared {
    fn world(&self) -> Held<'_> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn became(&self, run: &str, fate: Fate) {
        let mut world = self.world();
        if let Some(known) = world.runs.get_mut(run)
            && *known == Fate::Running
        {
            *known = fate;
        }
        drop(world);
        self.changed.send_modify(|changes| *changes += 1);
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
        let app = Router::new()
            .route("/threads/{thread}", delete(forget))
            .route("/threads/{thread}/runs/stream", post(run_in_thread))
            .route("/threads/{thread}/runs/{run}/cancel", post(cancel))
            .route("/runs/stream", post(run_alone))
            .fallback(nowhere)
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

    /// The threads that were deleted.
    #[must_use]
    pub fn deleted(&self) -> Vec<String> {
        self.shared.world().deleted.clone()
    }

    /// The threads that there are.
    #[must_use]
    pub fn threads(&self) -> Vec<String> {
        self.shared.world().threads.keys().cloned().collect()
    }

    /// What became of each run, in the order of their beginning.
    #[must_use]
    pub fn fates(&self) -> Vec<Fate> {
        self.shared.world().runs.values().copied().collect()
    }

    /// A run of somebody else holds this thread.
    pub fn occupy(&self, thread: &str) {
        let mut world = self.shared.world();
        let run = next_run(&world);
        world.runs.insert(run.clone(), Fate::Running);
        world
            .threads
            .entry(thread.to_owned())
            .or_default()
            .push(run);
    }

    /// Waits until the fates of the runs are such.
    pub async fn until(&self, wanted: impl Fn(&[Fate]) -> bool) {
        let mut changed = self.shared.changed.subscribe();
        // The sender lives as long as the server, so waiting cannot fail.
        drop(changed.wait_for(|_| wanted(&self.fates())).await);
    }
}

fn next_run(world: &World) -> String {
    format!("00000000-0000-4000-8000-{:012}", world.runs.len())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Request {
    assistant_id: String,
    input: Input,
    stream_mode: Vec<String>,
    multitask_strategy: Option<String>,
    if_not_exists: Option<String>,
    on_disconnect: String,
    metadata: Value,
    config: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    messages: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "what is not read is checked to be allowed")]
struct Message {
    role: String,
    content: String,
    id: Option<String>,
    name: Option<String>,
}

fn refuse(shared: &Shared, status: StatusCode, problem: &str) -> Response {
    shared.world().problems.push(problem.to_owned());
    (status, Json(json!({"detail": problem}))).into_response()
}

async fn nowhere(
    State(shared): State<Arc<Shared>>,
    method: axum::http::Method,
    uri: axum::http::Uri,
) -> Response {
    refuse(
        &shared,
        StatusCode::NOT_FOUND,
        &format!("there is no {method} {uri}"),
    )
}

async fn forget(State(shared): State<Arc<Shared>>, Path(thread): Path<String>) -> Response {
    let mut world = shared.world();
    world.deleted.push(thread.clone());
    match world.threads.remove(&thread) {
        Some(_) => StatusCode::NO_CONTENT.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn run_in_thread(
    State(shared): State<Arc<Shared>>,
    Path(thread): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let is_uuid = thread.len() == 36 && thread.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    if !is_uuid {
        return refuse(
            &shared,
            StatusCode::UNPROCESSABLE_ENTITY,
            "a thread's id is a UUID",
        );
    }
    run(shared, Some(thread), &headers, &body)
}

async fn run_alone(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    run(shared, None, &headers, &body)
}

fn run(shared: Arc<Shared>, thread: Option<String>, headers: &HeaderMap, body: &Bytes) -> Response {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    shared.world().bodies.push(value.clone());
    let request: Request = match serde_json::from_value(value) {
        Ok(request) => request,
        Err(error) => {
            return refuse(
                &shared,
                StatusCode::UNPROCESSABLE_ENTITY,
                &error.to_string(),
            );
        }
    };
    if let Some(problem) = wrong(&request, thread.is_some(), headers) {
        return refuse(&shared, StatusCode::UNPROCESSABLE_ENTITY, problem);
    }
    let mut world = shared.world();
    let thread = thread.unwrap_or_else(|| format!("temporary-{}", world.runs.len()));
    let busy = world
        .threads
        .get(&thread)
        .and_then(|runs| runs.last())
        .cloned();
    let busy = busy.filter(|run| world.runs.get(run) == Some(&Fate::Running));
    match (busy, request.multitask_strategy.as_deref()) {
        (Some(_), Some("reject")) => {
            let busy = json!({"detail": "Thread is already running a task."});
            return (StatusCode::CONFLICT, Json(busy)).into_response();
        }
        (Some(old), Some("interrupt")) => drop(world.runs.insert(old, Fate::Interrupted)),
        (Some(old), Some("rollback")) => drop(world.runs.insert(old, Fate::RolledBack)),
        _ => {}
    }
    let Some(script) = world.scripts.pop_front() else {
        drop(world);
        return refuse(
            &shared,
            StatusCode::NOT_IMPLEMENTED,
            "more runs than the script has",
        );
    };
    let run = next_run(&world);
    world.runs.insert(run.clone(), Fate::Running);
    world
        .threads
        .entry(thread.clone())
        .or_default()
        .push(run.clone());
    drop(world);
    shared.changed.send_modify(|changes| *changes += 1);
    let location = format!("/threads/{thread}/runs/{run}");
    let head = Response::builder()
        .header("content-type", "text/event-stream")
        .header("content-location", location);
    let body = Body::from_stream(events(script, run, shared));
    head.body(body).expect("these headers are sound")
}

fn wrong(request: &Request, in_thread: bool, headers: &HeaderMap) -> Option<&'static str> {
    let strategies = ["reject", "enqueue", "interrupt", "rollback"];
    let strategy = request.multitask_strategy.as_deref();
    if headers.get("x-api-key").is_none() {
        return Some("x-api-key is missing");
    }
    if strategy.is_some_and(|strategy| !strategies.contains(&strategy)) {
        return Some("there is no such multitask_strategy");
    }
    if in_thread && request.if_not_exists.as_deref() != Some("create") {
        return Some("the thread is not made by itself");
    }
    if !in_thread && (strategy.is_some() || request.if_not_exists.is_some()) {
        return Some("a run without a thread has no strategy");
    }
    if request.on_disconnect != "cancel" {
        return Some("a run that nobody listens to goes on");
    }
    request.input.messages.is_empty().then_some("no messages")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancel {
    wait: u8,
    action: String,
}

async fn cancel(
    State(shared): State<Arc<Shared>>,
    Path((thread, run)): Path<(String, String)>,
    Query(cancel): Query<Cancel>,
) -> Response {
    let known = shared
        .world()
        .threads
        .get(&thread)
        .is_some_and(|runs| runs.contains(&run));
    let fate = match cancel.action.as_str() {
        "interrupt" => Fate::Interrupted,
        "rollback" => Fate::RolledBack,
        _ => {
            return refuse(
                &shared,
                StatusCode::UNPROCESSABLE_ENTITY,
                "there is no such action",
            );
        }
    };
    if !known || cancel.wait > 1 {
        return refuse(&shared, StatusCode::NOT_FOUND, "there is no such run");
    }
    // A server takes the cancel up even when it noticed before that the client is gone.
    let mut world = shared.world();
    if let Some(state) = world.runs.get_mut(&run)
        && matches!(state, Fate::Running | Fate::Disconnected)
    {
        *state = fate;
    }
    drop(world);
    shared.changed.send_modify(|changes| *changes += 1);
    StatusCode::ACCEPTED.into_response()
}

/// Notes that the client went away, unless the end was reached.
struct Client {
    run: String,
    shared: Arc<Shared>,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.shared.became(&self.run, Fate::Disconnected);
    }
}

fn events(
    script: Script,
    run: String,
    shared: Arc<Shared>,
) -> impl futures::Stream<Item = Result<Bytes, Infallible>> {
    let metadata = json!({"run_id": run, "attempt": 1});
    let mut all: VecDeque<String> = VecDeque::from([event("metadata", &metadata)]);
    all.extend(script.events.iter().map(|(name, data)| event(name, data)));
    if script.ends {
        all.push_back(event("end", &Value::Null));
    }
    let client = Client { run, shared };
    // The metadata is the first event, the script's own ones follow.
    let held = script.held.map(|(at, until)| (at + 1, until));
    stream::unfold((all, client, 0_usize), move |(mut all, client, place)| {
        let held = held.clone().filter(|(at, _)| *at == place);
        async move {
            if let Some((_, until)) = held {
                client.shared.changed.send_modify(|changes| *changes += 1);
                until.notified().await;
            }
            let Some(event) = all.pop_front() else {
                client.shared.became(&client.run, Fate::Success);
                return None;
            };
            if event.starts_with("event: end") {
                client.shared.became(&client.run, Fate::Success);
            }
            Some((Ok(Bytes::from(event)), (all, client, place + 1)))
        }
    })
}

fn event(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}
