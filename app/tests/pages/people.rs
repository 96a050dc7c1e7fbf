//! Who may use the console, and what they did.

use crate::{ask, get, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

#[tokio::test]
async fn the_log_tells_who_did_what_with_before_and_after() {
    let answer = page("/activity").await;
    has(
        &answer,
        &[
            "Ana",
            "Operator",
            "Reprocess",
            "href=\"/go?id=rep_7\"",
            "<del>PARKED, generation 1</del>",
            "<ins>PENDING, generation 2</ins>",
            "she called",
            "Done",
        ],
    );
    has(
        &page("/activity?by=eva").await,
        &["No entry matches these filters."],
    );
    has(
        &page("/activity?after=1").await,
        &["There are no older entries."],
    );
}

#[tokio::test]
async fn only_an_owner_sees_the_team() {
    let answer = page("/settings/team").await;
    has(
        &answer,
        &[
            "rui",
            "Has no password yet",
            "Reset password",
            "Invite somebody",
        ],
    );
    for role in [Role::Viewer, Role::Support, Role::Operator, Role::Admin] {
        let answer = ask(get("/settings/team", Some(role))).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role:?}");
        has(
            &answer,
            &["Not allowed for your role", "change people and roles"],
        );
        assert!(!answer.body.contains("rui"));
    }
}

#[tokio::test]
async fn a_link_is_shown_in_the_answer_and_in_no_address() {
    let fields = [("deed", "invite"), ("name", "eva"), ("role", "support")];
    let answer = ask(post("/settings/team", Role::Owner, &fields)).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header(header::LOCATION), "");
    has(
        &answer,
        &["Link for eva", "/first-run?token=t0ken", "shown only here"],
    );
    assert!(!page("/settings/team").await.body.contains("t0ken"));
}

#[tokio::test]
async fn the_last_owner_stays_one() {
    let fields = [("deed", "role"), ("name", "Marta"), ("role", "viewer")];
    let answer = ask(post("/settings/team", Role::Owner, &fields)).await;
    let there = answer.header(header::LOCATION).to_owned();
    has(
        &page(&there).await,
        &["Nothing was sent: a check speaks against it (last owner)."],
    );
}

#[tokio::test]
async fn who_may_not_change_the_team_is_refused_by_the_server() {
    for deed in ["invite", "reset", "role", "remove"] {
        let fields = [("deed", deed), ("name", "rui"), ("role", "owner")];
        let answer = ask(post("/settings/team", Role::Admin, &fields)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{deed}");
    }
}

#[tokio::test]
async fn a_first_password_is_set_for_whoever_was_invited() {
    let answer = ask(get("/first-run?token=t0ken", None)).await;
    has(&answer, &["account “rui”", "name=\"name\" value=\"rui\""]);
}

#[tokio::test]
async fn a_password_is_changed_by_whoever_knows_the_present_one() {
    let send = async |present: &str, new: &str, repeat: &str| {
        let fields = [("present", present), ("password", new), ("repeat", repeat)];
        let answer = ask(post("/settings/password", Role::Viewer, &fields)).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        answer.header(header::LOCATION).to_owned()
    };
    let good = "correct horse battery";
    assert_eq!(send("right", good, good).await, "/sign-in?why=changed");
    let wrong = send("guess", good, good).await;
    has(&page(&wrong).await, &["the present password is another"]);
    let differ = send("right", good, "another").await;
    has(&page(&differ).await, &["The two passwords differ."]);
}
