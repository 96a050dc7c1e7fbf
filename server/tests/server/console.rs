//! The console through its pages, its server functions and its live stream.

use replygate_ports::accounts::User;
use reqwest::Method;
use reqwest::header::COOKIE;
use serde_json::{Value, json};

use crate::house::{House, QUICK, cookie, heard};

const PASSWORD: &str = "correct horse battery";
const WORDS: &str = "where is order 4711";

async fn said(house: &House) {
    let visitor = house.visit().await;
    let mut page = house.listen(&visitor).await;
    house.write(&visitor, "k1", WORDS).await;
    heard(&mut page, "reply").await;
}

async fn reveal_sessions(house: &House, inside: &str) {
    let fields = [("of", "sessions"), ("reason", "she called")];
    house.form("/reveal", inside, &fields).await;
}

async fn list(house: &House, inside: &str) -> Value {
    let request = house
        .request(Method::POST, "/api/sessions/list")
        .header(COOKIE, inside);
    let body = json!({ "filter": {}, "page": {} });
    request
        .json(&body)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap()
}

/// Gives the admin another role; the sign-in stays.
async fn demote(house: &House, role: &str) {
    let accounts = &house.running.service().stores.accounts;
    let admin = accounts.user("admin").await.unwrap().unwrap();
    let user = User {
        role: role.to_owned(),
        ..admin
    };
    accounts.save_user(user).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_sees_that_something_was_said_and_not_what() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    said(&house).await;
    reveal_sessions(&house, &inside).await;
    let shown = list(&house, &inside).await;
    assert_eq!(
        shown["page"]["rows"][0]["last_message"]["text"]["shown"],
        WORDS
    );
    demote(&house, "viewer").await;
    let masked = list(&house, &inside).await;
    assert_eq!(
        masked["page"]["rows"][0]["last_message"]["text"]["masked"],
        "19 characters"
    );
    assert!(!masked.to_string().contains("4711"), "{masked}");
    let id = masked["page"]["rows"][0]["id"].as_str().unwrap().to_owned();
    let page = house
        .request(Method::GET, &format!("/sessions/{id}"))
        .header(COOKIE, &inside);
    let html = page.send().await.unwrap().text().await.unwrap();
    assert!(html.contains("characters"));
    assert!(!html.contains("4711"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_complete_without_scripts() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let request = house.request(Method::GET, "/events/stream?topics=sessions");
    let mut news = request.header(COOKIE, &inside).send().await.unwrap();
    said(&house).await;
    reveal_sessions(&house, &inside).await;
    // The customer has the reply before the step that says so is made.
    let html = loop {
        let page = house
            .request(Method::GET, "/sessions")
            .header(COOKIE, &inside);
        let response = page.send().await.unwrap();
        assert!(response.headers().contains_key("content-security-policy"));
        let html = response.text().await.unwrap();
        if html.contains("DELIVERED") {
            break html;
        }
        heard(&mut news, "change").await;
    };
    assert!(html.contains(WORDS));
}

#[tokio::test(flavor = "multi_thread")]
async fn health_tells_what_applies_to_one_file_and_nothing_of_services() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let html = async || {
        let request = house.request(Method::GET, "/health");
        let answer = request.header(COOKIE, &inside).send().await.unwrap();
        answer.text().await.unwrap()
    };
    let fresh = html().await;
    for words in [
        "Database SQLite",
        "Open sessions",
        "Channel demo",
        "no reply yet",
    ] {
        assert!(fresh.contains(words), "{words}: {fresh}");
    }
    for words in ["Redis", "RabbitMQ", "Workers"] {
        assert!(!fresh.contains(words), "{words}: {fresh}");
    }
    said(&house).await;
    assert!(html().await.contains("0 of its last 1 replies failed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_live_stream_tells_what_changed_and_what_was_missed() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let open = |last: Option<u64>| {
        let request = house.request(Method::GET, "/events/stream?topics=sessions");
        let request = request.header(COOKIE, inside.clone());
        match last {
            Some(last) => request.header("last-event-id", last),
            None => request,
        }
    };
    let mut stream = open(None).send().await.unwrap();
    said(&house).await;
    let change = heard(&mut stream, "change").await;
    assert!(
        change[0]["session"]["id"]
            .as_str()
            .unwrap()
            .starts_with("ses_")
    );
    let mut unknown = open(Some(7)).send().await.unwrap();
    assert_eq!(heard(&mut unknown, "change").await, json!(["resync"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_out_ends_that_persons_streams() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let request = house.request(Method::GET, "/events/stream?topics=sessions");
    let mut stream = request.header(COOKIE, &inside).send().await.unwrap();
    house.form("/sign-out", &inside, &[]).await;
    while let Some(chunk) = stream.chunk().await.unwrap() {
        assert!(!chunk.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_every_sign_in() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let accounts = &house.running.service().stores.accounts;
    let admin = accounts.user("admin").await.unwrap().unwrap();
    let user = User {
        password: Some("$argon2id$another".to_owned()),
        ..admin
    };
    accounts.save_user(user).await.unwrap();
    assert!(!house.is_inside(&inside).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_gets_a_cookie_that_scripts_cannot_read() {
    let house = House::open(QUICK).await;
    house.enter_first(PASSWORD).await;
    let response = house
        .form("/sign-in", "", &[("name", "admin"), ("password", PASSWORD)])
        .await;
    let whole = response.headers()["set-cookie"].to_str().unwrap();
    assert!(
        whole.contains("HttpOnly") && whole.contains("SameSite=Lax"),
        "{whole}"
    );
    assert!(!cookie(&response).contains("admin"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_list_of_sessions_leads_to_a_page_on_which_one_begins() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let shown = async |address: &str| {
        let request = house.request(Method::GET, address).header(COOKIE, &inside);
        request.send().await.unwrap().text().await.unwrap()
    };
    assert!(shown("/sessions").await.contains("href=\"/chat/demo\""));
    let filtered = shown("/sessions?state=stuck").await;
    assert!(!filtered.contains("/chat/demo"));
    said(&house).await;
    assert!(!shown("/sessions").await.contains("/chat/demo"));
}
