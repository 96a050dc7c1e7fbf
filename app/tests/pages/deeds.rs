//! Forms that act: each leads to a page that says from the store what came of it.

use crate::{ask, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

const ADDRESS: &str = "/parked/rep_7/reprocess";

#[tokio::test]
async fn a_deed_leads_to_the_page_that_shows_what_it_did() {
    let fields = [
        ("choice", "send"),
        ("generation", "1"),
        ("request_id", "req_1"),
        ("overrule", "yes"),
        ("reason", "she asked for it"),
    ];
    let answer = ask(post(ADDRESS, Role::Operator, &fields)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let there = answer.header(header::LOCATION).to_owned();
    assert_eq!(there, "/parked/rep_7/reprocess?did=req_1");
    has(
        &page(&there).await,
        &["Ana put it back in line as it is written"],
    );
}

#[tokio::test]
async fn a_check_that_refuses_says_first_that_nothing_was_sent() {
    let fields = [
        ("choice", "send"),
        ("generation", "1"),
        ("request_id", "req_1"),
    ];
    let answer = ask(post(ADDRESS, Role::Operator, &fields)).await;
    let there = answer.header(header::LOCATION).to_owned();
    assert_eq!(there, "/parked/rep_7/reprocess?no=refused&what=same_text");
    has(
        &page(&there).await,
        &["Nothing was sent: a check speaks against it (same text)."],
    );
}

#[tokio::test]
async fn a_second_operator_learns_who_was_faster() {
    let fields = [
        ("choice", "send"),
        ("generation", "0"),
        ("request_id", "req_2"),
    ];
    let answer = ask(post(ADDRESS, Role::Operator, &fields)).await;
    let there = answer.header(header::LOCATION).to_owned();
    has(
        &page(&there).await,
        &["Nothing was sent or changed: Ana was faster. It is now DELIVERED."],
    );
}

#[tokio::test]
async fn a_request_that_did_nothing_is_not_told_as_done() {
    let answer = page("/parked/rep_7/reprocess?did=req_9").await;
    has(&answer, &["Nothing was sent: this request did nothing."]);
}

#[tokio::test]
async fn a_form_without_its_parts_names_what_is_missing() {
    for (fields, missing) in [
        (vec![("choice", "sing")], "“sing” is not allowed for choice"),
        (vec![("choice", "send")], "Missing: generation"),
        (
            vec![("choice", "send"), ("generation", "1")],
            "Missing: request_id",
        ),
    ] {
        let answer = ask(post(ADDRESS, Role::Operator, &fields)).await;
        let there = answer.header(header::LOCATION).to_owned();
        has(&page(&there).await, &["Nothing was sent.", missing]);
    }
}

#[tokio::test]
async fn who_may_not_act_is_refused_by_the_server() {
    let fields = [
        ("choice", "send"),
        ("generation", "1"),
        ("request_id", "req_1"),
        ("overrule", "yes"),
    ];
    for role in [Role::Viewer, Role::Support] {
        let answer = ask(post(ADDRESS, role, &fields)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role:?}");
        assert!(answer.body.contains("Nothing was sent or changed"));
    }
}
