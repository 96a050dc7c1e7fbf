//! The revisions with sessions: streams that are taken up again, notifications, and what ends a session.

use std::sync::Arc;

use replygate_testkit::backends::{Act, End};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::line::{Line, answer, booked, booking, event, house, is_refusal, stand};

#[tokio::test(flavor = "multi_thread")]
async fn everything_else_passes_as_it_is() {
    let ready = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {} });
    let stand = stand([
        Act::json(200, &answer(&json!(1), &ready)).with("mcp-session-id", "s1"),
        Act::json(202, &Value::Null),
        Act::json(404, &json!({ "why": "no such session" })),
        Act::json(200, &Value::Null),
    ])
    .await;
    let house = house(&stand, "").await;
    let fresh = Line::bare(&house);
    let initialize =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "x": [1] } });
    let response = fresh.post(&initialize).await;
    assert_eq!(response.headers()["mcp-session-id"], "s1");
    assert_eq!(
        response.json::<Value>().await.unwrap(),
        answer(&json!(1), &ready)
    );

    let line = Line::bare(&house).in_session("s1");
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(line.post(&told).await.status(), 202);
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/list" });
    let response = line.post(&list).await;
    assert_eq!(response.status(), 404);
    assert_eq!(
        response.json::<Value>().await.unwrap(),
        json!({ "why": "no such session" })
    );
    let ended = line.request(Method::DELETE).send().await.unwrap();
    assert_eq!(ended.status(), 200);
    let seen = stand.seen();
    let bodies: Vec<&Value> = seen.iter().map(|one| &one.body).collect();
    assert_eq!(bodies, [&initialize, &told, &list, &Value::Null]);
    assert_eq!(seen[3].method, Method::DELETE);
    assert!(
        seen[1..]
            .iter()
            .all(|one| one.header("mcp-session-id") == "s1")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_comes_by_a_stream_taken_up_again_is_the_calls_outcome() {
    let stand = stand([
        Act::stream(["id: e1\ndata:\n\n".to_owned()]),
        Act::stream([event("e2", &answer(&json!(1), &booked()))]),
    ])
    .await;
    let house = house(&stand, "").await;
    let ana = Line::of(&house, "ana").in_session("s1");
    let response = ana.post(&booking(&json!(1), "Yoga")).await;
    assert_eq!(response.text().await.unwrap(), "id: e1\ndata:\n\n");
    let resumed = ana.request(Method::GET).header("last-event-id", "e1");
    let text = resumed.send().await.unwrap().text().await.unwrap();
    assert_eq!(text, event("e2", &answer(&json!(1), &booked())));
    assert_eq!(stand.seen()[1].header("last-event-id"), "e1");

    let again = ana.result(&booking(&json!(2), "Yoga")).await;
    assert_eq!(again["structuredContent"], booked()["structuredContent"]);
    assert!(!is_refusal(&again), "{again}");
    assert_eq!(stand.seen().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_nobody_takes_up_again_leaves_the_call_unknown() {
    let stand = stand([Act::stream(["id: e1\ndata:\n\n".to_owned()])]).await;
    let house = house(&stand, "timeout_ms = 300").await;
    let ana = Line::of(&house, "ana").in_session("s1");
    ana.post(&booking(&json!(1), "Yoga"))
        .await
        .text()
        .await
        .unwrap();
    // Waits for the first, whose time is over soon.
    let again = ana.result(&booking(&json!(2), "Yoga")).await;
    assert!(is_refusal(&again), "{again}");
    assert_eq!(stand.seen().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_given_up_goes_on_and_its_outcome_is_learnt() {
    let done = Arc::new(Notify::new());
    let beat = ": beat\n\n".to_owned();
    let result = event("e2", &answer(&json!(1), &booked()));
    let stand = stand([
        Act::stream([beat, result]).held(1, &done),
        Act::json(202, &Value::Null),
    ])
    .await;
    let house = house(&stand, "").await;
    let ana = Line::of(&house, "ana").in_session("s1");
    let response = ana.post(&booking(&json!(1), "Yoga")).await;
    let give_up = |id: Value| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    assert_eq!(ana.post(&give_up(json!(1))).await.status(), 202);
    assert_eq!(stand.seen().len(), 1, "the server hears nothing of it");
    assert_eq!(ana.post(&give_up(json!(7))).await.status(), 202);
    assert_eq!(stand.seen().len(), 2, "another request's end passes");
    done.notify_one();
    assert!(response.text().await.unwrap().contains("booked"));
    let again = ana.result(&booking(&json!(2), "Yoga")).await;
    assert!(!is_refusal(&again), "{again}");
    assert_eq!(stand.seen().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_never_ends_lets_the_server_stop() {
    let stand = stand([Act::stream([": beat\n\n".to_owned()]).cut(1, End::Silence)]).await;
    let house = house(&stand, "").await;
    let ana = Line::of(&house, "ana").in_session("s1");
    let mut stream = ana.request(Method::GET).send().await.unwrap();
    assert_eq!(stream.chunk().await.unwrap().unwrap(), ": beat\n\n");
    drop(ana);
    house.running.stop().await.unwrap();
    assert_eq!(stream.chunk().await.unwrap(), None);
}
