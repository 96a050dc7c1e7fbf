//! What a caller is told that writes while the agent is answering.

use std::time::Duration;

use replygate_testkit::wait::pause;
use reqwest::{Response, StatusCode};
use serde_json::Value;

use crate::house::House;
use crate::program::Program;

/// Every reply waits a minute before it leaves, so that a session that was asked something stays busy.
const SLOW: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "echo"
    strategy = "reject"
    operational_delay_ms = 60000
    debounce = { enabled = false }
"#;

/// Writes until the session is busy; messages before that joined the first burst.
async fn refused(house: &House, visitor: &str) -> Response {
    for number in 0..200 {
        let answer = house.write(visitor, &format!("k{number}"), "hello").await;
        if answer.status() != StatusCode::ACCEPTED {
            return answer;
        }
        pause(Duration::from_millis(10)).await;
    }
    panic!("the session never became busy");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejected_message_gets_409_and_is_told_what_runs() {
    let house = House::open(SLOW).await;
    let visitor = house.visit().await;
    let answer = refused(&house, &visitor).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["error"], "rejected");
    let running = &body["running"];
    let replies = running["replies"].as_array().unwrap();
    assert!(running["turn"].is_string() || !replies.is_empty(), "{body}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_message_is_known_again_while_it_is_answered_and_a_rejected_one_is_on_record() {
    let house = House::open(SLOW).await;
    let visitor = house.visit().await;
    refused(&house, &visitor).await;
    let again = house.write(&visitor, "k0", "hello").await;
    assert_eq!(again.status(), StatusCode::ACCEPTED);
    let again: Value = again.json().await.unwrap();
    assert_eq!(again["duplicate"], true);

    let program = Program::of(&house);
    let list = program.get("/v1/sessions").await;
    let session = list["sessions"][0]["session"].as_str().unwrap();
    let shown = program.get(&format!("/v1/sessions/{session}")).await;
    assert_eq!(shown["strategy"], "reject");
    let timeline = program
        .get(&format!("/v1/sessions/{session}/timeline"))
        .await;
    assert!(timeline.to_string().contains(r#""event":"rejected""#));
}
