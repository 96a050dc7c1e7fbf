//! Hidden texts, and the way to see them.

use crate::{ask, get, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

#[tokio::test]
async fn what_is_hidden_is_shown_by_a_button_that_leads_back_to_the_page() {
    let answer = page("/sessions/ses_2?view=events").await;
    has(
        &answer,
        &[
            "action=\"/reveal\"",
            "name=\"of\" value=\"ses_2\"",
            "name=\"back\" value=\"/sessions/ses_2?view=events\"",
            "Show texts",
        ],
    );
    let shown = page("/sessions/ses_1").await;
    assert!(!shown.body.contains("action=\"/reveal\""));
}

#[tokio::test]
async fn whoever_may_not_see_texts_is_told_so_where_the_button_would_be() {
    for address in [
        "/sessions",
        "/messages",
        "/parked",
        "/duplicates",
        "/decisions",
    ] {
        let answer = ask(get(address, Some(Role::Viewer))).await;
        has(
            &answer,
            &[
                "<button type=\"submit\" disabled",
                "Your role may not see them.",
            ],
        );
    }
    let answer = ask(get("/reveal?of=messages", Some(Role::Viewer))).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    let answer = ask(post("/reveal", Role::Viewer, &[("of", "messages")])).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_reason_is_asked_for_on_a_page_that_says_what_will_be_shown() {
    let fields = [("of", "ses_2"), ("back", "/sessions/ses_2")];
    let asked = ask(post("/reveal", Role::Support, &fields)).await;
    let address = asked.header(header::LOCATION).to_owned();
    assert_eq!(address, "/reveal?of=ses_2&back=%2Fsessions%2Fses_2");
    has(
        &page(&address).await,
        &[
            "Show texts and contacts?",
            "Everything that was written in this session",
            "name=\"reason\" required",
            "<a href=\"/sessions/ses_2\">Keep hidden</a>",
        ],
    );
    let fields = [
        ("of", "ses_2"),
        ("back", "/sessions/ses_2"),
        ("reason", "she called"),
    ];
    let shown = ask(post("/reveal", Role::Support, &fields)).await;
    assert_eq!(shown.header(header::LOCATION), "/sessions/ses_2");
    assert_eq!(
        page("/reveal?of=everything").await.status,
        StatusCode::NOT_FOUND
    );
}
