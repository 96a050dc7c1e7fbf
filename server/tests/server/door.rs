//! First link, sign-in, sign-out, and what is refused.

use reqwest::Method;
use reqwest::header::COOKIE;

use crate::house::{House, QUICK, cookie, location};

const PASSWORD: &str = "correct horse battery";

#[tokio::test(flavor = "multi_thread")]
async fn the_first_link_sets_the_password_once() {
    let house = House::open(QUICK).await;
    let token = house.running.first_run().unwrap().to_owned();
    let set = |password: &'static str, repeat: &'static str| {
        [
            ("token", token.clone()),
            ("password", password.to_owned()),
            ("repeat", repeat.to_owned()),
        ]
    };
    for (password, repeat, why) in [
        ("short", "short", "short"),
        (PASSWORD, "another horse battery", "differ"),
    ] {
        let fields = set(password, repeat);
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let response = house.form("/first-run", "", &fields).await;
        assert!(location(&response).ends_with(&format!("why={why}")));
    }
    let inside = house.enter_first(PASSWORD).await;
    assert!(house.is_inside(&inside).await);
    let fields = set(PASSWORD, PASSWORD);
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let again = house.form("/first-run", "", &fields).await;
    assert!(location(&again).ends_with("why=used"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_and_out() {
    let house = House::open(QUICK).await;
    house.enter_first(PASSWORD).await;
    let fields = [
        ("name", "Admin"),
        ("password", PASSWORD),
        ("next", "/sessions?state=idle"),
    ];
    let response = house.form("/sign-in", "", &fields).await;
    assert_eq!(location(&response), "/sessions?state=idle");
    let inside = cookie(&response);
    assert!(house.is_inside(&inside).await);
    let response = house.form("/sign-out", &inside, &[]).await;
    assert_eq!(location(&response), "/sign-in");
    assert!(!house.is_inside(&inside).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_back_never_leads_to_another_site() {
    let house = House::open(QUICK).await;
    house.enter_first(PASSWORD).await;
    for next in [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "",
    ] {
        let fields = [("name", "admin"), ("password", PASSWORD), ("next", next)];
        let response = house.form("/sign-in", "", &fields).await;
        assert_eq!(location(&response), "/sessions", "{next}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_is_slowed_down_and_tells_nothing_about_names() {
    let house = House::open(QUICK).await;
    house.enter_first(PASSWORD).await;
    for name in ["admin", "nobody"] {
        let fields = [("name", name), ("password", "wrong horse battery")];
        for _ in 0..5 {
            let response = house.form("/sign-in", "", &fields).await;
            assert_eq!(location(&response), "/sign-in?why=refused");
        }
        let right = [("name", name), ("password", PASSWORD)];
        let response = house.form("/sign-in", "", &right).await;
        assert_eq!(location(&response), "/sign-in?why=throttled");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_page_cannot_act_with_somebodys_cookie() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    for (name, value) in [
        ("origin", "http://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ] {
        for path in [
            "/sign-out",
            "/sign-in",
            "/api/sessions/list",
            "/chat/demo/messages",
        ] {
            let request = house.request(Method::POST, path).header(COOKIE, &inside);
            let response = request.header(name, value).send().await.unwrap();
            assert_eq!(response.status(), 403, "{path} {name}");
        }
    }
    assert!(house.is_inside(&inside).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_sign_in_pages_lead_to_the_door_and_the_stream_is_closed() {
    let house = House::open(QUICK).await;
    let request = house
        .request(Method::GET, "/sessions")
        .header("accept", "text/html");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 302);
    assert_eq!(response.headers()["location"], "/sign-in?next=%2Fsessions");
    let stream = house.get("/events/stream?topics=sessions").await;
    assert_eq!(stream.status(), 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_asks_for_a_page_is_told_that_nobody_is_signed_in() {
    let house = House::open(QUICK).await;
    let response = house.get("/sessions").await;
    assert_eq!(response.status(), 401);
    let told: serde_json::Value = response.json().await.unwrap();
    assert_eq!(told["error"], "not_signed_in");
    // What needs no sign-in is there for everybody.
    assert_eq!(house.get("/sign-in").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_the_password_and_the_sign_in() {
    let house = House::open(QUICK).await;
    let inside = house.enter_first(PASSWORD).await;
    let house = house.reopen(QUICK).await;
    assert!(house.running.first_run().is_none());
    assert!(house.is_inside(&inside).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unused_first_link_survives_a_restart_beside_the_new_one() {
    let house = House::open(QUICK).await;
    let token = house.running.first_run().unwrap().to_owned();
    let house = house.reopen(QUICK).await;
    assert_ne!(house.running.first_run().unwrap(), token);
    let fields = [
        ("token", token.as_str()),
        ("password", PASSWORD),
        ("repeat", PASSWORD),
    ];
    let response = house.form("/first-run", "", &fields).await;
    assert_eq!(location(&response), "/sessions");
}
