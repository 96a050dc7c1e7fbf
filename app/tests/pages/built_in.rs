//! The built-in calendar and mailbox.

use crate::{ask, get, has, page};
use axum::http::StatusCode;
use replygate_app::view::Role;

#[tokio::test]
async fn events_and_mails_are_shown_with_whose_they_are_and_which_call_made_them() {
    has(
        &page("/built-in").await,
        &[
            "Calendar and mailbox",
            "<tr id=\"act_1\">",
            "Stands",
            "<tr id=\"act_2\">",
            "Cancelled",
            "paula@example.org",
            "href=\"/sessions/ses_1\"",
            "Invoice F-7",
            "It is 100.",
            "rui@example.org",
            "href=\"/built-in?events=9.2\"",
        ],
    );
}

#[tokio::test]
async fn lists_are_narrowed_and_say_why_they_are_empty() {
    let narrowed = page("/built-in?channel=other").await;
    has(&narrowed, &["Nothing matches these filters."]);
    let further = page("/built-in?events=9.2&channel=shop").await;
    has(
        &further,
        &["There are no more.", "href=\"/built-in?channel=shop\""],
    );
}

#[tokio::test]
async fn whoever_may_not_see_texts_sees_none_and_may_name_nobody() {
    let answer = ask(get("/built-in", Some(Role::Viewer))).await;
    for text in ["Invoice F-7", "rui@example.org", "paula@example.org"] {
        assert!(!answer.body.contains(text), "{text}");
    }
    let answer = ask(get("/built-in?contact=Ana", Some(Role::Viewer))).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_list_of_duplicates_leads_there() {
    has(&page("/duplicates").await, &["href=\"/built-in\""]);
}
