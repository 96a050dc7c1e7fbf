//! `/v1`: tokens, locks and deeds.

use reqwest::Method;
use serde_json::{Value, json};

use crate::house::{House, QUICK, heard};
use crate::program::Program;

/// The session of the one visitor, after a first answer.
async fn session(program: &Program<'_>) -> (String, String) {
    let visitor = program.house.visit().await;
    let mut page = program.house.listen(&visitor).await;
    program.house.write(&visitor, "k1", "hello").await;
    heard(&mut page, "reply").await;
    let (_, list) = program.ask(Method::GET, "/v1/sessions", Value::Null).await;
    (
        list["sessions"][0]["session"].as_str().unwrap().to_owned(),
        visitor,
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_told_without_a_token() {
    let house = House::open(QUICK).await;
    for (method, path) in [
        (Method::GET, "/v1/sessions"),
        (Method::GET, "/v1/replies"),
        (Method::PUT, "/v1/sessions/ses_0/lock"),
        (Method::POST, "/v1/forget"),
    ] {
        let bare = house.request(method.clone(), path).send().await.unwrap();
        assert_eq!(bare.status(), 401, "{path}");
        let wrong = house
            .request(method, path)
            .bearer_auth("rgt_wrong")
            .send()
            .await
            .unwrap();
        assert_eq!(wrong.status(), 401, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_belongs_to_its_holder() {
    let house = House::open(QUICK).await;
    let program = Program::of(&house);
    let (session, _) = session(&program).await;
    let path = format!("/v1/sessions/{session}/lock");
    let lock = |holder: &str| json!({ "holder": holder, "lease_ms": 5_000, "ttl_ms": 60_000 });
    assert_eq!(program.ask(Method::PUT, &path, lock("a")).await.0, 200);
    assert_eq!(program.ask(Method::PUT, &path, lock("a")).await.0, 200);
    let (status, answer) = program.ask(Method::PUT, &path, lock("b")).await;
    assert_eq!((status, &answer["error"]), (409, &json!("lock_held")));
    assert_eq!(
        program
            .ask(Method::DELETE, &path, json!({ "holder": "b" }))
            .await
            .0,
        409
    );
    assert_eq!(
        program
            .ask(Method::DELETE, &path, json!({ "holder": "a" }))
            .await
            .0,
        200
    );
    assert_eq!(program.ask(Method::DELETE, &path, Value::Null).await.0, 422);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_not_allowed_is_named_with_what_is() {
    let house = House::open(QUICK).await;
    let program = Program::of(&house);
    let (session, _) = session(&program).await;
    let path = format!("/v1/sessions/{session}/lock");
    let body = json!({ "holder": "a", "lease_ms": 9, "ttl_ms": 5 });
    let (status, answer) = program.ask(Method::PUT, &path, body).await;
    assert_eq!(status, 422);
    assert_eq!(answer["message"], "`lease_ms` is 9");
    assert_eq!(answer["allowed"], "1 to ttl_ms, 5");
    let (status, answer) = program
        .ask(Method::GET, "/v1/replies?status=SENT", Value::Null)
        .await;
    assert_eq!(status, 422);
    assert!(answer["allowed"].as_str().unwrap().contains("PARKED"));
    let (status, answer) = program
        .ask(Method::GET, "/v1/sessions?colour=red", Value::Null)
        .await;
    assert_eq!(status, 422);
    assert!(answer["message"].as_str().unwrap().contains("colour"));
    assert_eq!(
        program
            .ask(Method::GET, "/v1/sessions/ses_nobody", Value::Null)
            .await
            .0,
        404
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_answers_instead_of_the_agent_until_hand_back() {
    let house = House::open(QUICK).await;
    let program = Program::of(&house);
    let (session, visitor) = session(&program).await;
    let at = |deed: &str| format!("/v1/sessions/{session}/{deed}");
    let say = json!({ "text": "a person here", "request_id": "r1" });
    assert_eq!(
        program.ask(Method::POST, &at("say"), say.clone()).await.0,
        409
    );
    assert_eq!(
        program
            .ask(Method::POST, &at("takeover"), json!({}))
            .await
            .0,
        200
    );
    let mut page = house.listen(&visitor).await;
    let (status, said) = program.ask(Method::POST, &at("say"), say.clone()).await;
    assert_eq!(status, 200);
    assert!(said["reply"].as_str().unwrap().starts_with("rep_"));
    assert_eq!(heard(&mut page, "reply").await["text"], "a person here");
    let (status, again) = program.ask(Method::POST, &at("say"), say).await;
    assert_eq!((status, &again["repeated"]), (200, &Value::Bool(true)));
    assert_eq!(
        program
            .ask(Method::POST, &at("handback"), json!({}))
            .await
            .0,
        200
    );
    assert_eq!(
        program
            .ask(Method::POST, &at("handback"), json!({}))
            .await
            .0,
        409
    );
    assert_eq!(
        program.ask(Method::POST, &at("dance"), json!({})).await.0,
        404
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_parked_reply_of_the_seen_generation_is_discarded() {
    let house = House::open(QUICK).await;
    let program = Program::of(&house);
    let (session, visitor) = session(&program).await;
    let lock = json!({ "holder": "a", "lease_ms": 60_000, "ttl_ms": 60_000 });
    let path = format!("/v1/sessions/{session}/lock");
    assert_eq!(program.ask(Method::PUT, &path, lock).await.0, 200);
    house.write(&visitor, "k2", "second").await;
    let reply = loop {
        let (_, list) = program
            .ask(
                Method::GET,
                "/v1/replies?status=PENDING,RELEASED",
                Value::Null,
            )
            .await;
        if let Some(reply) = list["replies"][0]["reply"].as_str() {
            break reply.to_owned();
        }
    };
    let at = format!("/v1/replies/{reply}/discard");
    assert_eq!(
        program
            .ask(Method::POST, &at, json!({ "generation": 0 }))
            .await
            .0,
        409
    );
    let takeover = format!("/v1/sessions/{session}/takeover");
    assert_eq!(program.ask(Method::POST, &takeover, json!({})).await.0, 200);
    let (_, parked) = program
        .ask(Method::GET, &format!("/v1/replies/{reply}"), Value::Null)
        .await;
    assert_eq!(parked["status"], "PARKED");
    let generation = parked["generation"].as_u64().unwrap();
    let stale = json!({ "generation": generation + 1 });
    assert_eq!(program.ask(Method::POST, &at, stale).await.0, 409);
    assert_eq!(
        program
            .ask(Method::POST, &at, json!({ "generation": generation }))
            .await
            .0,
        200
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_person_leaves_no_session() {
    let house = House::open(QUICK).await;
    let program = Program::of(&house);
    session(&program).await;
    let (_, list) = program.ask(Method::GET, "/v1/sessions", Value::Null).await;
    let contact = list["sessions"][0]["contact"].clone();
    let (status, gone) = program
        .ask(Method::POST, "/v1/forget", json!({ "contact": contact }))
        .await;
    assert_eq!((status, &gone["sessions"]), (200, &json!(1)));
    let (_, list) = program.ask(Method::GET, "/v1/sessions", Value::Null).await;
    assert_eq!(list["sessions"], json!([]));
}
