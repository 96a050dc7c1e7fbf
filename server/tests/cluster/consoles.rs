//! What any process does shows in every console at once.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Arc, Mutex};

use replygate::simulate::Spread;
use replygate_embedded::SystemClock;
use replygate_gate::{At, Event};
use replygate_ports::clock::Clock as _;
use replygate_ports::store::Store as _;
use replygate_ports::views::{SessionQuery, Views as _};
use reqwest::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use reqwest::{Client, redirect};
use tokio::task::JoinHandle;

use crate::place::Place;
use crate::process::Process;
use crate::visitor::{Stream, Visitor};

pub const CHAT: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "echo"
    operational_delay_ms = 100
    debounce = { enabled = false }
"#;
const PASSWORD: &str = "correct horse battery staple";
const PEOPLE: usize = 8;
/// Of a decision until a console has it, on an idle machine: what people call at once.
const AT_ONCE_MS: f64 = 200.0;
/// The same for the slowest of all on a machine that builds something meanwhile.
const BUSY_MS: f64 = 2_000.0;

/// When each version of each session was told.
type Told = BTreeMap<(String, u64), At>;

/// Somebody who may look, by the link that the command line prints; the cookie is good at every process.
pub async fn sign_in(place: &Place, url: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_replygate"))
        .args(["user", "add", "ana", "--role", "viewer", "--config"])
        .arg(place.file())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let token = text.trim().rsplit_once("token=").unwrap().1;
    let mut body = form_urlencoded::Serializer::new(String::new());
    body.extend_pairs([
        ("token", token),
        ("password", PASSWORD),
        ("repeat", PASSWORD),
    ]);
    let client = Client::builder().redirect(redirect::Policy::none());
    let request = client.build().unwrap().post(format!("{url}/first-run"));
    let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let response = request.body(body.finish()).send().await.unwrap();
    let cookie = response.headers()[SET_COOKIE].to_str().unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

/// The console's stream at that process.
async fn watch(url: &str, cookie: &str) -> Stream {
    let request = Client::new().get(format!("{url}/events/stream?topics=sessions"));
    let response = request.header(COOKIE, cookie).send().await.unwrap();
    assert_eq!(response.status(), 200);
    Stream::of(response)
}

/// A console that notes when it was told what, until it is dropped.
struct Console {
    told: Arc<Mutex<Told>>,
    notes: JoinHandle<()>,
}

impl Drop for Console {
    fn drop(&mut self) {
        self.notes.abort();
    }
}

fn note(mut stream: Stream) -> Console {
    let told = Arc::<Mutex<Told>>::default();
    let notes = told.clone();
    let notes = tokio::spawn(async move {
        let clock = SystemClock::start();
        loop {
            let (event, change) = stream.next().await;
            let at = clock.now();
            let changes = change.as_array().filter(|_| event == "change");
            for session in changes.into_iter().flatten().map(|each| &each["session"]) {
                if let (Some(id), Some(version)) =
                    (session["id"].as_str(), session["version"].as_u64())
                {
                    let mut notes = notes.lock().unwrap();
                    notes.entry((id.to_owned(), version)).or_insert(at);
                }
            }
        }
    });
    Console { told, notes }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_three_workers_do_shows_in_two_consoles_at_once() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let start = |role| Process::start(&place, role);
    let webs = ["web", "web"].map(start);
    let _workers = ["worker", "worker", "worker"].map(start);
    let cookie = sign_in(&place, &webs[0].url).await;
    let consoles = [
        note(watch(&webs[0].url, &cookie).await),
        note(watch(&webs[1].url, &cookie).await),
    ];
    for person in 0..PEOPLE {
        let visitor = Visitor::at(&webs[person % 2].url).await;
        let mut page = visitor.listen().await;
        let text = format!("hello, I am number {person}.");
        visitor.say("m", &text).await;
        page.next_of("reply").await;
    }
    let steps = delivered(&place).await;
    for (number, console) in consoles.iter().enumerate() {
        let has_all = || {
            let told = console.told.lock().unwrap();
            steps.keys().all(|step| shown(&told, step).is_some())
        };
        crate::until(async || has_all()).await;
        let told = console.told.lock().unwrap();
        let shown = |step| shown(&told, step).unwrap();
        let took = steps.iter().map(|(step, at)| shown(step).since(*at) as f64);
        let took = Spread::of(took);
        println!("console {number}, from a decision until it shows: {took:?}");
        assert!(took.p50 <= AT_ONCE_MS && took.max <= BUSY_MS, "{took:?}");
    }
}

/// When a console knew of a step: it is told that version of the session, or a later one that says the same and more.
fn shown(told: &Told, (session, version): &(String, u64)) -> Option<At> {
    let from = (session.clone(), *version);
    let to = (session.clone(), u64::MAX);
    told.range(from..=to).map(|(_, at)| *at).min()
}

/// Every step of every session, once every reply is delivered.
async fn delivered(place: &Place) -> Told {
    let store = place.store().await;
    let every = SessionQuery {
        limit: 100,
        ..SessionQuery::default()
    };
    let mut steps = Told::new();
    crate::until(async || {
        let mut ends = 0;
        for row in store.sessions(&every).await.unwrap() {
            for step in store.events(row.id, 0, 1_000).await.unwrap() {
                let is_end = |event: &Event| matches!(event, Event::Delivered { .. });
                ends += usize::from(step.events.iter().any(is_end));
                steps.insert((row.id.to_string(), step.version), step.at);
            }
        }
        ends == PEOPLE
    })
    .await;
    store.close().await;
    steps
}
