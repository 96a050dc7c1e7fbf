//! Views of lists that people save: private or for everybody, and the ready-made ones that nobody changes.

use replygate_app::view::Role;
use replygate_ports::activity::ActivityQuery;
use reqwest::header::{ACCEPT, COOKIE};
use reqwest::{Method, Response};

use crate::house::{House, QUICK, location};
use crate::roles::everybody;

async fn get(house: &House, cookie: &str, address: &str) -> Response {
    let request = house.request(Method::GET, address).header(COOKIE, cookie);
    request.header(ACCEPT, "text/html").send().await.unwrap()
}

async fn text(house: &House, cookie: &str, address: &str) -> String {
    get(house, cookie, address).await.text().await.unwrap()
}

/// Where `/views/{slug}` leads.
async fn leads(house: &House, cookie: &str, slug: &str) -> Option<String> {
    let answer = get(house, cookie, &format!("/views/{slug}")).await;
    if answer.status() == 404 {
        return None;
    }
    assert_eq!(answer.status(), 302, "{slug}");
    Some(answer.headers()["location"].to_str().unwrap().to_owned())
}

async fn save(house: &House, cookie: &str, name: &str, address: &str, shared: bool) -> Response {
    let mut fields = vec![("name", name), ("address", address)];
    if shared {
        fields.push(("shared", "yes"));
    }
    house.form("/views", cookie, &fields).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_view_is_its_owners_and_a_shared_one_everybodys() {
    let house = House::open(QUICK).await;
    let cookies = everybody(&house).await;
    let of = |role| &cookies.iter().find(|(own, _)| *own == role).unwrap().1;
    let (viewer, support) = (of(Role::Viewer), of(Role::Support));
    let address = "/messages?status=PARKED&q=4711";
    let answer = save(&house, support, "Parked, 4711", address, false).await;
    assert_eq!(location(&answer), address);
    let answer = save(&house, support, "Late ones", "/parked?age=2h", true).await;
    assert_eq!(location(&answer), "/parked?age=2h");

    let private = Some(address.to_owned());
    assert_eq!(leads(&house, support, "parked-4711").await, private);
    assert_eq!(leads(&house, viewer, "parked-4711").await, None);
    let shared = Some("/parked?age=2h".to_owned());
    assert_eq!(leads(&house, viewer, "late-ones").await, shared);
    assert!(
        text(&house, support, "/messages")
            .await
            .contains("Parked, 4711")
    );
    assert!(
        !text(&house, viewer, "/messages")
            .await
            .contains("Parked, 4711")
    );
    assert!(text(&house, viewer, "/parked").await.contains("Late ones"));
    assert!(
        !text(&house, viewer, "/sessions")
            .await
            .contains("Late ones")
    );

    let query = ActivityQuery {
        verb: Some("save_view".to_owned()),
        limit: 9,
        ..ActivityQuery::default()
    };
    let log = &house.running.service().stores.activity;
    let log = log.entries(&query).await.unwrap();
    let told: Vec<_> = log
        .iter()
        .map(|entry| entry.activity.after.as_deref())
        .collect();
    let expected = [
        "shared, parked, age=2h",
        "private, messages, status=PARKED, searched",
    ];
    assert_eq!(told, expected.map(Some));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_view_is_removed_by_its_owner_and_a_shared_one_also_by_an_owner_of_the_team() {
    let house = House::open(QUICK).await;
    let cookies = everybody(&house).await;
    let of = |role| &cookies.iter().find(|(own, _)| *own == role).unwrap().1;
    let (support, admin, owner) = (of(Role::Support), of(Role::Admin), of(Role::Owner));
    for name in ["one", "two"] {
        save(&house, support, name, "/parked?age=2h", true).await;
    }
    let removal =
        async |cookie: &str, slug: &str| house.form(&format!("/views/{slug}"), cookie, &[]).await;
    assert_eq!(removal(admin, "one").await.status(), 403);
    assert!(leads(&house, admin, "one").await.is_some());
    assert_eq!(
        location(&removal(support, "one").await),
        "/views?done=removed"
    );
    assert_eq!(leads(&house, support, "one").await, None);
    assert_eq!(
        location(&removal(owner, "two").await),
        "/views?done=removed"
    );
    assert_eq!(leads(&house, support, "two").await, None);
    assert!(location(&removal(owner, "two").await).contains("no=gone"));
}

#[tokio::test(flavor = "multi_thread")]
async fn ready_made_views_cannot_be_changed_and_names_may_be_used_twice() {
    let house = House::open(QUICK).await;
    let owner = house.enter_first("correct horse battery").await;
    let stuck = Some("/sessions?state=stuck".to_owned());
    assert_eq!(leads(&house, &owner, "stuck").await, stuck);
    let removed = house.form("/views/stuck", &owner, &[]).await;
    assert!(location(&removed).contains("no=refused"));
    for _ in 0..2 {
        save(&house, &owner, "Stuck", "/parked?why=lock_stuck", false).await;
    }
    assert_eq!(leads(&house, &owner, "stuck").await, stuck);
    for slug in ["stuck-2", "stuck-3"] {
        let there = leads(&house, &owner, slug).await;
        assert_eq!(there.as_deref(), Some("/parked?why=lock_stuck"), "{slug}");
    }
    for (name, address) in [
        ("", "/parked"),
        ("x", "/settings/me"),
        ("x", "/parked?after=1.2"),
    ] {
        let answer = save(&house, &owner, name, address, false).await;
        assert!(location(&answer).contains("no=invalid"), "{name} {address}");
    }
}
