//! Channels: the list, the form of settings, versions and the way back.

use crate::{ask, get, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

#[tokio::test]
async fn the_list_says_how_each_channel_is_set_and_whether_it_works() {
    has(
        &page("/channels").await,
        &[
            "<a href=\"/channels/shop\">Shop</a>",
            "webchat",
            "1.2 s to 4 s",
            "href=\"/channels/shop/debounce\"",
            "Judge the reply against them",
            "after 0.6 s, 0.3 s, 0.6 s, 1.2 s, parked at 2.7 s",
            "href=\"/parked?channel=shop\"",
            "version 2",
            "never",
        ],
    );
}

#[tokio::test]
async fn a_setting_says_what_it_is_what_it_means_and_what_is_allowed() {
    has(
        &page("/channels/shop").await,
        &[
            "After a complete sentence",
            "<code>debounce.closed_ms</code>",
            "<b>1.2 s.</b>",
            "Allowed: 0 to 120000. If nobody sets it: 1200.",
            "<option value=\"at_most_once\" selected",
            "data-set=\"yes\"",
            "people pause longer here",
        ],
    );
}

#[tokio::test]
async fn versions_say_who_changed_what_and_lead_back() {
    has(
        &page("/channels/shop").await,
        &[
            "<code>debounce.neutral_ms</code>",
            "<del>2500</del>",
            "<ins>3000</ins>",
            "Roll back to version 1",
            "href=\"/channels/shop/versions/1\"",
        ],
    );
    has(
        &page("/channels/shop/versions/1").await,
        &[
            "Channel Shop, version 1",
            "What a way back from version 2 to 1 changes",
            "<del>3000</del>",
            "<ins>2500</ins>",
            "name=\"base\" value=\"2\"",
        ],
    );
    let missing = page("/channels/shop/versions/9").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
    assert_eq!(page("/channels/attic").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_saved_version_is_told_and_one_that_was_overtaken_too() {
    let fields = [
        ("deed", "save"),
        ("base", "2"),
        ("request_id", "req_1"),
        ("debounce.closed_ms", "900"),
        ("reason", "they are quick"),
    ];
    let answer = ask(post("/channels/shop", Role::Admin, &fields)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
    assert_eq!(answer.header(header::LOCATION), "/channels/shop?saved=3");
    has(
        &page("/channels/shop?saved=2").await,
        &["Version 2 is in force from the next message on."],
    );
    has(
        &page("/channels/shop?saved=1").await,
        &["Version 1 was saved. Meanwhile version 2 is in force."],
    );
}

#[tokio::test]
async fn a_refused_form_names_key_value_and_what_is_allowed_and_keeps_what_was_typed() {
    let fields = [
        ("deed", "save"),
        ("base", "2"),
        ("request_id", "req_1"),
        ("debounce.closed_ms", "soon"),
        ("debounce.neutral_ms", "2750"),
        ("reason", "a try"),
    ];
    let answer = ask(post("/channels/shop", Role::Admin, &fields)).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    has(
        &answer,
        &[
            "Nothing was sent. “soon” is not allowed for debounce.closed_ms. Allowed: 0 to 120000.",
            "value=\"soon\"",
            "aria-invalid=\"true\"",
            "value=\"2750\"",
            "value=\"a try\"",
        ],
    );
}

#[tokio::test]
async fn a_form_on_an_old_version_does_nothing_and_says_who_was_faster() {
    let fields = [("deed", "save"), ("base", "1"), ("request_id", "req_1")];
    let answer = ask(post("/channels/shop", Role::Admin, &fields)).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    has(&answer, &["Ana was faster. It is now version 2."]);
}

#[tokio::test]
async fn a_way_back_is_a_new_version() {
    let fields = [
        ("deed", "roll_back"),
        ("base", "2"),
        ("to", "1"),
        ("request_id", "req_1-1"),
    ];
    let answer = ask(post("/channels/shop", Role::Admin, &fields)).await;
    assert_eq!(answer.header(header::LOCATION), "/channels/shop?saved=3");
}

#[tokio::test]
async fn who_may_not_save_settings_is_refused_by_the_server_and_told_beforehand() {
    for role in [Role::Viewer, Role::Support, Role::Operator] {
        for deed in ["save", "roll_back"] {
            let fields = [
                ("deed", deed),
                ("base", "2"),
                ("to", "1"),
                ("request_id", "r"),
            ];
            let answer = ask(post("/channels/shop", role, &fields)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role:?} {deed}");
        }
        let seen = ask(get("/channels/shop", Some(role))).await;
        has(
            &seen,
            &["Your role may not save settings. That takes at least the role Admin"],
        );
    }
}
