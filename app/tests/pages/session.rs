//! A session's page: its three views, what is held and why, and what a person may do.

use crate::{ask, get, has, page, post, visible};
use axum::http::{StatusCode, header};
use replygate_app::view::{Role, StatusWord};
use replygate_app::words::words;

#[tokio::test]
async fn a_session_shows_every_status_with_its_word_and_its_stored_name() {
    let answer = page("/sessions/ses_1").await;
    assert_eq!(answer.status, StatusCode::OK);
    let body = visible(&answer.body);
    for status in StatusWord::ALL {
        assert!(body.contains((words().domain.status)(status)), "{status:?}");
        assert!(
            body.contains(&format!("data-status=\"{}\"", status.stored())),
            "{status:?}"
        );
    }
    for part in [
        "the agent failed",
        "Cancel (evaluator rules, 94 % sure)",
        "edited",
        "1 of 2 parts sent",
        "Not sent:",
        "It comes by bicycle.",
    ] {
        assert!(body.contains(part), "{part} is missing in {body}");
    }
}

#[tokio::test]
async fn a_conversation_reads_from_old_to_new() {
    let body = page("/sessions/ses_1").await.body;
    let place = |id: &str| body.find(&format!("id=\"{id}\"")).unwrap();
    assert!(place("m-msg_1") < place("r-rep_1"));
    assert!(place("r-rep_1") < place("r-rep_10"));
}

#[tokio::test]
async fn the_three_views_are_addresses_of_their_own() {
    let events = page("/sessions/ses_1?view=events").await;
    has(
        &events,
        &["window opened", "<b>dangling</b>", "id=\"e-evt_1\""],
    );
    let timeline = page("/sessions/ses_1?view=timeline").await;
    has(
        &timeline,
        &[
            "class=\"lanes\"",
            "data-span=\"cancelled\"",
            "<td>Debounce</td>",
            "4.0 s",
        ],
    );
    let conversation = page("/sessions/ses_1").await;
    for other in ["class=\"lanes\"", "window opened"] {
        assert!(!visible(&conversation.body).contains(other), "{other}");
    }
    let unknown = page("/sessions/ses_1?view=dreams").await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    has(&unknown, &["“dreams” is not allowed for view"]);
}

#[tokio::test]
async fn what_is_held_says_why_and_since_when() {
    let answer = page("/sessions/ses_1").await;
    has(
        &answer,
        &[
            "data-hold=\"newer-messages\"",
            "Held: newer messages",
            "since <time",
            "2 s ago",
            "A verdict on the newer messages lets it go",
            "value=\"release_hold\"",
            "href=\"/parked/rep_7/reprocess\"",
        ],
    );
}

#[tokio::test]
async fn only_whoever_took_over_can_write() {
    let mine = page("/sessions/ses_2").await;
    has(
        &mine,
        &[
            "name=\"text\"",
            "value=\"hand_back\"",
            "Take off the lock of crm",
        ],
    );
    let others = page("/sessions/ses_3").await;
    has(&others, &["Only Ana can write or hand back."]);
    for address in ["/sessions/ses_1", "/sessions/ses_3"] {
        assert!(
            !page(address).await.body.contains("name=\"text\""),
            "{address}"
        );
    }
    let free = page("/sessions/ses_1").await;
    has(&free, &["value=\"take_over\""]);
}

#[tokio::test]
async fn a_deed_on_a_session_leads_to_what_it_did() {
    for (deed, told) in [
        ("take_over", "Ana took the session over"),
        ("say", "Ana wrote to the customer"),
        ("hand_back", "Ana handed the session back to the agent"),
        ("unlock", "Ana took the lock off"),
        ("release_hold", "Ana let held replies go"),
    ] {
        let request = format!("req_1-{deed}");
        let fields = [
            ("deed", deed),
            ("request_id", request.as_str()),
            ("text", "Hello, this is Marta."),
            ("holder", "crm"),
            ("token", "1.crm"),
        ];
        let answer = ask(post("/sessions/ses_2", Role::Operator, &fields)).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{deed}");
        let there = answer.header(header::LOCATION).to_owned();
        assert_eq!(there, format!("/sessions/ses_2?did={request}"));
        has(&page(&there).await, &[told]);
    }
}

#[tokio::test]
async fn a_deed_that_did_nothing_says_so_first_and_why() {
    let say = [("deed", "say"), ("request_id", "req_1-say"), ("text", " ")];
    let late = [("deed", "take_over"), ("request_id", "req_1-take_over")];
    let stale = [
        ("deed", "unlock"),
        ("request_id", "req_1-unlock"),
        ("holder", "crm"),
        ("token", "0.crm"),
    ];
    for (address, fields, told) in [
        (
            "/sessions/ses_2",
            &say[..],
            "Nothing was sent. Missing: text",
        ),
        (
            "/sessions/ses_3",
            &late[..],
            "Nothing was sent or changed: Ana was faster.",
        ),
        (
            "/sessions/ses_2",
            &stale[..],
            "Nothing was sent or changed: crm was faster.",
        ),
        (
            "/sessions/ses_2",
            &[("deed", "sing"), ("request_id", "r")][..],
            "“sing” is not allowed for deed",
        ),
        (
            "/sessions/ses_2",
            &[("deed", "take_over")][..],
            "Missing: request_id",
        ),
    ] {
        let answer = ask(post(address, Role::Operator, fields)).await;
        let there = answer.header(header::LOCATION).to_owned();
        has(&page(&there).await, &[told]);
    }
}

#[tokio::test]
async fn the_server_refuses_deeds_on_a_session_to_whoever_may_not_act() {
    for role in [Role::Viewer, Role::Support] {
        for deed in ["take_over", "say", "hand_back", "unlock", "release_hold"] {
            let fields = [("deed", deed), ("request_id", "req_1"), ("text", "Hello")];
            let answer = ask(post("/sessions/ses_1", role, &fields)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role:?} {deed}");
        }
        let seen = ask(get("/sessions/ses_1", Some(role))).await;
        has(&seen, &["Your role may not act on a session."]);
    }
}
