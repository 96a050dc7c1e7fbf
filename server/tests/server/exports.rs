//! Lists leave the console by the question of their page, masked for whoever may take no texts, and written down.

use replygate_app::view::Role;
use replygate_ports::activity::ActivityQuery;
use reqwest::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, COOKIE};
use reqwest::{Method, Response};
use serde_json::Value;

use crate::house::{House, QUICK};
use crate::roles::everybody;

const LISTS: [&str; 6] = [
    "sessions",
    "messages",
    "parked",
    "duplicates",
    "decisions",
    "activity",
];

async fn get(house: &House, cookie: &str, address: &str) -> Response {
    let request = house.request(Method::GET, address).header(COOKIE, cookie);
    request.header(ACCEPT, "text/html").send().await.unwrap()
}

async fn said(house: &House, text: &str) {
    let visitor = house.visit().await;
    let answer = house.write(&visitor, "k", text).await;
    assert!(answer.status().is_success());
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_leave_with_an_admin_and_with_nobody_below() {
    let house = House::open(QUICK).await;
    said(&house, "=my secret, is 4711").await;
    for (role, cookie) in everybody(&house).await {
        // What is shown on a page at the moment changes nothing.
        let fields = [("of", "messages"), ("reason", "she called")];
        house.form("/reveal", &cookie, &fields).await;
        let answer = get(&house, &cookie, "/export/messages.csv").await;
        if role < Role::Support {
            assert_eq!(answer.status(), 403, "{role:?}");
            continue;
        }
        assert_eq!(answer.status(), 200, "{role:?}");
        let text = answer.text().await.unwrap();
        assert_eq!(text.lines().count(), 2, "{text}");
        let shown = text.contains("\"'=my secret, is 4711\"");
        assert_eq!(shown, role >= Role::Admin, "{role:?} {text}");
        assert_eq!(text.contains("4711"), role >= Role::Admin, "{role:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_says_what_it_is_and_stands_in_the_log() {
    let house = House::open(QUICK).await;
    let owner = house.enter_first("correct horse battery").await;
    said(&house, "hi").await;
    let answer = get(&house, &owner, "/export/messages.jsonl?channel=demo&q=hi").await;
    let headers = answer.headers().clone();
    assert_eq!(headers[CONTENT_TYPE], "application/x-ndjson");
    let name = headers[CONTENT_DISPOSITION].to_str().unwrap().to_owned();
    assert!(
        name.contains("replygate-messages-") && name.ends_with(".jsonl\""),
        "{name}"
    );
    let row: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert_eq!(row["channel"], "demo");
    assert!(
        row["received"].as_str().unwrap().ends_with("+00:00"),
        "{row}"
    );
    let query = ActivityQuery {
        verb: Some("export".to_owned()),
        limit: 9,
        ..ActivityQuery::default()
    };
    let log = &house.running.service().stores.activity;
    let log = log.entries(&query).await.unwrap();
    assert_eq!(log.len(), 1);
    assert_eq!(log[0].activity.object, "list:messages");
    let what = log[0].activity.after.as_deref();
    assert_eq!(what, Some("jsonl, with texts, channel=demo, searched"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_every_row_of_the_list_and_only_those_that_match() {
    let house = House::open(QUICK).await;
    let owner = house.enter_first("correct horse battery").await;
    let visitor = house.visit().await;
    for n in 0..260 {
        let answer = house.write(&visitor, &format!("k{n}"), "hi").await;
        assert!(answer.status().is_success());
    }
    let rows = async |address: &str| {
        let answer = get(&house, &owner, address).await;
        assert_eq!(answer.status(), 200, "{address}");
        answer.text().await.unwrap().lines().count()
    };
    assert_eq!(rows("/export/messages.jsonl").await, 260);
    assert_eq!(rows("/export/messages.jsonl?channel=other").await, 0);
    assert_eq!(rows("/export/messages.csv?channel=other").await, 1);
    for list in LISTS {
        rows(&format!("/export/{list}.csv")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_exported_is_said_on_a_page() {
    let house = House::open(QUICK).await;
    let owner = house.enter_first("correct horse battery").await;
    for (address, status) in [
        ("/export/passwords.csv", 404),
        ("/export/messages.xls", 404),
        ("/export/outcomes.csv", 404),
        (
            "/export/outcomes.csv?operation=op_0000000000000000000000000",
            404,
        ),
        ("/export/messages.csv?status=sent", 400),
        ("/export/sessions.csv?state=asleep", 400),
    ] {
        let answer = get(&house, &owner, address).await;
        assert_eq!(answer.status(), status, "{address}");
        assert!(answer.text().await.unwrap().contains("<h1"), "{address}");
    }
}
