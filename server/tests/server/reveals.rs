//! Texts and contacts are hidden until somebody asks for them, and that they asked is written down.

use replygate_ports::activity::{Activity, ActivityQuery};
use reqwest::Method;
use reqwest::header::{ACCEPT, COOKIE};

use crate::house::{House, QUICK, cookie, location};

const PASSWORD: &str = "correct horse battery";
const SECRET: &str = "my secret is 4711";
const LISTS: [&str; 2] = ["/sessions", "/messages"];

/// A house in which somebody wrote, and the owner's cookie.
async fn house() -> (House, String) {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let visitor = house.visit().await;
    house.write(&visitor, "k", SECRET).await;
    (house, inside)
}

async fn page(house: &House, cookie: &str, address: &str) -> String {
    let request = house.request(Method::GET, address).header(COOKIE, cookie);
    let answer = request.header(ACCEPT, "text/html").send().await.unwrap();
    answer.text().await.unwrap()
}

async fn sees(house: &House, cookie: &str, address: &str) -> bool {
    page(house, cookie, address).await.contains("4711")
}

/// Asks for texts; where that leads.
async fn ask(house: &House, cookie: &str, of: &str, back: &str, reason: &str) -> String {
    let fields = [("of", of), ("back", back), ("reason", reason)];
    let answer = house.form("/reveal", cookie, &fields).await;
    location(&answer).to_owned()
}

/// What the log has of reveals, the newest first.
async fn logged(house: &House) -> Vec<Activity> {
    let query = ActivityQuery {
        verb: Some("reveal".to_owned()),
        limit: 50,
        ..ActivityQuery::default()
    };
    let log = &house.running.service().stores.activity;
    let found = log.entries(&query).await.unwrap();
    found.into_iter().map(|entry| entry.activity).collect()
}

/// The address of the one session.
async fn session(house: &House, cookie: &str) -> String {
    let list = page(house, cookie, "/sessions").await;
    let rest = list.split("href=\"/sessions/").nth(1).unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_shows_its_texts_to_whoever_says_why_and_the_log_says_who_did() {
    let (house, inside) = house().await;
    for list in LISTS {
        assert!(!sees(&house, &inside, list).await, "{list}");
    }
    let asked = ask(&house, &inside, "messages", "/messages?status=", "").await;
    assert_eq!(asked, "/reveal?of=messages&back=%2Fmessages%3Fstatus%3D");
    assert!(logged(&house).await.is_empty());
    assert!(
        page(&house, &inside, &asked)
            .await
            .contains("name=\"reason\"")
    );

    let back = ask(
        &house,
        &inside,
        "messages",
        "/messages?status=",
        "she called",
    )
    .await;
    assert_eq!(back, "/messages?status=");
    assert!(sees(&house, &inside, "/messages").await);
    assert!(!sees(&house, &inside, "/sessions").await);

    let log = logged(&house).await;
    assert_eq!(log.len(), 1);
    assert_eq!(
        (log[0].by.as_str(), log[0].role.as_str()),
        ("admin", "owner")
    );
    assert_eq!(log[0].object, "list:messages");
    assert_eq!(log[0].reason.as_deref(), Some("she called"));
    assert_eq!(log[0].before.as_deref(), Some("hidden"));
    assert!(!format!("{log:?}").contains("4711"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_is_asked_once_and_everything_that_it_shows_is_written_down_once() {
    let (house, inside) = house().await;
    let id = session(&house, &inside).await;
    let address = format!("/sessions/{id}");
    ask(&house, &inside, "sessions", "/sessions", "she called").await;
    assert!(!sees(&house, &inside, &address).await);
    for _ in 0..2 {
        assert_eq!(ask(&house, &inside, &id, &address, "").await, address);
    }
    assert!(sees(&house, &inside, &address).await);
    let log = logged(&house).await;
    let objects: Vec<&str> = log.iter().map(|entry| entry.object.as_str()).collect();
    assert_eq!(objects, [id.as_str(), "list:sessions"]);
    assert_eq!(log[0].reason.as_deref(), Some("she called"));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sign_in_of_the_same_person_begins_with_everything_hidden() {
    let (house, inside) = house().await;
    ask(&house, &inside, "sessions", "/sessions", "she called").await;
    assert!(sees(&house, &inside, "/sessions").await);
    let fields = [("name", "admin"), ("password", PASSWORD)];
    let other = cookie(&house.form("/sign-in", "", &fields).await);
    assert!(!sees(&house, &other, "/sessions").await);
    let asked = ask(&house, &other, "sessions", "/sessions", "").await;
    assert!(asked.starts_with("/reveal?"), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_revealed_that_is_not_there_and_the_way_back_stays_inside() {
    let (house, inside) = house().await;
    for of in ["ses_0000000000000000000000000", "activity", ""] {
        let there = ask(&house, &inside, of, "//evil.example", "why").await;
        assert!(there.starts_with("/reveal?"), "{of}: {there}");
        assert!(there.contains("no="), "{of}: {there}");
        assert!(!there.contains("evil"), "{there}");
    }
    let long = "x".repeat(501);
    let there = ask(&house, &inside, "sessions", "/sessions", &long).await;
    assert!(there.contains("no=invalid"), "{there}");
    assert!(logged(&house).await.is_empty());
    assert!(!sees(&house, &inside, "/sessions").await);
}
