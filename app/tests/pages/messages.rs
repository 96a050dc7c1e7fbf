//! The list of messages and a message's page.

use crate::{ask, get, has, page};
use axum::http::StatusCode;
use replygate_app::view::Role;

#[tokio::test]
async fn the_list_is_complete_without_scripts() {
    let answer = page("/messages").await;
    assert_eq!(answer.status, StatusCode::OK);
    has(
        &answer,
        &[
            "href=\"/messages/msg_1\"",
            "href=\"/sessions/ses_1\"",
            "Waits for a turn",
            "Delivered",
            "2.9 s",
            "Merge",
            "2 of 2 messages, newest first",
        ],
    );
}

#[tokio::test]
async fn a_term_filters_like_the_field_of_its_name() {
    for address in [
        "/messages?q=status%3Adelivered",
        "/messages?status=DELIVERED",
    ] {
        let body = page(address).await.body;
        assert!(body.contains("id=\"msg_1\""), "{address}");
        assert!(!body.contains("id=\"msg_2\""), "{address}");
        assert!(body.contains("Clear filters"), "{address}");
    }
}

#[tokio::test]
async fn an_unknown_term_is_named_below_its_field_which_keeps_what_was_typed() {
    let answer = page("/messages?q=statu%3ADELIVERED%20pix").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    has(
        &answer,
        &[
            "“statu:DELIVERED” is not allowed for q",
            "channel: status: decision: from: to:",
            "value=\"statu:DELIVERED pix\"",
            "aria-invalid=\"true\"",
            "aria-describedby=\"q-hint\"",
        ],
    );
    assert!(!answer.body.contains("<table"));
}

#[tokio::test]
async fn a_search_that_took_too_long_keeps_its_filter_and_says_what_to_narrow() {
    let answer = page("/messages?q=everything").await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    has(
        &answer,
        &[
            "took longer than 2 seconds",
            "Nothing was sent or changed",
            "one channel, a shorter time",
            "value=\"everything\"",
        ],
    );
}

#[tokio::test]
async fn a_search_that_stopped_early_says_how_far_it_came_and_goes_on() {
    let answer = page("/messages?q=rare").await;
    has(
        &answer,
        &[
            "Searched back to 2024-02-29 00:00:00 UTC. “Older” goes on from there.",
            "after=1709164800000.1",
        ],
    );
}

#[tokio::test]
async fn a_range_of_time_is_told_in_full() {
    let answer = page("/messages?from=now-1h").await;
    has(
        &answer,
        &["From 2024-02-29 23:00:00 UTC to 2024-03-01 00:00:00 UTC"],
    );
    let wrong = page("/messages?from=yesterday").await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    has(&wrong, &["“yesterday” is not allowed for from"]);
}

#[tokio::test]
async fn nothing_matches_is_told_apart_from_nothing_yet() {
    has(
        &page("/messages?status=EXPIRED").await,
        &["No message matches these filters."],
    );
}

#[tokio::test]
async fn a_message_that_is_gone_is_404() {
    let answer = page("/messages/msg_9").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    has(&answer, &["There is no such message, or it is gone."]);
}

#[tokio::test]
async fn a_message_shows_its_way_its_replies_and_what_happened() {
    let answer = page("/messages/msg_1").await;
    has(
        &answer,
        &[
            "The way of its reply",
            "aria-current=\"step\"",
            "id=\"r-rep_4\"",
            "window opened",
            "href=\"/sessions/ses_1#m-msg_1\"",
            "href=\"/duplicates/dup_1\"",
            "Done 12 s before",
        ],
    );
}

#[tokio::test]
async fn a_viewer_reads_no_text_on_a_messages_page() {
    for address in ["/messages", "/messages/msg_1"] {
        let body = ask(get(address, Some(Role::Viewer))).await.body;
        assert!(!body.contains("alert("), "{address}");
        assert!(body.contains("characters"), "{address}");
    }
}
