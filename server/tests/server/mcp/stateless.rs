//! The revision 2026-07-28: every request stands alone.

use replygate_testkit::backends::Act;
use reqwest::Method;
use serde_json::{Value, json};

use super::line::{Line, answer, booked, house, is_refusal, stand, words};

const VERSION: &str = "2026-07-28";

fn call(id: i64, title: &str, start: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id, "method": "tools/call", "more": { "unknown": true },
        "params": {
            "name": "create_event",
            "arguments": { "title": title, "start": start },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": VERSION,
                "io.modelcontextprotocol/clientInfo": { "name": "agent", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": {},
                "replygate/language": "es",
            },
        },
    })
}

fn line<'a>(house: &'a crate::house::House, contact: &str) -> Line<'a> {
    Line::of(house, contact)
        .with("mcp-protocol-version", VERSION)
        .with("mcp-method", "tools/call")
        .with("mcp-name", "create_event")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_happens_once_and_the_second_is_answered_by_the_first() {
    let mut result = booked();
    result["resultType"] = "complete".into();
    let spoken = format!(" {} ", answer(&json!(1), &result));
    let first = Act::Answer {
        status: 200,
        headers: vec![("x-of-the-server", "kept".to_owned())],
        body: spoken.clone(),
    };
    let rui = Act::json(200, &answer(&json!(3), &result));
    let stand = stand([first, rui]).await;
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("token");
    std::fs::write(&secret, "of-the-server\n").unwrap();
    let settings = format!("token = \"file:{}\"", secret.display());
    let house = house(&stand, &settings).await;
    let ana = line(&house, "ana");

    let asked = call(1, "Yoga", "2030-01-08T15:00:00-03:00");
    let response = ana.post(&asked).await;
    assert_eq!(response.headers()["x-of-the-server"], "kept");
    assert_eq!(response.text().await.unwrap(), spoken, "to the byte");
    let seen = &stand.seen()[0];
    assert_eq!(seen.body, asked);
    assert_eq!(seen.uri, "/mcp?k=1");
    assert_eq!(seen.header("authorization"), "Bearer of-the-server");
    assert_eq!(seen.header("mcp-name"), "create_event");
    assert!(seen.header("idempotency-key").starts_with("act_"));
    assert_eq!(seen.header("x-replygate-contact"), "");

    let again = ana.result(&call(2, " YOGA", "2030-01-08 18:00Z")).await;
    assert_eq!(again["structuredContent"], result["structuredContent"]);
    assert_eq!(again["resultType"], "complete");
    assert!(!is_refusal(&again));
    assert!(
        words(&again).starts_with("booked\nEsto ya se hizo"),
        "{again}"
    );
    assert!(again["_meta"]["replygate/replayed"]["first"].is_string());
    assert_eq!(stand.seen().len(), 1);

    let rui = line(&house, "rui");
    let other = rui.result(&call(3, "Yoga", "2030-01-08 18:00Z")).await;
    assert_eq!(other["structuredContent"], result["structuredContent"]);
    assert_eq!(
        stand.seen().len(),
        2,
        "somebody else's event is another one"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_tell_another_story_are_refused_before_anything_runs() {
    let stand = stand([]).await;
    let house = house(&stand, "").await;
    for (name, value) in [("mcp-method", "tools/list"), ("mcp-name", "read_event")] {
        let line = Line::of(&house, "ana")
            .with("mcp-protocol-version", VERSION)
            .with(name, value);
        let response = line.post(&call(1, "Yoga", "2030-01-08 18:00Z")).await;
        assert_eq!(response.status(), 400);
        let error: Value = response.json().await.unwrap();
        assert_eq!(error["error"]["code"], -32_020, "{error}");
    }
    assert!(stand.seen().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_in_disguise_is_refused() {
    let stand = stand([]).await;
    let house = house(&stand, "").await;
    let hidden = r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"create_event"}}"#;
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"x"}}"#;
    let among =
        r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_event"}}]"#;
    for (body, code) in [
        (hidden, -32_600),
        (twice, -32_600),
        (among, -32_600),
        ("{", -32_700),
    ] {
        let request = Line::of(&house, "ana").request(Method::POST).body(body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 400, "{body}");
        let error: Value = response.json().await.unwrap();
        assert_eq!(error["error"]["code"], code, "{body}");
    }
    assert!(stand.seen().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_asks_for_more_is_called_again_with_the_same_arguments() {
    let asks = json!({ "resultType": "input_required", "inputRequests": {}, "requestState": "s" });
    let stand = stand([
        Act::json(200, &answer(&json!(1), &asks)),
        Act::json(200, &answer(&json!(2), &booked())),
    ])
    .await;
    let house = house(&stand, "").await;
    let ana = line(&house, "ana");
    let first = ana.result(&call(1, "Yoga", "2030-01-08 18:00Z")).await;
    assert_eq!(first, asks);
    let second = ana.result(&call(2, "Yoga", "2030-01-08 18:00Z")).await;
    assert_eq!(second, booked());
    assert_eq!(stand.seen().len(), 2);
}
