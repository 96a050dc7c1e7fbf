//! The debounce lab as the server makes it: without scripts everything works by its form.

use crate::{ask, get, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

#[tokio::test]
async fn a_sentence_is_explained_by_the_rule_and_the_characters_that_decided() {
    has(
        &page("/channels/shop/debounce?script=0s+quero+duas+pizzas+e%0A5s+uma+coca").await,
        &[
            "Unfinished",
            "the last word asks for another one",
            "<mark>e</mark>",
            "4.0 s",
            "In force: 2 turns. Proposed: 2 turns. Fixed 3 s: 2 turns.",
            "Version 2 is in force, by Ana",
        ],
    );
}

#[tokio::test]
async fn a_proposed_setting_is_played_beside_the_one_in_force() {
    let address = "/channels/shop/debounce?debounce.dangling_ms=6000&script=0s+quero+duas+pizzas+e%0A5s+uma+coca";
    has(
        &page(address).await,
        &[
            "<del>4.0 s</del> <ins>6.0 s</ins>",
            "In force: 2 turns. Proposed: 1 turn.",
            "debounce.dangling_ms: 4000 → 6000",
            "In force: 4000.",
            "People repeat themselves after about 5 s",
        ],
    );
}

#[tokio::test]
async fn a_value_that_is_not_allowed_is_named_and_nothing_is_replayed() {
    let answer = page("/channels/shop/debounce?debounce.closed_ms=soon&replay=24h").await;
    has(
        &answer,
        &[
            "Not allowed. Allowed: 0 to 120000 milliseconds.",
            "value=\"soon\"",
            "aria-invalid=\"true\"",
        ],
    );
    assert!(!answer.body.contains("messages were replayed"));
    let unknown = page("/channels/shop/debounce?replay=1y").await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    has(
        &unknown,
        &["“1y” is not allowed for replay", "24h, 7d, newest"],
    );
}

#[tokio::test]
async fn a_replay_says_what_changes_and_what_it_cannot_know() {
    has(
        &page("/channels/shop/debounce?debounce.closed_ms=3000&replay=24h").await,
        &[
            "3 messages were replayed. 1 was left out",
            "3 turns are few",
            "33.3 %",
            "−33.3 pt",
            "+1.8 s",
            "Answered together",
            "href=\"/sessions/ses_1?view=timeline\"",
            "What a replay cannot know",
        ],
    );
}

#[tokio::test]
async fn a_setting_that_was_tried_is_saved_and_told() {
    let fields = [
        ("base", "2"),
        ("request_id", "req_1"),
        ("debounce.closed_ms", "900"),
        ("script", "0s oi"),
        ("reason", "they are quick"),
    ];
    let answer = ask(post("/channels/shop/debounce", Role::Admin, &fields)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(
        answer.header(header::LOCATION),
        "/channels/shop/debounce?saved=3"
    );
    has(
        &page("/channels/shop/debounce?saved=2").await,
        &["Version 2 is in force from the next message on."],
    );
}

#[tokio::test]
async fn a_refused_setting_leads_back_with_everything_that_was_typed() {
    let fields = [
        ("base", "2"),
        ("request_id", "req_1"),
        ("debounce.closed_ms", "soon"),
        ("debounce.neutral_ms", "2750"),
        ("script", "0s oi tudo bem"),
    ];
    let answer = ask(post("/channels/shop/debounce", Role::Admin, &fields)).await;
    let there = answer.header(header::LOCATION).to_owned();
    has(
        &page(&there).await,
        &[
            "Nothing was sent. “soon” is not allowed for debounce.closed_ms.",
            "value=\"2750\"",
            "0s oi tudo bem",
        ],
    );
}

#[tokio::test]
async fn who_may_try_may_not_always_save_and_a_viewer_may_neither() {
    let fields = [
        ("base", "2"),
        ("request_id", "r"),
        ("debounce.closed_ms", "1"),
    ];
    for role in [Role::Viewer, Role::Support, Role::Operator] {
        let answer = ask(post("/channels/shop/debounce", role, &fields)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role:?}");
    }
    let support = ask(get("/channels/shop/debounce", Some(Role::Support))).await;
    has(&support, &["Your role may try settings and not save them."]);
    let viewer = ask(get("/channels/shop/debounce", Some(Role::Viewer))).await;
    assert_eq!(viewer.status, StatusCode::FORBIDDEN);
}
