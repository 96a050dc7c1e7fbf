//! What stands around lists: views, exports; and where a person is signed in.

use crate::{ask, get, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

#[tokio::test]
async fn views_stand_above_their_list_and_the_one_looked_at_is_marked() {
    let answer = page("/parked?age=2h").await;
    has(
        &answer,
        &[
            "<a href=\"/parked?age=2h\" aria-current=\"page\">Late ones</a>",
            "<a href=\"/parked?view=safe\">Safe to send</a>",
        ],
    );
    assert!(
        !answer.body.contains("Save this view"),
        "it is saved already"
    );
    let answer = page("/parked?why=lock_stuck").await;
    has(
        &answer,
        &[
            "Save this view",
            "name=\"address\" value=\"/parked?why=lock_stuck\"",
            "name=\"shared\" value=\"yes\"",
        ],
    );
    assert!(!page("/messages").await.body.contains("Late ones"));
}

#[tokio::test]
async fn a_view_leads_to_its_list_and_is_removed_on_the_page_of_all_views() {
    let answer = page("/views/late-ones").await;
    assert_eq!(answer.status, StatusCode::FOUND);
    assert_eq!(answer.header(header::LOCATION), "/parked?age=2h");
    assert_eq!(page("/views/none").await.status, StatusCode::NOT_FOUND);
    has(
        &page("/views").await,
        &["action=\"/views/late-ones\"", "Safe to send", "Everybody"],
    );
    let refused = ask(post("/views", Role::Support, &[("address", "/parked")])).await;
    let there = refused.header(header::LOCATION).to_owned();
    has(&page(&there).await, &["Missing: name (1 to 64 characters)"]);
    let fields = [("name", "x"), ("address", "/parked"), ("shared", "yes")];
    let viewer = ask(post("/views", Role::Viewer, &fields)).await;
    assert_eq!(viewer.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_list_is_exported_with_its_filter_by_whoever_may() {
    let answer = page("/messages?status=PARKED").await;
    has(&answer, &["href=\"/export/messages.csv?status=PARKED\""]);
    let answer = page("/operations/op_1?outcome=delivered").await;
    let link = "/export/outcomes.jsonl?operation=op_1&amp;outcome=delivered";
    has(&answer, &[link]);
    let viewer = ask(get("/messages", Some(Role::Viewer))).await;
    assert!(!viewer.body.contains("/export/"));
    has(&viewer, &["Your role may not export lists."]);
}

#[tokio::test]
async fn every_list_is_written_in_both_formats_with_a_cell_for_each_column() {
    for list in [
        "sessions",
        "messages",
        "parked",
        "duplicates",
        "decisions",
        "activity",
    ] {
        let answer = page(&format!("/export/{list}.jsonl")).await;
        assert_eq!(answer.status, StatusCode::OK, "{list}");
        let csv = page(&format!("/export/{list}.csv")).await.body;
        let columns = csv.lines().next().unwrap().split(',').count();
        for line in answer.body.lines() {
            assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
        }
        let first = answer.body.lines().next().unwrap();
        let row: serde_json::Value = serde_json::from_str(first).unwrap();
        assert_eq!(row.as_object().unwrap().len(), columns, "{list}");
    }
}

#[tokio::test]
async fn without_a_sign_in_nothing_is_exported() {
    let answer = ask(get("/export/messages.csv?status=PARKED", None)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let there = answer.header(header::LOCATION);
    assert_eq!(
        there,
        "/sign-in?next=%2Fexport%2Fmessages.csv%3Fstatus%3DPARKED"
    );
}

#[tokio::test]
async fn whoever_may_not_is_told_on_a_page_of_the_console_what_it_takes() {
    for answer in [
        ask(get("/export/messages.csv", Some(Role::Viewer))).await,
        ask(post(
            "/settings/team",
            Role::Viewer,
            &[("deed", "remove"), ("name", "rui")],
        ))
        .await,
    ] {
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        has(
            &answer,
            &[
                "<nav aria-label=\"Main\">",
                "Not allowed for your role",
                "That takes at least the role",
                "an owner can give it.",
                "href=\"/settings/me\"",
            ],
        );
    }
}

#[tokio::test]
async fn a_person_sees_where_they_are_signed_in_and_ends_it() {
    let answer = page("/settings/me").await;
    has(
        &answer,
        &[
            "Where you are signed in",
            "Firefox",
            "This one",
            "Another browser",
            "name=\"id\" value=\"bb\"",
            "End the other one",
        ],
    );
    assert!(!answer.body.contains("value=\"aa\""));
    let end = async |id: &str| {
        let fields = [("deed", "end"), ("id", id)];
        let answer = ask(post("/settings/sign-ins", Role::Viewer, &fields)).await;
        let there = answer.header(header::LOCATION).to_owned();
        page(&there).await
    };
    has(&end("bb").await, &["1 sign-in was ended."]);
    has(
        &end("zz").await,
        &["There is no such sign-in, or it is gone."],
    );
}
