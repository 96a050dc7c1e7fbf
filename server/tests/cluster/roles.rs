//! Processes of different roles are one installation.

use std::sync::Arc;

use replygate_cluster::{Rabbit, RabbitOptions};
use replygate_embedded::{OsEntropy, SystemClock};
use replygate_gate::Event;
use replygate_ports::store::Store as _;
use replygate_ports::views::{SessionQuery, Views as _};

use crate::place::Place;
use crate::process::{Process, refusal};
use crate::visitor::Visitor;

/// A short window, so that a burst is collected and no test waits for long.
const CHAT: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = { kind = "echo", latency_p50_ms = 400, latency_p99_ms = 400 }
    operational_delay_ms = 100
    debounce = { closed_ms = 400, neutral_ms = 400, greeting_ms = 400, dangling_ms = 400 }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_at_one_web_process_becomes_one_reply_at_the_page_of_another() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let webs = [Process::start(&place, "web"), Process::start(&place, "web")];
    let _workers = [
        Process::start(&place, "worker"),
        Process::start(&place, "worker"),
    ];
    let writes = Visitor::at(&webs[0].url).await;
    let reads = writes.at_another(&webs[1].url);
    let mut page = reads.listen().await;
    for (number, text) in ["I would like", "two pizzas", "and a coke."]
        .iter()
        .enumerate()
    {
        writes.say(&format!("m{number}"), text).await;
    }
    let mut typed = Vec::new();
    let reply = loop {
        match page.next().await {
            (event, data) if event == "typing" => typed.push(data["on"].clone()),
            (event, data) if event == "reply" => break data,
            (event, data) => panic!("{event} {data}"),
        }
    };
    assert_eq!(typed.first(), Some(&true.into()), "{typed:?}");
    for words in ["I would like", "two pizzas", "and a coke."] {
        assert!(reply["text"].as_str().unwrap().contains(words), "{reply}");
    }
    writes.say("last", "thanks.").await;
    let next = page.next_of("reply").await;
    assert_ne!(next["key"], reply["key"]);
    let answers = |lines: &[(String, String)]| lines.iter().filter(|line| line.0 == "them").count();
    let store = place.store().await;
    crate::until(async || answers(&reads.history().await) == 2).await;
    store.ping().await.unwrap();
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_at_one_web_process_is_acknowledged_on_the_page_of_another() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let webs = [Process::start(&place, "web"), Process::start(&place, "all")];
    let writes = Visitor::at(&webs[0].url).await;
    let reads = writes.at_another(&webs[1].url);
    let mut page = reads.listen().await;
    writes.say("stop", "/stop").await;
    page.next_of("resync").await;
    let lines = reads.history().await;
    assert!(lines.iter().any(|line| line.0 == "notice"), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_answers_how_it_is_and_nothing_else() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let worker = Process::start(&place, "worker");
    let get = async |path: &str| reqwest::get(format!("{}{path}", worker.url)).await.unwrap();
    for path in ["/chat/demo", "/sign-in", "/v1/sessions"] {
        assert_eq!(get(path).await.status(), 404, "{path}");
    }
    assert_eq!(get("/livez").await.status(), 200);
    assert!(
        get("/metrics")
            .await
            .text()
            .await
            .unwrap()
            .contains("replygate_service_up")
    );
    let ready = get("/readyz").await;
    assert_eq!(ready.status(), 200);
    let words = ready.text().await.unwrap();
    assert_eq!(words, "ready\nRedis: up\nRabbitMQ: up\n");
    let asked = std::process::Command::new(env!("CARGO_BIN_EXE_replygate"))
        .args(["health", "--url", &worker.url])
        .output()
        .unwrap();
    assert!(asked.status.success());
    assert_eq!(String::from_utf8(asked.stdout).unwrap(), words);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queue_with_other_arguments_is_named_and_nothing_starts() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let services = place.services();
    let quorum = RabbitOptions {
        kind: replygate_cluster::QueueKind::Quorum,
        ..RabbitOptions::new(&services.amqp_url, &services.queue_prefix)
    };
    let clock = Arc::new(SystemClock::start());
    Rabbit::delete(&quorum, clock.clone(), Arc::new(OsEntropy))
        .await
        .unwrap();
    drop(
        Rabbit::open(&quorum, clock, Arc::new(OsEntropy))
            .await
            .unwrap(),
    );
    let (code, words) = refusal(&place, "all");
    assert_eq!(code, Some(1), "{words}");
    let queue = format!("{}.outbound_messages", place.name);
    for wanted in [
        queue.as_str(),
        "`x-queue-type` quorum",
        "rabbitmqctl delete_queue",
    ] {
        assert!(words.contains(wanted), "{words}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_one_process_saves_are_in_force_in_all() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let web = Process::start(&place, "web");
    let _worker = Process::start(&place, "worker");
    let visitor = Visitor::at(&web.url).await;
    let mut page = visitor.listen().await;
    place.configure(&CHAT.replace("closed_ms = 400", "enabled = false, closed_ms = 400"));
    let applied = std::process::Command::new(env!("CARGO_BIN_EXE_replygate"))
        .args(["config", "apply", "--config"])
        .arg(place.file())
        .output()
        .unwrap();
    assert!(applied.status.success(), "{applied:?}");
    let store = place.store().await;
    let mut number = 0;
    crate::until(async || {
        number += 1;
        visitor.say(&format!("m{number}"), "Now.").await;
        page.next_of("reply").await;
        let newest = SessionQuery {
            limit: 1,
            ..SessionQuery::default()
        };
        let id = store.sessions(&newest).await.unwrap()[0].id;
        let steps = store.events(id, 0, 1_000).await.unwrap();
        // Without a window a message is ripe the moment it comes.
        let mut lengths =
            steps
                .iter()
                .flat_map(|step| &step.events)
                .filter_map(|event| match event {
                    Event::Arrived { at, due, .. } => Some(due.since(*at)),
                    _ => None,
                });
        lengths.next_back() == Some(0)
    })
    .await;
    store.close().await;
}
