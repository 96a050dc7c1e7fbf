//! The overview and the health page.

use crate::{has, page, visible};
use axum::http::StatusCode;

#[tokio::test]
async fn what_needs_a_person_is_a_way_to_it() {
    let answer = page("/").await;
    assert_eq!(answer.status, StatusCode::OK);
    has(
        &answer,
        &[
            "href=\"/parked?why=unknown\"",
            "1 reply may or may not have arrived",
            "href=\"/parked\"",
            "3 replies parked, the oldest parked 2 h ago",
        ],
    );
    assert!(!answer.body.contains("Nothing needs you"));
}

#[tokio::test]
async fn what_could_not_be_counted_in_time_is_told_without_its_number() {
    let answer = page("/?channel=crowded").await;
    has(
        &answer,
        &["Replies, too many to count in time, parked, the oldest parked 2 h ago"],
    );
}

#[tokio::test]
async fn where_nothing_needs_a_person_the_last_hour_is_told() {
    let answer = page("/?channel=calm").await;
    let told = "Nothing needs you. 1284 replies delivered in the last hour, median wait 2.9 s.";
    assert!(visible(&answer.body).contains(told), "{}", answer.body);
}

#[tokio::test]
async fn a_chart_says_what_it_shows_and_has_its_numbers_in_a_table() {
    let answer = page("/").await;
    has(
        &answer,
        &[
            "role=\"img\"",
            "39 replies, most of them at 23:50.",
            "height=\"85.8\" class=\"delivered\">",
            "<th scope=\"row\" class=\"number\">23:50</th><td class=\"number\">31</td>",
            "4 replies were merged",
        ],
    );
    assert!(!answer.body.contains("style="), "the policy forbids it");
}

#[tokio::test]
async fn a_range_that_is_none_is_named() {
    for address in ["/?from=yesterday", "/?from=now&to=now-1h"] {
        let answer = page(address).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{address}");
        assert!(
            answer.body.contains("not allowed for from"),
            "{}",
            answer.body
        );
    }
}

#[tokio::test]
async fn health_says_what_a_part_breaks() {
    let answer = page("/health").await;
    has(
        &answer,
        &[
            "Channel shop",
            "Look at it",
            "8 of its last 10 replies failed",
            "answers in 2 ms",
            "no answer since",
            ", version 7.2.4",
            "a console hears of its own process only",
            "2 locked by a holder that does not renew",
            "Replygate 1.2.3",
        ],
    );
}
