//! A tool on an MCP server: how a server is spoken to, and what its answers say of the call.

mod headers;

use std::sync::Arc;

use axum::http::{HeaderMap, Method};
use replygate_agents::mcp::{self, Server, Servers, ToolErrors, Upstream};
use replygate_agents::{AgentDeps, ToolDeps, build_tool};
use replygate_gate::{ActionId, At, SessionKey};
use replygate_ports::tools::{Effect, Tool, ToolCall, ToolError, ToolHost};
use replygate_testkit::backends::{Act, End, Stand};
use replygate_testkit::memory::MemoryStore;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::{choice, deps, real};

fn servers(url: &str, errors: ToolErrors) -> Servers {
    let client = mcp::http_client().unwrap();
    let headers = HeaderMap::from_iter([("x-key".parse().unwrap(), "s3cret".parse().unwrap())]);
    let upstream = Upstream::new(client, format!("{url}/mcp").parse().unwrap(), headers);
    Servers::new([("cal".to_owned(), Server::new(upstream, errors, real()))])
}

fn tool(options: Value) -> Tool {
    Tool::new("calendar.book", Effect::Write, choice("mcp", options))
}

fn host(stand: &Stand, errors: ToolErrors) -> Arc<dyn ToolHost> {
    let store = MemoryStore::new();
    let tools = ToolDeps {
        agents: AgentDeps {
            mcp: servers(&stand.url, errors),
            ..deps(real())
        },
        calendar: Arc::new(store.clone()),
        mailbox: Arc::new(store),
    };
    build_tool(&tool(json!({ "server": "cal", "tool": "book" })), &tools).unwrap()
}

fn call(id: u128) -> ToolCall {
    ToolCall {
        action: ActionId(id),
        key: ActionId(1),
        tool: "calendar.book".into(),
        arguments: json!({ "title": "Yoga" }),
        whom: SessionKey {
            channel: "shop".into(),
            account: String::new(),
            conversation: "ana".into(),
            contact: "ana".into(),
        },
        at: At(1_894_006_800_000),
    }
}

fn id(action: u128) -> String {
    ActionId(action).to_string()
}

fn answer(id: &str, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn event(id: &str, message: &str) -> String {
    format!("id: {id}\nevent: message\ndata: {message}\n\n")
}

/// A server of the revision without sessions, that lists no tools and answers calls so.
async fn stateless(acts: impl IntoIterator<Item = Act>) -> Stand {
    let listed = listing(&json!({ "tools": [] }));
    discovered(std::iter::once(listed).chain(acts)).await
}

fn listing(page: &Value) -> Act {
    Act::json(200, &answer("list", page))
}

/// A server of the revision without sessions.
async fn discovered(acts: impl IntoIterator<Item = Act>) -> Stand {
    let known = json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"] });
    let discovered = Act::json(200, &answer("discover", &known));
    let check = |seen: &replygate_testkit::backends::Seen| {
        let method = seen.body["method"].as_str().unwrap_or_default();
        let meta = &seen.body["params"]["_meta"];
        let is_whole = seen.header("mcp-protocol-version") == "2026-07-28"
            && seen.header("mcp-method") == method
            && seen.header("x-key") == "s3cret"
            && meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
            && meta["io.modelcontextprotocol/clientCapabilities"].is_object();
        is_whole.then_some(()).ok_or_else(|| format!("{seen:?}"))
    };
    Stand::start(check, std::iter::once(discovered).chain(acts)).await
}

/// What a server with sessions does before its first call.
fn greeting(session: &str) -> [Act; 2] {
    let ready = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {} });
    [
        Act::json(200, &answer("initialize", &ready)).with("mcp-session-id", session),
        Act::json(202, &Value::Null),
    ]
}

/// A server that knows no revision without sessions.
async fn with_sessions(acts: impl IntoIterator<Item = Act>) -> Stand {
    let unknown = json!({ "jsonrpc": "2.0", "id": "discover", "error": { "code": -32_601, "message": "no" } });
    let before = std::iter::once(Act::json(404, &unknown)).chain(greeting("s1"));
    Stand::start(|_| Ok(()), before.chain(acts)).await
}

const BOOKED: &str =
    r#"{"content":[{"type":"text","text":"booked"}],"structuredContent":{"event":7}}"#;

fn booked() -> Value {
    serde_json::from_str(BOOKED).unwrap()
}

#[tokio::test]
async fn a_server_without_sessions_is_called_with_everything_in_the_request() {
    let mut result = booked();
    result["resultType"] = "complete".into();
    result["isError"] = false.into();
    result["_meta"] = json!({ "k": 1 });
    let again = Act::json(200, &answer(&id(2), &result));
    let stand = stateless([Act::json(200, &answer(&id(1), &result)), again]).await;
    let host = host(&stand, ToolErrors::Failed);
    assert_eq!(host.run(&call(1)).await, Ok(booked()));
    assert_eq!(host.run(&call(2)).await, Ok(booked()));
    assert_eq!(stand.problems(), [""; 0]);
    let seen = stand.seen();
    let methods: Vec<&str> = seen
        .iter()
        .map(|one| one.body["method"].as_str().unwrap())
        .collect();
    assert_eq!(
        methods,
        ["server/discover", "tools/list", "tools/call", "tools/call"]
    );
    assert_eq!(seen[2].header("mcp-name"), "book");
    assert_eq!(
        seen[2].body["params"]["arguments"],
        json!({ "title": "Yoga" })
    );
    // What repeats a call has its key, and an id of its own.
    assert_eq!(
        seen[2].header("idempotency-key"),
        seen[3].header("idempotency-key")
    );
    assert_ne!(seen[2].body["id"], seen[3].body["id"]);
}

#[tokio::test]
async fn a_session_is_begun_once_and_anew_when_the_server_has_forgotten_it() {
    let done = |action| Act::json(200, &answer(&id(action), &booked()));
    let forgotten = Act::json(404, &Value::Null);
    let fresh = {
        let unknown = Act::json(400, &Value::Null);
        std::iter::once(unknown).chain(greeting("s2"))
    };
    let acts = [done(1), done(2), forgotten].into_iter().chain(fresh);
    let stand = with_sessions(acts.chain([done(3)])).await;
    let host = host(&stand, ToolErrors::Failed);
    for action in 1..=3 {
        assert_eq!(host.run(&call(action)).await, Ok(booked()));
    }
    let seen = stand.seen();
    let calls: Vec<&str> = seen
        .iter()
        .filter(|one| one.body["method"] == "tools/call")
        .map(|one| one.header("mcp-session-id"))
        .collect();
    assert_eq!(calls, ["s1", "s1", "s1", "s2"]);
    assert_eq!(seen[3].header("mcp-protocol-version"), "2025-11-25");
    assert_eq!(stand.problems(), [""; 0]);
}

#[tokio::test]
async fn an_answer_is_found_among_the_events_and_where_the_stream_goes_on() {
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#;
    let out = Arc::new(Notify::new());
    let cut = Act::stream([event("e1", progress)]).cut(1, End::Broken);
    let rest = answer(&id(1), &booked()).to_string();
    let acts = [cut.held(1, &out), Act::stream([event("e2", &rest)])];
    let stand = with_sessions(acts).await;
    let host = host(&stand, ToolErrors::Failed);
    let made = call(1);
    let breaks = async {
        stand.begun(4).await;
        out.notify_one();
    };
    let (outcome, ()) = tokio::join!(host.run(&made), breaks);
    assert_eq!(outcome, Ok(booked()));
    let last = stand.seen().pop().unwrap();
    assert_eq!(
        (last.method.clone(), last.header("last-event-id")),
        (Method::GET, "e1")
    );
    assert_eq!(last.header("mcp-session-id"), "s1");
}

#[tokio::test]
async fn what_may_have_happened_is_unknown() {
    let error =
        json!({ "jsonrpc": "2.0", "id": id(1), "error": { "code": -32_603, "message": "m" } });
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}"#;
    let failed = json!({ "content": [], "isError": true });
    for (act, code) in [
        (Act::json(500, &Value::Null), "http_500"),
        (Act::json(200, &error), "rpc-32603"),
        (Act::json(200, &answer("other", &booked())), "no_answer"),
        (Act::json(202, &Value::Null), "no_answer"),
        (Act::stream([event("e1", progress)]), "stream_ended"),
        (Act::json(200, &answer(&id(1), &failed)), "tool_error"),
    ] {
        let stand = stateless([act]).await;
        let outcome = host(&stand, ToolErrors::Unknown).run(&call(1)).await;
        let code = code.to_owned();
        assert_eq!(outcome, Err(ToolError::Unknown { code }));
        assert_eq!(stand.seen().len(), 3, "it was called once");
    }
}

#[tokio::test]
async fn what_certainly_did_nothing_is_a_failure_in_the_servers_words() {
    let error = json!({ "jsonrpc": "2.0", "id": id(1), "error": { "code": -32_602, "message": "no such hour" } });
    let failed = json!({ "content": [{ "type": "text", "text": "no room" }], "isError": true });
    let asks = json!({ "resultType": "input_required", "inputRequests": {} });
    for (act, code, words) in [
        (Act::json(200, &error), "rpc-32602", "no such hour"),
        (
            Act::json(200, &answer(&id(1), &failed)),
            "tool_error",
            "no room",
        ),
        (
            Act::json(200, &answer(&id(1), &asks)),
            "input_required",
            "asks for more",
        ),
        (Act::json(403, &Value::Null), "http_403", "403"),
        (
            Act::json(307, &Value::Null).with("location", "http://127.0.0.1:1/"),
            "http_307",
            "307",
        ),
    ] {
        let stand = stateless([act]).await;
        let outcome = host(&stand, ToolErrors::Failed).run(&call(1)).await;
        let Err(ToolError::Failed {
            code: told,
            message,
        }) = outcome
        else {
            panic!("{code}: {outcome:?}");
        };
        assert_eq!(told, code);
        assert!(message.contains(words), "{message}");
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_or_greeted_did_nothing() {
    let gone = Stand::start(|_| Ok(()), []).await;
    for act in [Act::json(401, &Value::Null), Act::json(200, &json!({}))] {
        gone.then(Act::json(404, &Value::Null));
        gone.then(act);
    }
    let host_of = |stand: &Stand| host(stand, ToolErrors::Failed);
    for code in ["greeting_refused", "greeting_unreadable"] {
        let outcome = host_of(&gone).run(&call(1)).await;
        assert!(
            matches!(&outcome, Err(ToolError::Failed { code: told, .. }) if told == code),
            "{outcome:?}"
        );
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let outcome = servers(&url, ToolErrors::Failed);
    let store = MemoryStore::new();
    let tools = ToolDeps {
        agents: AgentDeps {
            mcp: outcome,
            ..deps(real())
        },
        calendar: Arc::new(store.clone()),
        mailbox: Arc::new(store),
    };
    let host = build_tool(&tool(json!({ "server": "cal" })), &tools).unwrap();
    let outcome = host.run(&call(1)).await;
    assert!(
        matches!(&outcome, Err(ToolError::Failed { code, .. }) if code == "connect"),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn a_tool_names_a_server_that_there_is() {
    let stand = stateless([]).await;
    let known = AgentDeps {
        mcp: servers(&stand.url, ToolErrors::Failed),
        ..deps(real())
    };
    let told = |options: Value, deps: &AgentDeps| {
        let error = replygate_agents::check_tool(&tool(options), deps).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        told(json!({ "server": "mail" }), &known),
        "`tools.calendar.book.host.server` is `mail`, allowed: cal"
    );
    assert_eq!(
        told(json!({}), &known),
        "`tools.calendar.book.host.server` is not set, allowed: cal"
    );
    assert_eq!(
        told(json!({ "server": "cal" }), &deps(real())),
        "`tools.calendar.book.host.server` is `cal`, allowed: a server under [[mcp]]; there is none"
    );
    assert_eq!(
        told(json!({ "server": "cal", "tool": 7 }), &known),
        "`tools.calendar.book.host.tool` is 7, allowed: the tool's name on its server"
    );
    assert!(told(json!({ "server": "cal", "url": "x" }), &known).contains("server, tool"));
}
