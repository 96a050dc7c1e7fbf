//! Avoided duplicates through the whole server: heard, listed, judged, allowed once, and calls that a person settles.

use replygate_gate::tools::{CallState, Fingerprint, Guarding, Recipe, Scope};
use replygate_gate::{ActionId, SessionKey};
use replygate_ports::activity::{ActivityQuery, Entry};
use replygate_ports::calendar::EventQuery;
use replygate_ports::ledger::{Duplicate, DuplicateQuery, NewCall, Runner, Settlement};
use reqwest::header::{ACCEPT, COOKIE};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::house::{House, QUICK, heard, location};

const PASSWORD: &str = "correct horse battery";
const CONFIRMS: &str = "Confirmo las horas de psicología";
const ASKS: &str = "Agéndame las horas en mi calendario";

/// The demo agent with a calendar, answering at once.
const BOOKS: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "demo"
    operational_delay_ms = 0
    debounce = { enabled = false }

    [[tools]]
    name = "calendar.create_event"
    effect = "write"
    host = "calendar.create_event"
    recipe = "calendar.create_event"
"#;

async fn page(house: &House, inside: &str, address: &str) -> String {
    let request = house.request(Method::GET, address);
    let request = request.header(COOKIE, inside).header(ACCEPT, "text/html");
    request.send().await.unwrap().text().await.unwrap()
}

async fn rows(house: &House, inside: &str, asked: Value) -> Vec<Value> {
    let request = house.request(Method::POST, "/api/duplicates/list");
    let request = request.header(COOKIE, inside);
    let answer = request.json(&json!({ "asked": asked }));
    let mut view: Value = answer.send().await.unwrap().json().await.unwrap();
    serde_json::from_value(view["page"]["rows"].take()).unwrap()
}

async fn listen(house: &House, inside: &str) -> Response {
    let request = house.request(Method::GET, "/events/stream?topics=duplicates");
    request.header(COOKIE, inside).send().await.unwrap()
}

async fn records(house: &House) -> Vec<Duplicate> {
    let query = DuplicateQuery {
        limit: 10,
        ..DuplicateQuery::default()
    };
    let ledger = &house.running.service().stores.ledger;
    ledger.duplicates(&query).await.unwrap()
}

async fn events(house: &House) -> usize {
    let query = EventQuery {
        limit: 10,
        ..EventQuery::default()
    };
    let calendar = &house.running.service().stores.calendar;
    calendar.events(&query).await.unwrap().len()
}

/// What was done to an object, oldest first.
async fn deeds(house: &House, object: &str) -> Vec<Entry> {
    let query = ActivityQuery {
        object: Some(object.to_owned()),
        limit: 10,
        ..ActivityQuery::default()
    };
    let activity = &house.running.service().stores.activity;
    let mut found = activity.entries(&query).await.unwrap();
    found.reverse();
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_was_held_back_is_heard_listed_judged_and_then_runs_once_by_leave() {
    let house = House::open(BOOKS).await;
    let inside = house.enter_first(PASSWORD).await;
    let mut news = listen(&house, &inside).await;
    let visitor = house.visit().await;
    let mut chat = house.listen(&visitor).await;
    house.write(&visitor, "k1", CONFIRMS).await;
    heard(&mut chat, "reply").await;
    house.write(&visitor, "k2", ASKS).await;
    let change = heard(&mut news, "change").await;
    let id = change[0]["duplicate"]["id"].as_str().unwrap().to_owned();
    heard(&mut chat, "reply").await;

    let listed = rows(&house, &inside, json!({ "verdict": "none" })).await;
    assert_eq!(listed.len(), 2);
    let row = listed.iter().find(|row| row["id"] == id.as_str()).unwrap();
    assert_eq!(row["differs"], json!([["added", "end_datetime"]]));
    assert_eq!(row["compared"], json!(["title", "start"]));
    let session = row["session"].as_str().unwrap();
    assert!(session.starts_with("ses_"), "{row}");
    let overview = page(&house, &inside, "/").await;
    assert!(
        overview.contains("2 avoided duplicates have no verdict"),
        "{overview}"
    );

    let address = format!("/duplicates/{id}");
    let fields = [
        ("deed", "verdict"),
        ("opinion", "should_have_run"),
        ("reason", "a second hour, for her mother"),
        ("request_id", "req_1"),
    ];
    let mut news = listen(&house, &inside).await;
    for _ in 0..2 {
        let answer = house.form(&address, &inside, &fields).await;
        assert_eq!(location(&answer), format!("{address}?done=verdict"));
    }
    let change = heard(&mut news, "change").await;
    assert_eq!(change[0]["duplicate"]["id"], id.as_str());
    assert_eq!(
        rows(&house, &inside, json!({ "verdict": "none" }))
            .await
            .len(),
        1
    );

    let fields = [
        ("deed", "allow_once"),
        ("reason", "she wants it again"),
        ("request_id", "req_2"),
    ];
    for _ in 0..2 {
        let answer = house.form(&address, &inside, &fields).await;
        assert_eq!(location(&answer), format!("{address}?done=allow_once"));
    }
    let told = page(&house, &inside, &format!("{address}?done=allow_once")).await;
    assert!(told.contains("notice done"), "{told}");
    let deeds: Vec<(String, Option<String>, Option<String>)> = deeds(&house, &id)
        .await
        .into_iter()
        .map(|entry| entry.activity)
        .map(|deed| (deed.verb, deed.before, deed.after))
        .collect();
    let after = |text: &str| Some(text.to_owned());
    assert_eq!(
        deeds,
        [
            ("verdict".to_owned(), None, after("should_have_run")),
            (
                "allow_once".to_owned(),
                None,
                after("one call more, within an hour")
            ),
        ]
    );

    assert_eq!(events(&house).await, 2);
    house.write(&visitor, "k3", ASKS).await;
    heard(&mut chat, "reply").await;
    assert_eq!(events(&house).await, 3);
    house.write(&visitor, "k4", ASKS).await;
    heard(&mut chat, "reply").await;
    assert_eq!(events(&house).await, 3);
    assert_eq!(records(&house).await.len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_verdicts_at_once_one_stands_and_the_other_is_told() {
    let house = House::open(BOOKS).await;
    let inside = house.enter_first(PASSWORD).await;
    let visitor = house.visit().await;
    let mut chat = house.listen(&visitor).await;
    for (id, text) in [("k1", CONFIRMS), ("k2", ASKS)] {
        house.write(&visitor, id, text).await;
        heard(&mut chat, "reply").await;
    }
    let id = records(&house).await.remove(0).call.id.to_string();
    let address = format!("/duplicates/{id}");
    let judges = |opinion, request| {
        let (house, inside, address) = (&house, &inside, &address);
        async move {
            let fields = [
                ("deed", "verdict"),
                ("opinion", opinion),
                ("seen", ""),
                ("request_id", request),
            ];
            let answer = house.form(address, inside, &fields).await;
            location(&answer).to_owned()
        }
    };
    let (one, other) = tokio::join!(judges("right", "req_1"), judges("unsure", "req_2"));
    let done = format!("{address}?done=verdict");
    assert!((one == done) != (other == done), "{one} {other}");
    let refused = if one == done { &other } else { &one };
    let told = page(&house, &inside, refused).await;
    assert!(told.contains("admin was faster"), "{told}");
    assert_eq!(deeds(&house, &id).await.len(), 1);
    // Whoever saw the verdict may change it.
    let verdict = records(&house).await.remove(0).verdict.unwrap();
    let seen = verdict.at.0.to_string();
    let fields = [
        ("deed", "verdict"),
        ("opinion", "should_have_run"),
        ("seen", &*seen),
        ("request_id", "req_3"),
    ];
    let answer = house.form(&address, &inside, &fields).await;
    assert_eq!(location(&answer), done);
    let deeds = deeds(&house, &id).await;
    assert_eq!(deeds.len(), 2);
    assert_eq!(
        deeds[1].activity.before.as_deref(),
        Some(verdict.opinion.as_str())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_another_site_judges_nothing() {
    let house = House::open(BOOKS).await;
    let inside = house.enter_first(PASSWORD).await;
    let request = house.request(Method::POST, "/duplicates/dup_1");
    let answer = request
        .header(COOKIE, &inside)
        .header("sec-fetch-site", "cross-site")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("deed=verdict&opinion=right&request_id=r");
    assert_eq!(answer.send().await.unwrap().status(), 403);
}

/// A call whose outcome nobody knows.
async fn lost(house: &House) -> ActionId {
    let arguments = json!({ "order_id": 7 });
    let comparison = Recipe::default().compare("pay", &arguments);
    let whom = SessionKey {
        channel: "demo".to_owned(),
        account: String::new(),
        conversation: "ana".to_owned(),
        contact: "ana".to_owned(),
    };
    let service = house.running.service();
    let (ledger, moment) = (&service.stores.ledger, service.engine.guard().moment());
    let call = NewCall {
        action: ActionId(9),
        fingerprint: Fingerprint::of("pay", &comparison, Scope::Contact, &whom),
        tool: "pay".to_owned(),
        whom,
        turn: None,
        arguments,
        comparison,
        guarding: Guarding::default(),
        runner: Runner::Outside,
    };
    ledger.reserve(call, &moment).await.unwrap();
    let code = "timeout".to_owned();
    let unknown = Settlement::Unknown { code };
    ledger.settle(ActionId(9), unknown, &moment).await.unwrap();
    ActionId(9)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_may_have_happened_is_settled_by_a_person_once() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let action = lost(&house).await;
    let list = page(&house, &inside, "/duplicates").await;
    let address = format!("/duplicates/calls/{action}");
    assert!(list.contains(&address), "{list}");
    let overview = page(&house, &inside, "/").await;
    assert!(
        overview.contains("1 tool call may or may not have happened"),
        "{overview}"
    );

    let missing = [("outcome", "done"), ("request_id", "req_0")];
    let answer = house.form(&address, &inside, &missing).await;
    let told = page(&house, &inside, location(&answer)).await;
    assert!(told.contains("Missing: reason"), "{told}");
    let fields = [
        ("outcome", "done"),
        ("reason", "it is on the statement"),
        ("request_id", "req_1"),
    ];
    for _ in 0..2 {
        let answer = house.form(&address, &inside, &fields).await;
        let there = location(&answer);
        assert_eq!(there, format!("/duplicates?settled={action}"));
        let told = page(&house, &inside, there).await;
        assert!(told.contains("pay happened, says admin"), "{told}");
        assert!(!told.contains(&address));
    }
    let ledger = &house.running.service().stores.ledger;
    let call = ledger.call(action).await.unwrap().unwrap();
    assert_eq!(call.entry.state, CallState::Done);
    let done = deeds(&house, &action.to_string()).await;
    assert_eq!(done.len(), 1);
    assert_eq!(done[0].activity.before.as_deref(), Some("unknown"));
    assert_eq!(done[0].activity.after.as_deref(), Some("done"));

    let other = [
        ("outcome", "failed"),
        ("reason", "no"),
        ("request_id", "req_2"),
    ];
    let answer = house.form(&address, &inside, &other).await;
    let told = page(&house, &inside, location(&answer)).await;
    assert!(told.contains("it changed meanwhile"), "{told}");
}
