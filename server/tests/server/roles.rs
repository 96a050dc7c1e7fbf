//! Every address of the console, asked for by everybody: who may not do a thing is told so by the server, whatever a page
//! offers.

use std::collections::BTreeSet;

use replygate_app::view::Role;
use reqwest::Method;
use reqwest::header::{ACCEPT, COOKIE};
use serde_json::{Value, json};

use crate::house::{House, QUICK, cookie};

const PASSWORD: &str = "correct horse battery";
/// A name that nothing has.
const NOTHING: &str = "0000000000000000000000000";

/// A page, and the least role that sees it.
const PAGES: &[(&str, Role)] = &[
    ("/", Role::Viewer),
    ("/sessions", Role::Viewer),
    ("/sessions/{sid}", Role::Viewer),
    ("/messages", Role::Viewer),
    ("/messages/{mid}", Role::Viewer),
    ("/parked", Role::Viewer),
    ("/parked/{rid}/reprocess", Role::Viewer),
    ("/operations", Role::Viewer),
    ("/operations/{op}", Role::Viewer),
    ("/duplicates", Role::Viewer),
    ("/duplicates/{did}", Role::Viewer),
    ("/decisions", Role::Viewer),
    ("/decisions/{rid}", Role::Viewer),
    ("/activity", Role::Viewer),
    ("/built-in", Role::Viewer),
    ("/channels", Role::Viewer),
    ("/channels/{cid}", Role::Viewer),
    ("/channels/{cid}/versions/{n}", Role::Viewer),
    ("/channels/{cid}/debounce/versions/{n}", Role::Viewer),
    ("/channels/{cid}/debounce", Role::Support),
    ("/health", Role::Viewer),
    ("/go", Role::Viewer),
    ("/settings/me", Role::Viewer),
    ("/reveal", Role::Support),
    ("/views", Role::Viewer),
    ("/views/{slug}", Role::Viewer),
    ("/export/{file}", Role::Support),
    ("/settings/team", Role::Owner),
];

/// Pages for whoever is not inside.
const DOORS: [&str; 2] = ["/sign-in", "/first-run"];

/// A form, its fields, and the least role whose form is read.
type Form = (&'static str, &'static [(&'static str, &'static str)], Role);

const FORMS: &[Form] = &[
    ("/settings/me", &[("theme", "dark")], Role::Viewer),
    ("/settings/password", &[("present", "x")], Role::Viewer),
    (
        "/parked/{rid}/reprocess",
        &[("choice", "send"), ("generation", "0"), ("request_id", "r")],
        Role::Operator,
    ),
    (
        "/parked/plan",
        &[
            ("choice", "discard"),
            ("pick", "rep_{}:0"),
            ("request_id", "r"),
        ],
        Role::Operator,
    ),
    (
        "/operations/{op}",
        &[("steer", "pause"), ("request_id", "r")],
        Role::Operator,
    ),
    (
        "/reveal",
        &[("of", "sessions"), ("reason", "she called")],
        Role::Support,
    ),
    (
        "/sessions/{sid}",
        &[("deed", "take_over"), ("request_id", "r")],
        Role::Operator,
    ),
    (
        "/duplicates/{did}",
        &[
            ("deed", "verdict"),
            ("opinion", "right"),
            ("request_id", "r"),
        ],
        Role::Support,
    ),
    (
        "/duplicates/{did}",
        &[
            ("deed", "allow_once"),
            ("reason", "wanted again"),
            ("request_id", "r"),
        ],
        Role::Admin,
    ),
    (
        "/duplicates/calls/{aid}",
        &[("outcome", "done"), ("reason", "seen"), ("request_id", "r")],
        Role::Operator,
    ),
    (
        "/channels/{cid}",
        &[
            ("deed", "roll_back"),
            ("base", "1"),
            ("to", "9"),
            ("request_id", "r"),
        ],
        Role::Admin,
    ),
    (
        "/channels/{cid}/debounce",
        &[("base", "9"), ("request_id", "r")],
        Role::Admin,
    ),
    (
        "/settings/sign-ins",
        &[("deed", "end_others")],
        Role::Viewer,
    ),
    (
        "/views",
        &[("name", "Mine"), ("address", "/parked")],
        Role::Viewer,
    ),
    (
        "/views",
        &[("name", "Ours"), ("address", "/parked"), ("shared", "yes")],
        Role::Support,
    ),
    ("/views/{slug}", &[], Role::Viewer),
    (
        "/settings/team",
        &[("deed", "role"), ("name", "nobody"), ("role", "viewer")],
        Role::Owner,
    ),
];

/// What the browser half asks.
fn questions() -> Vec<(&'static str, Value)> {
    let page = json!({ "after": null, "limit": 50 });
    vec![
        ("sessions/list", json!({ "filter": {}, "page": page })),
        ("sessions/rows", json!({ "ids": [] })),
        (
            "sessions/open",
            json!({ "id": named("ses_{}"), "after": null }),
        ),
        ("messages/list", json!({ "asked": {} })),
        ("messages/rows", json!({ "ids": [] })),
        ("parked/list", json!({ "asked": {} })),
        ("parked/rows", json!({ "ids": [] })),
        ("duplicates/list", json!({ "asked": {} })),
        ("duplicates/again", json!({ "asked": {} })),
        ("duplicates/rows", json!({ "ids": [] })),
        (
            "channels/lab",
            json!({ "asked": { "channel": "demo", "typed": [], "script": null, "replay": null,
                "saved": null, "said": [] } }),
        ),
        (
            "operations/open",
            json!({ "asked": { "id": named("op_{}"), "outcome": null, "after": null, "said": [] } }),
        ),
    ]
}

fn named(pattern: &str) -> String {
    pattern.replace("{}", NOTHING)
}

/// An address with something in the place of its parameter.
fn filled(pattern: &str) -> String {
    [
        "ses_{sid}",
        "msg_{mid}",
        "rep_{rid}",
        "op_{op}",
        "dup_{did}",
        "act_{aid}",
    ]
    .iter()
    .fold(pattern.to_owned(), |address, parameter| {
        let (prefix, name) = parameter.split_once('_').unwrap();
        address.replace(name, &format!("{prefix}_{NOTHING}"))
    })
    .replace("{cid}", "demo")
    .replace("{n}", "1")
    .replace("{slug}", "stuck")
    .replace("{file}", "messages.csv")
}

/// Everybody's cookie.
pub async fn everybody(house: &House) -> Vec<(Role, String)> {
    let owner = house.enter_first(PASSWORD).await;
    let mut cookies = Vec::new();
    for role in [Role::Viewer, Role::Support, Role::Operator, Role::Admin] {
        // The first account has the name of a role.
        let name = format!("the-{}", role.stored());
        let fields = [
            ("deed", "invite"),
            ("name", name.as_str()),
            ("role", role.stored()),
        ];
        let answer = house.form("/settings/team", &owner, &fields).await;
        let page = answer.text().await.unwrap();
        let link = page.split("/first-run?token=").nth(1).unwrap();
        let token: String = link
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
            .collect();
        let fields = [
            ("token", token.as_str()),
            ("password", PASSWORD),
            ("repeat", PASSWORD),
        ];
        cookies.push((role, cookie(&house.form("/first-run", "", &fields).await)));
    }
    cookies.push((Role::Owner, owner));
    cookies
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_shown_to_its_roles_and_to_no_other() {
    let house = House::open(QUICK).await;
    for (role, cookie) in everybody(&house).await {
        for (pattern, least) in PAGES {
            let request = house.request(Method::GET, &filled(pattern));
            let request = request.header(COOKIE, &cookie).header(ACCEPT, "text/html");
            let status = request.send().await.unwrap().status();
            let is_shown = status != 403;
            assert_eq!(is_shown, role >= *least, "{role:?} {pattern}: {status}");
            assert!(!status.is_server_error(), "{role:?} {pattern}: {status}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_read_for_its_roles_and_refused_to_every_other() {
    let house = House::open(QUICK).await;
    for (role, cookie) in everybody(&house).await {
        for (pattern, fields, least) in FORMS {
            let fields: Vec<(&str, String)> = fields
                .iter()
                .map(|(name, value)| (*name, named(value)))
                .collect();
            let fields: Vec<(&str, &str)> = fields
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let answer = house.form(&filled(pattern), &cookie, &fields).await;
            let status = answer.status();
            let is_read = status == 303 || status == 422;
            assert_eq!(is_read, role >= *least, "{role:?} {pattern}: {status}");
            assert!(is_read || status == 403, "{role:?} {pattern}: {status}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_outside_gets_anything() {
    let house = House::open(QUICK).await;
    for (pattern, _) in PAGES {
        let request = house.request(Method::GET, &filled(pattern));
        let answer = request.header(ACCEPT, "text/html").send().await.unwrap();
        let leads = answer.headers().get("location").cloned();
        let leads = leads.unwrap_or_else(|| panic!("{pattern}: {}", answer.status()));
        assert!(leads.to_str().unwrap().starts_with("/sign-in"), "{pattern}");
    }
    for (pattern, fields, _) in FORMS {
        let answer = house.form(&filled(pattern), "", fields).await;
        let leads = answer.headers()["location"].to_str().unwrap();
        assert!(leads.starts_with("/sign-in"), "{pattern}: {leads}");
    }
    for (endpoint, body) in questions() {
        let request = house.request(Method::POST, &format!("/api/{endpoint}"));
        let answer = request.json(&body).send().await.unwrap();
        assert!(!answer.status().is_success(), "{endpoint}");
    }
    assert_eq!(
        house.get("/events/stream?topics=sessions").await.status(),
        401
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_sees_no_texts_gets_none_by_any_question() {
    let house = House::open(QUICK).await;
    let visitor = house.visit().await;
    let text = "my secret is 4711";
    house.write(&visitor, "k", text).await;
    for (role, cookie) in everybody(&house).await {
        let list = || async {
            let request = house.request(Method::GET, "/sessions");
            let request = request.header(COOKIE, &cookie).header(ACCEPT, "text/html");
            request.send().await.unwrap().text().await.unwrap()
        };
        assert!(!list().await.contains("4711"), "{role:?} did not ask yet");
        let is_shown = role >= Role::Support;
        for of in ["sessions", "messages", "parked", "duplicates"] {
            let fields = [("of", of), ("reason", "she called")];
            house.form("/reveal", &cookie, &fields).await;
        }
        for (endpoint, body) in questions() {
            let request = house.request(Method::POST, &format!("/api/{endpoint}"));
            let request = request.header(COOKIE, &cookie).json(&body);
            let answer = request.send().await.unwrap().text().await.unwrap();
            assert!(is_shown || !answer.contains("4711"), "{role:?} {endpoint}");
        }
        assert_eq!(list().await.contains("4711"), is_shown, "{role:?}");
    }
}

/// What stands between `before` and `after`, everywhere in a source.
fn between<'a>(source: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
    source
        .split(before)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
}

/// A source without its blanks: a long call is broken over lines.
fn whole(source: &str) -> String {
    source.split_whitespace().collect()
}

#[test]
fn no_address_of_the_console_is_left_out() {
    let own = whole(include_str!("../../../app/src/plain.rs"));
    let export = whole(include_str!("../../../app/src/export.rs"));
    let pages: BTreeSet<&str> = between(&own, ".route(\"")
        .chain(between(&export, ".route(\""))
        .collect();
    let known: BTreeSet<&str> = PAGES.iter().map(|(page, _)| *page).chain(DOORS).collect();
    assert_eq!(known, pages);

    let forms = whole(include_str!("../../../app/src/forms.rs"));
    let forms: BTreeSet<&str> = between(&forms, ".route(\"").collect();
    let known: BTreeSet<&str> = FORMS.iter().map(|(form, ..)| *form).collect();
    assert_eq!(known, forms);

    let sources = [
        include_str!("../../../app/src/api/duplicates.rs"),
        include_str!("../../../app/src/api/lab.rs"),
        include_str!("../../../app/src/api/messages.rs"),
        include_str!("../../../app/src/api/operations.rs"),
        include_str!("../../../app/src/api/parked.rs"),
        include_str!("../../../app/src/api/sessions.rs"),
    ];
    let endpoints: BTreeSet<&str> = sources
        .iter()
        .flat_map(|source| between(source, "endpoint = \""))
        .collect();
    let questions = questions();
    let known: BTreeSet<&str> = questions.iter().map(|(endpoint, _)| *endpoint).collect();
    assert_eq!(known, endpoints);
}
