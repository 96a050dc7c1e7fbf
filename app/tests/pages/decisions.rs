//! The list of decisions, and the page of one.

use crate::{ask, get, has, page};
use axum::http::StatusCode;
use replygate_app::view::Role;

#[tokio::test]
async fn a_line_says_what_was_decided_by_whom_and_what_it_cost() {
    let answer = page("/decisions").await;
    has(
        &answer,
        &[
            "href=\"/decisions/rep_1\"",
            "data-verdict=\"CANCEL_FIRST\" class=\"state\">Cancel",
            "rules",
            "94 %",
            "3 ms",
            "310 in, 12 out",
            "Cancelled",
            "href=\"/decisions?after=7.a.2\"",
        ],
    );
}

#[tokio::test]
async fn decisions_are_filtered_by_verdict_and_an_unknown_one_is_named() {
    let answer = page("/decisions?verdict=merge").await;
    has(
        &answer,
        &["No decision matches these filters.", "Clear filters"],
    );
    let wrong = page("/decisions?verdict=perhaps").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(
        wrong.body.contains("not allowed for verdict"),
        "{}",
        wrong.body
    );
}

#[tokio::test]
async fn a_decision_tells_its_reason_and_nothing_to_whom_texts_are_masked() {
    let answer = page("/decisions/rep_1").await;
    has(
        &answer,
        &[
            "the order is withdrawn",
            "See it in the conversation",
            "takes effect when",
        ],
    );
    let masked = ask(get("/decisions/rep_1", Some(Role::Viewer))).await;
    assert!(!masked.body.contains("withdrawn"), "{}", masked.body);
    assert_eq!(
        page("/decisions/rep_404").await.status,
        StatusCode::NOT_FOUND
    );
}
