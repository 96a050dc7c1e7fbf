//! Who may use the guard in front of a server, and for whom.

use replygate_testkit::backends::Act;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::line::{Line, answer, booked, booking, house, is_refusal, stand, words};
use crate::program::Program;

#[tokio::test(flavor = "multi_thread")]
async fn only_programs_with_the_token_for_actions_reach_a_server() {
    let stand = stand([]).await;
    let house = house(&stand, "").await;
    let post = |path: &'static str| house.request(Method::POST, path).body("{}");
    let response = post("/mcp/cal").send().await.unwrap();
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
    let operator = Program::of(&house);
    let response = post("/mcp/cal").bearer_auth(&operator.token).send().await;
    assert_eq!(response.unwrap().status(), StatusCode::FORBIDDEN);
    let agent = Program::with_scope(&house, "actions");
    let response = post("/mcp/mail").bearer_auth(&agent.token).send().await;
    assert_eq!(response.unwrap().status(), StatusCode::NOT_FOUND);
    let line = Line::bare(&house).with("origin", "https://elsewhere.example");
    let response = line.post(&json!({})).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    let response = Line::bare(&house)
        .request(Method::PUT)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert!(stand.seen().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_too_long_is_refused() {
    let stand = stand([]).await;
    let house = house(&stand, "").await;
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "x", "params": "x".repeat(4 << 20) });
    let request = Line::bare(&house).request(Method::POST);
    let sent = request.body(body.to_string()).send().await;
    // The server may close before it has read everything.
    assert!(sent.is_err() || sent.unwrap().status() == StatusCode::PAYLOAD_TOO_LARGE);
    assert!(stand.seen().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guarded_call_says_for_whom_it_is() {
    let stand = stand([Act::json(200, &answer(&json!(9), &booked()))]).await;
    let house = house(&stand, "").await;
    let denied = async |line: &Line<'_>, call: &Value| {
        let result = line.result(call).await;
        assert!(is_refusal(&result), "{result}");
        words(&result)
    };
    let nobody = Line::bare(&house);
    let told = denied(&nobody, &booking(&json!(1), "Yoga")).await;
    assert!(told.contains("x-replygate-contact"), "{told}");
    let mut for_rui = booking(&json!(2), "Yoga");
    for_rui["params"]["_meta"] = json!({ "replygate/contact": "rui" });
    let told = denied(&Line::of(&house, "ana"), &for_rui).await;
    assert!(told.contains("different things"), "{told}");
    let tongue = Line::of(&house, "ana").with("x-replygate-language", "fr");
    let told = denied(&tongue, &booking(&json!(3), "Yoga")).await;
    assert!(told.contains("en, pt, es"), "{told}");
    assert!(stand.seen().is_empty());

    for_rui["id"] = json!(9);
    assert_eq!(nobody.result(&for_rui).await, booked());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_not_for_the_channel_is_denied() {
    let stand = stand([]).await;
    let tools = "[[tools]]\nname = \"calendar.create_event\"\neffect = \"write\"\nchannels = [\"demo\"]\n\
                 host = { kind = \"mcp\", server = \"cal\", tool = \"create_event\" }\n";
    let house = house(&stand, tools).await;
    let result = Line::of(&house, "ana")
        .result(&booking(&json!(1), "Yoga"))
        .await;
    assert!(is_refusal(&result), "{result}");
    assert!(words(&result).contains("calendar.create_event"));
    assert!(stand.seen().is_empty());
}
