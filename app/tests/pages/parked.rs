//! The inbox, and the page on which one reply is decided.

use crate::{ask, get, has, page};
use axum::http::StatusCode;
use replygate_app::view::Role;

#[tokio::test]
async fn the_inbox_says_why_and_what_happened_since() {
    let answer = page("/parked").await;
    has(
        &answer,
        &[
            "href=\"/parked/rep_7/reprocess\"",
            "the channel could not be reached",
            "http_503",
            "2 newer messages",
            "Came back once",
            "10 min ago",
            "1 reply waits for a person",
        ],
    );
}

#[tokio::test]
async fn reasons_are_tabs_with_counts() {
    let answer = page("/parked?why=channel_failed").await;
    has(
        &answer,
        &["href=\"/parked?why=channel_failed\" aria-current=\"page\""],
    );
    has(
        &answer,
        &["the channel could not be reached <span class=\"number\">1</span>"],
    );
    let none = page("/parked?why=lock_stuck").await;
    has(&none, &["No parked reply matches these filters."]);
}

#[tokio::test]
async fn an_unknown_reason_is_named_with_those_that_exist() {
    let answer = page("/parked?why=bored").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    has(
        &answer,
        &[
            "“bored” is not allowed for why",
            "lock_stuck, channel_refused",
        ],
    );
}

#[tokio::test]
async fn a_reply_is_decided_on_a_page_with_checks_and_choices() {
    let answer = page("/parked/rep_7/reprocess").await;
    has(
        &answer,
        &[
            "Reprocess this reply?",
            "The same text reached this customer",
            "Against it",
            "Usual here: Discard.",
            "Send as written",
            "Ask the agent again",
            "Keep parked",
            "name=\"generation\" value=\"1\"",
            "name=\"request_id\" value=\"req_1\"",
            "name=\"overrule\"",
        ],
    );
    assert!(
        !answer.body.contains("It was delivered"),
        "only for an unknown outcome"
    );
}

#[tokio::test]
async fn a_reply_that_no_longer_waits_offers_no_choice_and_says_who_decided() {
    let answer = page("/parked/rep_8/reprocess").await;
    has(
        &answer,
        &[
            "This reply no longer waits",
            "Ana sent it again",
            "Delivered",
        ],
    );
    assert!(!answer.body.contains("name=\"choice\""));
}

#[tokio::test]
async fn who_may_not_act_sees_why_the_buttons_do_nothing() {
    let body = ask(get("/parked/rep_7/reprocess", Some(Role::Support)))
        .await
        .body;
    assert!(body.contains(
        "Your role may not act on a reply or a session. That takes at least the role Operator"
    ));
    let buttons: Vec<_> = body.split("name=\"choice\"").skip(1).collect();
    assert_eq!(buttons.len(), 3);
    for button in buttons {
        assert!(button.split('>').next().unwrap().contains("disabled"));
    }
}
