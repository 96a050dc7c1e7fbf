//! What runs tools: the built-in calendar and mailbox, and an address.

use std::sync::Arc;

use axum::Router;
use replygate_agents::{ToolDeps, build_tool, built_in_tools, check_tool};
use replygate_gate::{ActionId, At, SessionKey};
use replygate_ports::settings::Choice;
use replygate_ports::tools::{Effect, Tool, ToolCall, ToolError, ToolHost};
use replygate_testkit::memory::MemoryStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{Still, choice, deps, server};

fn whom(contact: &str) -> SessionKey {
    SessionKey {
        channel: "shop".into(),
        account: String::new(),
        conversation: contact.into(),
        contact: contact.into(),
    }
}

fn call(id: u128, contact: &str, arguments: Value) -> ToolCall {
    ToolCall {
        action: ActionId(id),
        key: ActionId(id),
        tool: "t".into(),
        arguments,
        whom: whom(contact),
        at: At(1_894_006_800_000),
    }
}

fn house(store: &MemoryStore) -> ToolDeps {
    ToolDeps {
        agents: deps(Arc::new(Still::default())),
        calendar: Arc::new(store.clone()),
        mailbox: Arc::new(store.clone()),
    }
}

fn built_in(name: &str, store: &MemoryStore) -> Arc<dyn ToolHost> {
    let tools = built_in_tools();
    let tool = tools.iter().find(|tool| tool.name == name).unwrap();
    build_tool(tool, &house(store)).unwrap()
}

fn http(options: Value) -> Tool {
    Tool::new("pay", Effect::Write, choice("http", options))
}

fn at_address(options: Value) -> Arc<dyn ToolHost> {
    build_tool(&http(options), &house(&MemoryStore::new())).unwrap()
}

fn code(result: Result<Value, ToolError>) -> (&'static str, String) {
    match result {
        Ok(value) => ("done", value.to_string()),
        Err(ToolError::Failed { code, .. }) => ("failed", code),
        Err(ToolError::Unknown { code }) => ("unknown", code),
    }
}

#[tokio::test]
async fn an_event_is_made_listed_and_cancelled_by_its_person_only() {
    let store = MemoryStore::new();
    let create = built_in("calendar.create_event", &store);
    let arguments = json!({ "title": " Psicología ", "start_datetime": "2030-01-08T15:00:00-03:00", "guests": "Paula" });
    let made = create.run(&call(7, "ana", arguments)).await.unwrap();
    let event = made["event"].as_str().unwrap().to_owned();
    assert_eq!(event, ActionId(7).to_string());
    assert_eq!(made["start_ms"], 1_894_125_600_000_i64);
    assert_eq!(made["guests"], json!(["Paula"]));

    let list = built_in("calendar.list_events", &store);
    let titles = |answer: &Value| answer["events"].as_array().unwrap().len();
    let theirs = list.run(&call(8, "ana", json!({}))).await.unwrap();
    assert_eq!(titles(&theirs), 1);
    let others = list.run(&call(9, "rui", json!({}))).await.unwrap();
    assert_eq!(titles(&others), 0);
    let later = json!({ "from": "2030-02-01T00:00:00Z" });
    assert_eq!(titles(&list.run(&call(9, "ana", later)).await.unwrap()), 0);

    let cancel = built_in("calendar.cancel_event", &store);
    let by_other = cancel
        .run(&call(10, "rui", json!({ "event": event })))
        .await;
    assert_eq!(code(by_other), ("failed", "bad_arguments".to_owned()));
    let cancelled = cancel
        .run(&call(11, "ana", json!({ "event": event })))
        .await
        .unwrap();
    assert_eq!(cancelled["cancelled"], true);
    let theirs = list.run(&call(12, "ana", json!({}))).await.unwrap();
    assert_eq!(titles(&theirs), 0);
}

#[tokio::test]
async fn arguments_that_are_not_allowed_do_nothing_and_are_named() {
    let store = MemoryStore::new();
    let create = built_in("calendar.create_event", &store);
    for (arguments, named) in [
        (json!({}), "`title` is not given"),
        (json!({ "title": "A" }), "`start_datetime` is not given"),
        (
            json!({ "title": "A", "start": "soon" }),
            "`start_datetime` is \"soon\"",
        ),
        (
            json!({ "title": "A", "start": "2030-01-08T15:00:00Z", "end": "2030-01-08T14:00:00Z" }),
            "`end_datetime` is before the start",
        ),
    ] {
        match create.run(&call(1, "ana", arguments)).await {
            Err(ToolError::Failed { message, .. }) => {
                assert!(message.starts_with(named), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
    let send = built_in("email.send", &store);
    let wrong = json!({ "to": ["ana"], "subject": "s", "body": "b" });
    assert_eq!(code(send.run(&call(2, "ana", wrong)).await).0, "failed");
}

#[tokio::test]
async fn a_call_repeated_under_one_key_makes_one_event_and_one_mail() {
    let store = MemoryStore::new();
    let send = built_in("email.send", &store);
    let mail = json!({ "to": ["ana@example.org"], "subject": "s", "body": "b" });
    for action in [2, 3] {
        let again = ToolCall {
            action: ActionId(action),
            key: ActionId(2),
            ..call(2, "ana", mail.clone())
        };
        send.run(&again).await.unwrap();
    }
    let list = built_in("email.list", &store);
    let mails = list.run(&call(4, "ana", json!({}))).await.unwrap();
    assert_eq!(mails["mails"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_address_gets_the_arguments_the_token_and_the_key() {
    let (url, seen) = server(200, r#"{"paid":true}"#).await;
    let pay = at_address(json!({ "url": format!("{url}/{{order}}"), "token_env": "AGENT_TOKEN" }));
    let result = pay
        .run(&call(5, "ana", json!({ "order": "F/7", "amount": 12.5 })))
        .await;
    assert_eq!(result, Ok(json!({ "paid": true })));
    let (headers, body) = seen.lock().unwrap().remove(0);
    assert_eq!(headers["authorization"], "Bearer t0ken");
    assert_eq!(headers["idempotency-key"], ActionId(5).to_string().as_str());
    assert_eq!(body, json!({ "order": "F/7", "amount": 12.5 }));
}

#[tokio::test]
async fn a_body_may_have_another_form_than_the_arguments() {
    let (url, seen) = server(204, "").await;
    let body = json!({ "total": { "value": "{amount}", "text": "{amount} for {order}" } });
    let pay = at_address(json!({ "url": url, "method": "PUT", "body": body }));
    let result = pay
        .run(&call(5, "ana", json!({ "order": "F-7", "amount": 12 })))
        .await;
    assert_eq!(result, Ok(Value::Null));
    let (_, body) = seen.lock().unwrap().remove(0);
    assert_eq!(
        body,
        json!({ "total": { "value": 12, "text": "12 for F-7" } })
    );
}

#[tokio::test]
async fn only_a_certain_refusal_is_a_failure() {
    for (status, expected) in [
        (400, "failed"),
        (409, "failed"),
        (429, "failed"),
        (408, "unknown"),
        (302, "unknown"),
        (500, "unknown"),
        (503, "unknown"),
    ] {
        let (url, _) = server(status, "why").await;
        let pay = at_address(json!({ "url": url }));
        let result = pay.run(&call(1, "ana", json!({}))).await;
        assert_eq!(code(result), (expected, format!("http_{status}")));
    }
    let (url, _) = server(503, "closed").await;
    let pay = at_address(json!({ "url": url, "refused_statuses": [503] }));
    match pay.run(&call(1, "ana", json!({}))).await {
        Err(ToolError::Failed { message, .. }) => {
            assert_eq!(message, "the tool refused with status 503: closed");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn nobody_there_is_a_failure_and_a_broken_connection_is_not() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move {
        // Takes the request and hangs up.
        while let Ok((stream, _)) = listener.accept().await {
            stream.readable().await.unwrap();
            drop(stream);
        }
    });
    let broken = at_address(json!({ "url": url }));
    assert_eq!(
        code(broken.run(&call(1, "ana", json!({}))).await),
        ("unknown", "connection_lost".to_owned())
    );

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let nobody = at_address(json!({ "url": url }));
    assert_eq!(
        code(nobody.run(&call(1, "ana", json!({}))).await),
        ("failed", "connect".to_owned())
    );
}

#[tokio::test]
async fn done_is_done_whatever_the_answer_looks_like() {
    for (answer, expected) in [("not json", r#"{"text":"not json"}"#), ("", "null")] {
        let (url, _) = server(200, answer).await;
        let pay = at_address(json!({ "url": url }));
        let result = pay.run(&call(1, "ana", json!({}))).await;
        assert_eq!(code(result), ("done", expected.to_owned()));
    }
}

#[tokio::test]
async fn a_read_puts_the_rest_of_its_arguments_into_the_query() {
    let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
    let note = seen.clone();
    let app = Router::new().fallback(move |uri: axum::http::Uri| {
        note.lock().unwrap().push(uri.to_string());
        async { "{}" }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/orders/{{id}}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let look = at_address(json!({ "url": url, "method": "GET" }));
    let arguments = json!({ "id": "a b", "page": 2, "none": null });
    look.run(&call(1, "ana", arguments)).await.unwrap();
    assert_eq!(*seen.lock().unwrap(), ["/orders/a%20b?page=2"]);
    let missing = look.run(&call(1, "ana", json!({}))).await;
    assert_eq!(code(missing), ("failed", "bad_arguments".to_owned()));
}

#[test]
fn what_cannot_be_built_is_named() {
    let deps = deps(Arc::new(Still::default()));
    for (host, told) in [
        (Choice::named("abacus"), "`tools.pay.host.kind` is `abacus`"),
        (choice("http", json!({})), "`tools.pay.host.url` is not set"),
        (
            choice("http", json!({ "url": "ftp://x/" })),
            "`tools.pay.host.url` is `ftp://x/`",
        ),
        (
            choice("http", json!({ "url": "http://{host}/" })),
            "`tools.pay.host.url` is `http://{host}/`",
        ),
        (
            choice("http", json!({ "url": "http://x/", "method": "BREW" })),
            "`tools.pay.host.method` is `BREW`",
        ),
        (
            choice(
                "http",
                json!({ "url": "http://x/", "token_env": "NOT_SET" }),
            ),
            "`tools.pay.host.token_env` is `NOT_SET`",
        ),
        (
            choice(
                "http",
                json!({ "url": "http://x/", "refused_statuses": [200] }),
            ),
            "`tools.pay.host.refused_statuses` is [200]",
        ),
        (
            choice("email.send", json!({ "url": "http://x/" })),
            "`tools.pay.host.url` is \"http://x/\"",
        ),
    ] {
        let tool = Tool {
            host,
            ..http(json!({}))
        };
        let error = check_tool(&tool, &deps).unwrap_err().to_string();
        assert!(error.starts_with(told), "{error}");
    }
}
