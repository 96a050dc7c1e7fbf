//! Avoided duplicates: the list, both calls side by side, verdicts, leave for one more, and unknown calls.

use crate::{ask, get, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

#[tokio::test]
async fn the_list_says_why_a_call_was_held_back_and_what_differs() {
    has(
        &page("/duplicates").await,
        &[
            "href=\"/duplicates/dup_1\"",
            "create_event",
            "Done 12 s before",
            "title, start",
            "<code>end</code>",
            "No verdict",
            "Nobody knows whether these calls happened",
            "action=\"/duplicates/calls/act_9\"",
        ],
    );
    has(
        &page("/duplicates?verdict=right").await,
        &["No avoided duplicate matches these filters."],
    );
    let unknown = page("/duplicates?verdict=maybe").await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn both_calls_stand_side_by_side_with_what_the_agent_was_told_and_said() {
    let answer = page("/duplicates/dup_1").await;
    has(
        &answer,
        &[
            "10 min, 9 min 48 s left then",
            "&lt;script&gt;alert(",
            "ignored <strong>differs</strong>",
            "not given",
            "by the recipe calendar",
            "This event exists already.",
            "It is booked.",
            "href=\"/sessions/ses_1\"",
            "Wrong: wanted again",
        ],
    );
    assert_eq!(
        page("/duplicates/dup_2").await.status,
        StatusCode::NOT_FOUND
    );
    let viewer = ask(get("/duplicates/dup_1", Some(Role::Viewer))).await;
    for text in ["alert(", "It is booked.", "psicologia"] {
        assert!(!viewer.body.contains(text), "{text}");
    }
}

#[tokio::test]
async fn a_verdict_leave_and_a_settlement_are_told() {
    for (address, fields, there) in [
        (
            "/duplicates/dup_1",
            &[("deed", "verdict"), ("opinion", "right")][..],
            "/duplicates/dup_1?done=verdict",
        ),
        (
            "/duplicates/dup_1",
            &[
                ("deed", "allow_once"),
                ("reason", "a second one for her mother"),
            ][..],
            "/duplicates/dup_1?done=allow_once",
        ),
        (
            "/duplicates/calls/act_9",
            &[("outcome", "done"), ("reason", "it is in the outbox")][..],
            "/duplicates?done=settle",
        ),
    ] {
        let fields: Vec<_> = fields
            .iter()
            .copied()
            .chain([("request_id", "req_1")])
            .collect();
        let answer = ask(post(address, Role::Admin, &fields)).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert_eq!(answer.header(header::LOCATION), there);
        has(&page(there).await, &["class=\"notice done\""]);
    }
}

#[tokio::test]
async fn what_is_missing_is_named() {
    let fields = [("deed", "allow_once"), ("request_id", "req_1")];
    let answer = ask(post("/duplicates/dup_1", Role::Admin, &fields)).await;
    let there = answer.header(header::LOCATION).to_owned();
    has(
        &page(&there).await,
        &["Nothing was sent. Missing: reason (why)."],
    );
    let fields = [
        ("deed", "verdict"),
        ("opinion", "great"),
        ("request_id", "r"),
    ];
    let answer = ask(post("/duplicates/dup_1", Role::Admin, &fields)).await;
    let there = answer.header(header::LOCATION).to_owned();
    has(&page(&there).await, &["“great” is not allowed for opinion"]);
}

#[tokio::test]
async fn each_deed_is_refused_to_roles_that_may_not() {
    let deeds = [
        ("/duplicates/dup_1", "verdict", &[Role::Viewer][..]),
        (
            "/duplicates/dup_1",
            "allow_once",
            &[Role::Viewer, Role::Support, Role::Operator][..],
        ),
        (
            "/duplicates/calls/act_9",
            "",
            &[Role::Viewer, Role::Support][..],
        ),
    ];
    for (address, deed, roles) in deeds {
        for role in roles {
            let fields = [
                ("deed", deed),
                ("opinion", "right"),
                ("outcome", "done"),
                ("reason", "x"),
                ("request_id", "r"),
            ];
            let answer = ask(post(address, *role, &fields)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role:?} {deed}");
        }
    }
}
