//! `POST /hooks/{channel}`: every status that the API promises.

use std::time::{SystemTime, UNIX_EPOCH};

use replygate_channels::generic::{Secret, sign};
use replygate_ports::views::MessageQuery;
use reqwest::{Method, Response};
use serde_json::Value;

use crate::house::House;

const NEW: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const OLD: &str = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
const OTHER: &str = "whsec_b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcm90aGVyMTI=";
const MESSAGE: &str = r#"{"message_id":"m1","contact":"c1","text":"hello"}"#;

const SHOP: &str = r#"
    [[channels]]
    id = "shop"
    kind = "generic"
    deliver_url = "http://127.0.0.1:9/deliver"
    signing_secret = ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="]
"#;

#[expect(
    clippy::disallowed_methods,
    reason = "the other side of a webhook signs with its own clock"
)]
fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs() as i64
}

async fn post(house: &House, channel: &str, body: &str, secret: &str, at: i64) -> Response {
    let secret = Secret::parse(secret).unwrap();
    house
        .request(Method::POST, &format!("/hooks/{channel}"))
        .header("webhook-id", "w1")
        .header("webhook-timestamp", at)
        .header(
            "webhook-signature",
            sign("w1", at, body.as_bytes(), &[secret]),
        )
        .body(body.to_owned())
        .send()
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_message_is_stored_and_known_again() {
    let house = House::open(SHOP).await;
    let first = post(&house, "shop", MESSAGE, NEW, now()).await;
    assert_eq!(first.status(), 202);
    let first: Value = first.json().await.unwrap();
    assert_eq!(first["duplicate"], false);
    assert!(first["message"].as_str().unwrap().starts_with("msg_"));
    assert!(first["session"].as_str().unwrap().starts_with("ses_"));
    let again = post(&house, "shop", MESSAGE, NEW, now()).await;
    assert_eq!(again.status(), 202);
    let again: Value = again.json().await.unwrap();
    assert_eq!(again["duplicate"], true);
    assert_eq!(again["message"], first["message"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transcript_becomes_the_text_of_its_note_and_is_known_again() {
    // However slow the machine is, no turn comes in between.
    let patient = format!("{SHOP}    debounce = {{ max_wait_ms = 120000 }}\n");
    let house = House::open(&patient).await;
    let note = r#"{"message_id":"n1","contact":"c1","kind":"voice","transcript_within_ms":120000}"#;
    let text = r#"{"message_id":"m2","contact":"c1","text":"that is all."}"#;
    let words =
        r#"{"message_id":"n1","contact":"c1","kind":"transcript","text":"the whole story"}"#;
    for (body, duplicate) in [(note, false), (text, false), (words, false), (words, true)] {
        let answer = post(&house, "shop", body, NEW, now()).await;
        assert_eq!(answer.status(), 202, "{body}");
        let answer: Value = answer.json().await.unwrap();
        assert_eq!(answer["duplicate"], duplicate, "{body}");
    }
    let query = MessageQuery {
        limit: 10,
        ..MessageQuery::default()
    };
    let views = &house.running.service().stores.views;
    let mut found = views.messages(&query).await.unwrap();
    found.sort_by_key(|message| message.id);
    let texts: Vec<&str> = found.iter().map(|message| &*message.text).collect();
    assert_eq!(texts, ["the whole story", "that is all."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn either_secret_signs_while_it_is_being_changed_and_no_third() {
    let house = House::open(SHOP).await;
    assert_eq!(
        post(&house, "shop", MESSAGE, OLD, now()).await.status(),
        202
    );
    assert_eq!(
        post(&house, "shop", MESSAGE, NEW, now()).await.status(),
        202
    );
    assert_eq!(
        post(&house, "shop", MESSAGE, OTHER, now()).await.status(),
        401
    );
    assert_eq!(
        post(&house, "shop", MESSAGE, NEW, now() - 400)
            .await
            .status(),
        401
    );
    let unsigned = house
        .request(Method::POST, "/hooks/shop")
        .body(MESSAGE)
        .send()
        .await
        .unwrap();
    assert_eq!(unsigned.status(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_body_is_refused_with_a_reason() {
    let house = House::open(SHOP).await;
    for (body, reason) in [
        ("{", "not JSON"),
        (r#"{"contact":"c1","text":"hi"}"#, "`message_id` is missing"),
        (
            r#"{"message_id":"m","contact":"c","text":7}"#,
            "`text` is a number",
        ),
    ] {
        let response = post(&house, "shop", body, NEW, now()).await;
        assert_eq!(response.status(), 400);
        let answer: Value = response.json().await.unwrap();
        assert!(
            answer["message"].as_str().unwrap().contains(reason),
            "{answer}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_over_256_kib_is_refused_as_too_large() {
    let house = House::open(SHOP).await;
    let body = |bytes: usize| {
        let frame = r#"{"message_id":"m","contact":"c","text":""}"#.len();
        format!(
            r#"{{"message_id":"m","contact":"c","text":"{}"}}"#,
            "x".repeat(bytes - frame)
        )
    };
    assert_eq!(
        post(&house, "shop", &body(256 * 1024), NEW, now())
            .await
            .status(),
        202
    );
    assert_eq!(
        post(&house, "shop", &body(256 * 1024 + 1), NEW, now())
            .await
            .status(),
        413
    );
    assert_eq!(
        post(&house, "shop", &body(1024 * 1024), NEW, now())
            .await
            .status(),
        413
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn only_generic_channels_have_hooks() {
    let house = House::open("[[channels]]\nid = \"demo\"\nkind = \"webchat\"").await;
    assert_eq!(
        post(&house, "nobody", MESSAGE, NEW, now()).await.status(),
        404
    );
    assert_eq!(
        post(&house, "demo", MESSAGE, NEW, now()).await.status(),
        404
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_cannot_be_stored_is_asked_for_again_and_taken_then() {
    use sqlx::{ConnectOptions, Connection};

    let house = House::open(SHOP).await;
    // Somebody else holds the file, as a full disk or a hung backup would.
    let file = sqlx::sqlite::SqliteConnectOptions::new().filename(house.data.join("replygate.db"));
    let mut holder = file.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut holder)
        .await
        .unwrap();
    let refused = post(&house, "shop", MESSAGE, NEW, now()).await;
    assert_eq!(refused.status(), 503);
    assert!(refused.headers().contains_key("retry-after"));

    sqlx::query("ROLLBACK").execute(&mut holder).await.unwrap();
    holder.close().await.unwrap();
    let taken = post(&house, "shop", MESSAGE, NEW, now()).await;
    assert_eq!(taken.status(), 202);
    let taken: Value = taken.json().await.unwrap();
    assert_eq!(taken["duplicate"], false);
}
