//! Every page as the server makes it, with a fake console behind the seam: complete without scripts, and safe.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod around;
mod built_in;
mod channels;
mod decisions;
mod deeds;
mod duplicates;
mod fake;
mod frame;
mod lab;
mod literals;
mod messages;
mod operations;
mod parked;
mod people;
mod session;
mod veil;
mod whole;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use fake::{NASTY, NOW};
use leptos::config::LeptosOptions;
use replygate_app::mount::mount;
use replygate_app::view::{Caller, Role};
use replygate_app::words::words;
use tower::ServiceExt;

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn header(&self, name: header::HeaderName) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

fn console() -> Router {
    let options = LeptosOptions::builder()
        .output_name("replygate")
        .site_root("a-folder-that-does-not-exist")
        .build();
    mount(options, fake::console())
}

async fn ask(request: Request<Body>) -> Answer {
    let response = console().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    Answer {
        status: parts.status,
        headers: parts.headers,
        body,
    }
}

fn get(address: &str, role: Option<Role>) -> Request<Body> {
    let mut request = Request::get(address).header(header::ACCEPT, "text/html");
    if let Some(role) = role {
        request = request.extension(Caller::with_role("usr_1".into(), "Marta".to_owned(), role));
    }
    request.body(Body::empty()).unwrap()
}

async fn page(address: &str) -> Answer {
    ask(get(address, Some(Role::Owner))).await
}

const PAGES: [&str; 32] = [
    "/duplicates",
    "/duplicates/dup_1",
    "/decisions",
    "/decisions/rep_1",
    "/",
    "/health",
    "/channels/shop/debounce",
    "/channels/shop/debounce?debounce.closed_ms=3000&replay=24h",
    "/channels",
    "/channels/shop",
    "/channels/shop/versions/1",
    "/activity",
    "/built-in",
    "/settings/team",
    "/operations",
    "/operations/op_1",
    "/sessions",
    "/sessions/ses_1",
    "/sessions/ses_1?view=timeline",
    "/sessions/ses_1?view=events",
    "/sessions/ses_2",
    "/messages",
    "/messages/msg_1",
    "/parked",
    "/parked/rep_7/reprocess",
    "/settings/me",
    "/views",
    "/reveal?of=messages&back=%2Fmessages",
    "/sign-in",
    "/first-run?token=t0ken",
    "/first-run",
    "/nowhere",
];

#[tokio::test]
async fn the_sessions_page_is_complete_without_scripts() {
    let answer = page("/sessions").await;
    assert_eq!(answer.status, StatusCode::OK);
    for part in [
        "href=\"/sessions/ses_1\"",
        "href=\"/sessions/ses_2\"",
        "Collecting",
        "Idle",
        "1 Pending",
        "2 Parked",
        "2.0 s of 4.0 s, 2 messages, dangling",
        "Held: newer messages",
        "3 s ago",
        "2 of 2 sessions",
        "href=\"/sessions?after=c%262\"",
        "<title>Sessions · Replygate",
        "Marta",
    ] {
        assert!(
            visible(&answer.body).contains(part),
            "{part} is missing in {}",
            answer.body
        );
    }
    assert!(!answer.body.contains("Loading"));
}

#[tokio::test]
async fn a_filter_in_the_address_is_obeyed_and_shown_in_its_form() {
    let answer = page("/sessions?state=idle&q=ana").await;
    assert!(!answer.body.contains("id=\"ses_1\""));
    assert!(answer.body.contains("id=\"ses_2\""));
    assert!(answer.body.contains("<option value=\"idle\" selected"));
    assert!(answer.body.contains("value=\"ana\""));
    assert!(answer.body.contains("Clear filters"));
}

#[tokio::test]
async fn an_unknown_filter_term_is_named_with_what_is_allowed() {
    let answer = page("/sessions?state=asleep").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.body.contains("“asleep” is not allowed for state"));
    assert!(answer.body.contains("stuck, taken-over"));
}

#[tokio::test]
async fn the_three_kinds_of_emptiness_are_told_apart() {
    let none_match = page("/sessions?state=stuck").await.body;
    assert!(none_match.contains(words().sessions.none_match));
    let none_older = page("/sessions?after=end").await.body;
    assert!(none_older.contains(words().sessions.none_older));
}

#[tokio::test]
async fn what_a_customer_wrote_stays_text() {
    for address in ["/sessions", "/sessions/ses_1"] {
        let body = page(address).await.body;
        assert!(!body.contains("<script>alert"), "{address}");
        assert!(body.contains("&lt;script&gt;alert("), "{address}");
    }
}

#[tokio::test]
async fn a_viewer_gets_no_text_of_a_customer_in_any_form() {
    for address in ["/sessions", "/sessions/ses_1"] {
        let body = ask(get(address, Some(Role::Viewer))).await.body;
        assert!(!body.contains("alert("), "{address}");
        assert!(!body.contains("Ana"), "{address}");
        assert!(
            body.contains(&format!("{} characters", NASTY.chars().count())),
            "{address}"
        );
    }
}

#[tokio::test]
async fn no_page_needs_an_inline_style_or_an_unmarked_script() {
    for address in PAGES {
        let answer = page(address).await;
        assert!(!answer.body.contains("style=\""), "{address}");
        assert!(!answer.body.contains("<style"), "{address}");
        let policy = answer.header(header::CONTENT_SECURITY_POLICY);
        let nonce = policy
            .split("'nonce-")
            .nth(1)
            .and_then(|rest| rest.split('\'').next());
        let mark = format!("nonce=\"{}\"", nonce.expect(address));
        for script in answer.body.split("<script").skip(1) {
            let tag = script.split('>').next().unwrap();
            assert!(tag.contains(&mark), "{address}: <script{tag}>");
        }
    }
}

#[tokio::test]
async fn without_a_sign_in_a_page_leads_to_the_sign_in_and_back() {
    let answer = ask(get("/sessions?state=idle", None)).await;
    assert_eq!(answer.status, StatusCode::FOUND);
    assert_eq!(
        answer.header(header::LOCATION),
        "/sign-in?next=%2Fsessions%3Fstate%3Didle"
    );
    assert!(!answer.body.contains("ses_2"));
}

#[tokio::test]
async fn without_a_sign_in_a_server_function_answers_nothing_and_leads_to_the_sign_in() {
    let request = Request::builder()
        .method(Method::POST)
        .uri("/api/sessions/rows")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(r#"{"ids":["ses_1"]}"#))
        .unwrap();
    let answer = ask(request).await;
    assert!(answer.body.contains("not_signed_in"), "{}", answer.body);
    assert!(!answer.body.contains("Ana"));
}

#[tokio::test]
async fn a_server_function_gives_the_rows_that_were_asked_for() {
    let request = Request::builder()
        .method(Method::POST)
        .uri("/api/sessions/rows")
        .header(header::CONTENT_TYPE, "application/json")
        .extension(Caller::with_role(
            "usr_1".into(),
            "Marta".to_owned(),
            Role::Admin,
        ))
        .body(Body::from(r#"{"ids":["ses_1","ses_9"]}"#))
        .unwrap();
    let answer = ask(request).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert!(answer.body.contains("\"ses_1\""));
    assert!(answer.body.contains(&format!("\"as_of\":{}", NOW.0)));
}

#[tokio::test]
async fn an_address_that_leads_nowhere_is_404_and_says_so() {
    for address in ["/nowhere", "/sessions/ses_404"] {
        assert_eq!(
            page(address).await.status,
            StatusCode::NOT_FOUND,
            "{address}"
        );
    }
    assert!(page("/nowhere").await.body.contains(words().lost.title));
    assert!(
        page("/sessions/ses_404")
            .await
            .body
            .contains("There is no such session")
    );
}

#[tokio::test]
async fn the_sign_in_form_keeps_the_way_back_only_inside_this_site() {
    let inside = ask(get("/sign-in?next=%2Fsessions&why=refused", None))
        .await
        .body;
    assert!(inside.contains("action=\"/sign-in\""));
    assert!(inside.contains("value=\"/sessions\""));
    assert!(inside.contains(words().door.refused));
    let outside = ask(get("/sign-in?next=%2F%2Fevil.example", None))
        .await
        .body;
    assert!(!outside.contains("value=\"//evil.example\""));
}

#[tokio::test]
async fn the_first_run_form_carries_its_token() {
    let body = ask(get("/first-run?token=t0ken", None)).await.body;
    assert!(body.contains("name=\"token\" value=\"t0ken\""));
    let without = ask(get("/first-run", None)).await.body;
    assert!(without.contains(words().door.no_link));
    assert!(!without.contains("name=\"password\""));
}

#[tokio::test]
async fn the_stream_carries_ids_and_versions_and_goes_on_after_the_last_one_seen() {
    let mut request = get(
        "/events/stream?topics=session:ses_1,sessions",
        Some(Role::Viewer),
    );
    request
        .headers_mut()
        .insert("last-event-id", "41".parse().unwrap());
    let answer = ask(request).await;
    assert_eq!(answer.header(header::CONTENT_TYPE), "text/event-stream");
    let first = "event: change\nid: 42\ndata: [{\"session\":{\"id\":\"ses_1\",\"version\":8}}]\n\n";
    assert!(answer.body.starts_with(first), "{}", answer.body);
    assert!(
        answer.body.ends_with("data: [\"resync\"]\n\n"),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn the_stream_refuses_strangers_and_unknown_topics() {
    let stranger = ask(get("/events/stream?topics=sessions", None)).await;
    assert_eq!(stranger.status, StatusCode::UNAUTHORIZED);
    let unknown = ask(get("/events/stream?topics=passwords", Some(Role::Owner))).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    assert!(unknown.body.contains("passwords"));
}

/// The page as it is read: without the marks that keep the parts of a text apart for hydration.
fn visible(body: &str) -> String {
    body.replace("<!>", "").replace("<!---->", "")
}

/// A form as a browser posts it.
fn post(address: &str, role: Role, fields: &[(&str, &str)]) -> Request<Body> {
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    Request::post(address)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .extension(Caller::with_role("usr_1".into(), "Marta".to_owned(), role))
        .body(Body::from(body.finish()))
        .unwrap()
}

/// Every part stands on the page.
fn has(answer: &Answer, parts: &[&str]) {
    let body = visible(&answer.body);
    for part in parts {
        assert!(body.contains(part), "{part} is missing in {body}");
    }
}
