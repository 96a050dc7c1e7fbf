//! What stands around every page, and how one person wants to read.

use crate::fake::ZONE;
use crate::{ask, get, has, page, post};
use axum::http::{StatusCode, header};
use replygate_app::view::Role;

#[tokio::test]
async fn the_navigation_marks_the_section_of_the_page() {
    for (address, section) in [
        ("/sessions/ses_1", "/sessions"),
        ("/messages/msg_1", "/messages"),
        ("/parked/rep_7/reprocess", "/parked"),
    ] {
        let body = page(address).await.body;
        let (masthead, _) = body.split_once("</header>").unwrap();
        let current: Vec<&str> = masthead.split("aria-current=\"page\"").collect();
        assert_eq!(current.len(), 2, "{address}");
        let tag = current[0].rsplit("<a ").next().unwrap();
        assert!(
            tag.contains(&format!("href=\"{section}\"")),
            "{address}: {tag}"
        );
    }
}

#[tokio::test]
async fn a_stranger_sees_no_navigation() {
    let body = ask(get("/sign-in", None)).await.body;
    assert!(!body.contains("<nav"));
    assert!(!body.contains("action=\"/go\""));
}

#[tokio::test]
async fn theme_and_density_are_written_by_the_server() {
    let mut request = get("/sessions", Some(Role::Admin));
    let cookies = "rg-theme=dark; rg-density=compact; rg-keys=off";
    request
        .headers_mut()
        .insert(header::COOKIE, cookies.parse().unwrap());
    let answer = ask(request).await;
    has(
        &answer,
        &[
            "data-theme=\"dark\"",
            "data-density=\"compact\"",
            "data-keys=\"off\"",
        ],
    );
    assert!(
        !answer.body.contains("id=\"keys\""),
        "no list of keys that do nothing"
    );
    let usual = page("/sessions").await.body;
    assert!(!usual.contains("data-theme"));
    assert!(usual.contains("id=\"keys\""));
}

#[tokio::test]
async fn times_are_those_of_the_readers_place() {
    let mut request = get("/sessions", Some(Role::Admin));
    let cookie = format!("rg-here={ZONE}");
    request
        .headers_mut()
        .insert(header::COOKIE, cookie.parse().unwrap());
    let answer = ask(request).await;
    has(&answer, &["This screen is from 2024-02-29 21:00:00 UTC-3"]);
    has(&page("/sessions").await, &["2024-03-01 00:00:00 UTC"]);
}

#[tokio::test]
async fn wishes_are_kept_in_cookies_and_unknown_ones_are_not() {
    let fields = [
        ("theme", "dark"),
        ("density", "enormous"),
        ("zone", ZONE),
        ("shortcuts", "on"),
    ];
    let answer = ask(post("/settings/me", Role::Viewer, &fields)).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let cookies: Vec<_> = answer
        .headers
        .get_all(header::SET_COOKIE)
        .iter()
        .map(|cookie| cookie.to_str().unwrap())
        .collect();
    assert!(
        cookies
            .iter()
            .any(|cookie| cookie.starts_with("rg-theme=dark;"))
    );
    assert!(
        cookies
            .iter()
            .any(|cookie| cookie.starts_with("rg-density=; Path=/; Max-Age=0"))
    );
    let zone = format!("rg-zone={ZONE};");
    assert!(
        cookies.iter().any(|cookie| cookie.starts_with(&zone)),
        "{cookies:?}"
    );
    assert!(
        cookies
            .iter()
            .any(|cookie| cookie.starts_with("rg-keys=on;"))
    );
}

#[tokio::test]
async fn the_own_settings_say_what_the_role_may() {
    let answer = ask(get("/settings/me", Some(Role::Support))).await;
    has(
        &answer,
        &[
            "Marta, Support",
            "see texts and contacts",
            "save settings",
            "not allowed",
        ],
    );
}

#[tokio::test]
async fn an_id_leads_to_its_page_and_an_unknown_one_nowhere() {
    let found = page("/go?id=ses_1").await;
    assert_eq!(found.status, StatusCode::FOUND);
    assert_eq!(found.header(header::LOCATION), "/sessions/ses_1");
    let lost = page("/go?id=xyz").await;
    assert_eq!(lost.status, StatusCode::NOT_FOUND);
    has(&lost, &["Nothing here"]);
}

#[tokio::test]
async fn a_screen_on_a_wall_loads_itself_again() {
    let wall = page("/sessions?refresh=30").await;
    assert_eq!(wall.header(header::REFRESH), "30");
    for address in ["/sessions", "/sessions?refresh=0", "/sessions?refresh=x"] {
        assert_eq!(page(address).await.header(header::REFRESH), "", "{address}");
    }
}

#[tokio::test]
async fn only_live_pages_are_taken_over_by_the_browser_half() {
    for (address, is_live) in [
        ("/sessions", true),
        ("/messages", true),
        ("/parked", true),
        ("/sessions?state=asleep", false),
        ("/sign-in", false),
        ("/settings/me", false),
        ("/messages/msg_1", false),
        ("/nowhere", false),
    ] {
        let body = page(address).await.body;
        let carries_data = body.contains(r#"<script type="application/json" id="opened" "#);
        assert_eq!(carries_data, is_live, "{address}");
    }
}

#[tokio::test]
async fn what_a_live_page_carries_along_ends_where_its_element_ends() {
    for address in ["/sessions", "/messages", "/sessions/ses_1"] {
        let body = page(address).await.body;
        let carrier = body.split_once("id=\"opened\"").unwrap().1;
        let data = carrier.split_once('>').unwrap().1;
        let data = data.split_once("</script>").unwrap().0;
        assert!(!data.contains('<'), "{address}");
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert!(data["live"].is_object(), "{address}");
    }
}

#[tokio::test]
async fn a_plain_page_leads_a_stranger_to_the_sign_in_and_back() {
    let answer = ask(get("/settings/me", None)).await;
    assert_eq!(answer.status, StatusCode::FOUND);
    assert_eq!(
        answer.header(header::LOCATION),
        "/sign-in?next=%2Fsettings%2Fme"
    );
}

#[tokio::test]
async fn a_form_of_a_stranger_does_nothing() {
    let mut request = post("/settings/me", Role::Owner, &[("theme", "dark")]);
    request.extensions_mut().clear();
    let answer = ask(request).await;
    assert_eq!(answer.header(header::LOCATION), "/sign-in");
    assert!(answer.headers.get(header::SET_COOKIE).is_none());
}
