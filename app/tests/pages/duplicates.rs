//! Avoided duplicates: the list, both calls side by side, verdicts, leave for one more, and unknown calls.

use crate::fake::ago;
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
            "psicologia · 15:00",
            "href=\"/sessions/ses_1\"",
            "Done 12 s before",
            "title + start",
            "adds <code>end</code>",
            "This event exists already.",
            "No verdict",
            "1 avoided duplicate",
            "1902 guarded tool calls ran in the last 14 days. 4 were held back, 2 of 1,000 calls. 1 of them was wanted again.",
            "Nobody knows whether these calls happened",
            "ana@example.org",
            "action=\"/duplicates/calls/act_9\"",
            "<option value=\"send_email\"",
            "href=\"/duplicates?verdict=none\"",
        ],
    );
}

#[tokio::test]
async fn the_list_is_narrowed_by_fields_and_terms_and_says_what_it_cannot_read() {
    for address in ["/duplicates?verdict=right", "/duplicates?q=verdict%3Aright"] {
        has(
            &page(address).await,
            &[
                "No avoided duplicate matches these filters.",
                "Clear filters",
            ],
        );
    }
    let answer = page("/duplicates?verdict=right&tool=old_tool").await;
    has(&answer, &["<option value=\"old_tool\" selected"]);
    for (address, wrong) in [
        (
            "/duplicates?verdict=maybe",
            "“maybe” is not allowed for verdict",
        ),
        (
            "/duplicates?q=psicologia",
            "“psicologia” is not allowed for q",
        ),
        ("/duplicates?from=soon", "“soon” is not allowed for from"),
    ] {
        let answer = page(address).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{address}");
        has(&answer, &[wrong, "aria-invalid=\"true\""]);
    }
}

#[tokio::test]
async fn the_stream_names_the_record_that_is_new_or_was_judged() {
    let answer = ask(get("/events/stream?topics=duplicates", Some(Role::Viewer))).await;
    let frame = "data: [{\"duplicate\":{\"id\":\"dup_1\"}}]";
    assert!(answer.body.contains(frame), "{}", answer.body);
}

#[tokio::test]
async fn a_viewer_sees_that_something_was_held_back_and_no_argument() {
    for address in ["/duplicates", "/duplicates/dup_1"] {
        let body = ask(get(address, Some(Role::Viewer))).await.body;
        assert!(body.contains("This event exists already."), "{address}");
        for text in [
            "alert(",
            "It is booked.",
            "psicologia",
            "ana@example",
            "Ana",
        ] {
            assert!(!body.contains(text), "{address}: {text}");
        }
    }
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
            "href=\"/sessions/ses_1#r-rep_4\"",
            "Wrong: wanted again",
            "Allow a tool call once: one call more",
            "unsure → should_have_run",
        ],
    );
    assert_eq!(
        page("/duplicates/dup_2").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_verdict_leave_and_a_settlement_are_told() {
    let seen = ago(20).0.to_string();
    let field = format!("name=\"seen\" value=\"{seen}\"");
    has(&page("/duplicates/dup_1").await, &[&field]);
    for (address, fields, there) in [
        (
            "/duplicates/dup_1",
            &[
                ("deed", "verdict"),
                ("opinion", "right"),
                ("seen", seen.as_str()),
            ][..],
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
            "/duplicates?settled=act_9",
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
async fn who_judges_what_another_judged_meanwhile_is_told() {
    for (seen, told) in [
        ("", "Rui was faster. It is now should_have_run"),
        ("7", "Rui was faster. It is now should_have_run"),
        ("now", "“now” is not allowed for seen"),
    ] {
        let fields = [
            ("deed", "verdict"),
            ("opinion", "right"),
            ("seen", seen),
            ("request_id", "r"),
        ];
        let answer = ask(post("/duplicates/dup_1", Role::Admin, &fields)).await;
        let there = answer.header(header::LOCATION).to_owned();
        has(&page(&there).await, &[told]);
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
