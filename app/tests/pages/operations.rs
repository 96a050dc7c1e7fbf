//! Deeds on many replies: the plan, its start, and what came of each.

use crate::{ask, get, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

const PICKED: [(&str, &str); 3] = [
    ("choice", "send"),
    ("pick", "rep_7:1"),
    ("request_id", "req_1"),
];

#[tokio::test]
async fn the_inbox_is_a_form_whose_boxes_name_what_was_seen() {
    let answer = page("/parked?why=channel_failed").await;
    has(
        &answer,
        &[
            "action=\"/parked/plan\"",
            "name=\"pick\" value=\"rep_7:1\"",
            "name=\"request_id\" value=\"req_1\"",
            "name=\"why\" value=\"channel_failed\"",
            "name=\"as_of\" value=\"1709251200000\"",
            "Check and reprocess…",
        ],
    );
}

#[tokio::test]
async fn a_selection_leads_to_the_page_of_its_plan() {
    let answer = ask(post("/parked/plan", Role::Operator, &PICKED)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header(header::LOCATION), "/operations/op_1");
}

#[tokio::test]
async fn an_empty_selection_leads_back_and_says_what_is_missing() {
    let fields = [("choice", "send"), ("request_id", "req_1")];
    let answer = ask(post("/parked/plan", Role::Operator, &fields)).await;
    let there = answer.header(header::LOCATION).to_owned();
    assert!(there.starts_with("/parked?no=invalid"), "{there}");
    has(&page(&there).await, &["Nothing was sent. Missing: pick"]);
}

#[tokio::test]
async fn a_plan_says_what_customers_will_see_and_what_will_not_happen() {
    let answer = page("/operations/op_1").await;
    has(
        &answer,
        &[
            "Reprocess 36 replies?",
            "36 customers will get a reply that was written between 3 h ago and 18 min ago.",
            "1 skipped: a person answers or answered",
            "12 go although: the customer wrote since",
            "are not included",
            "cannot be taken back",
            "Keep them parked",
            "name=\"first\" type=\"number\" min=\"0\" value=\"5\"",
        ],
    );
    assert!(!answer.body.contains("name=\"typed\""), "36 on one channel");
}

#[tokio::test]
async fn a_running_operation_can_be_paused_and_stopped_and_says_what_stopping_means() {
    let answer = page("/operations/op_2").await;
    has(
        &answer,
        &[
            "value=\"pause\"",
            "value=\"stop\"",
            "no more are acted on; what was sent stays sent",
            "1 of 37 done",
        ],
    );
    assert!(!answer.body.contains("value=\"start\""));
}

#[tokio::test]
async fn outcomes_are_filtered_by_their_word() {
    let answer = page("/operations/op_1?outcome=skipped").await;
    assert!(answer.body.contains("rep_1"));
    assert!(!answer.body.contains("<code>rep_0"));
    let wrong = page("/operations/op_1?outcome=lost").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    has(&wrong, &["“lost” is not allowed for outcome"]);
}

#[tokio::test]
async fn a_start_without_a_reason_leads_back_and_names_it() {
    let fields = [
        ("steer", "start"),
        ("per_minute", "300"),
        ("first", "5"),
        ("halt_percent", "20"),
    ];
    let answer = ask(post("/operations/op_1", Role::Operator, &fields)).await;
    let there = answer.header(header::LOCATION).to_owned();
    has(
        &page(&there).await,
        &["Nothing was sent. Missing: reason (why)."],
    );
}

#[tokio::test]
async fn the_list_links_every_operation() {
    let answer = page("/operations").await;
    has(
        &answer,
        &[
            "href=\"/operations/op_1\"",
            "Reprocess 37 replies",
            "Running",
            "To do 36, Skipped 1",
        ],
    );
    has(
        &page("/operations?after=x").await,
        &["There are no older operations."],
    );
}

#[tokio::test]
async fn who_may_not_act_on_many_is_refused_and_told_why() {
    for role in [Role::Viewer, Role::Support] {
        let planned = ask(post("/parked/plan", role, &PICKED)).await;
        assert_eq!(planned.status, StatusCode::FORBIDDEN, "{role:?}");
        let steered = ask(post("/operations/op_2", role, &[("steer", "stop")])).await;
        assert_eq!(steered.status, StatusCode::FORBIDDEN, "{role:?}");
        let body = ask(get("/parked", Some(role))).await.body;
        assert!(body.contains("Your role may not act on many replies at once."));
    }
}
