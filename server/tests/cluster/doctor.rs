//! The doctor finds damage that was made, and mends it.

use std::process::Command;
use std::sync::Arc;

use replygate_cluster::{Rabbit, RabbitOptions};
use replygate_embedded::{OsEntropy, SystemClock};
use replygate_gate::{ReplyId, SessionId};
use replygate_ports::clock::Clock as _;
use replygate_ports::tickets::{Ticket, Tickets as _};
use replygate_ports::views::{SessionQuery, Views as _};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::place::Place;
use crate::process::Process;
use crate::visitor::Visitor;

const CHAT: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "echo"
    operational_delay_ms = 200
    debounce = { enabled = false }
"#;

/// The doctor's report, and whether it calls everything well.
fn doctor(place: &Place, arguments: &[&str]) -> (bool, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_replygate"))
        .args(["doctor", "--json", "--config"])
        .arg(place.file())
        .args(arguments)
        .output()
        .unwrap();
    let report = serde_json::from_slice(&output.stdout);
    (
        output.status.success(),
        report.unwrap_or_else(|error| panic!("{error}: {output:?}")),
    )
}

async fn sql(place: &Place, script: String) {
    let mut connection = PgConnection::connect(&place.database_url).await.unwrap();
    let script = sqlx::raw_sql(AssertSqlSafe(script));
    script.execute(&mut connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_nobody_looks_after_is_found_and_mended() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let web = Process::start(&place, "web");
    let visitor = Visitor::at(&web.url).await;
    visitor.say("m1", "hello").await;
    // No worker runs: it lies there. It is made old, and its place in the schedule is lost, so that no sweeper finds it.
    let schema = &place.name;
    let old = format!(
        "UPDATE {schema}.agenda SET next_at = NULL;
         UPDATE {schema}.session SET state = regexp_replace(state, '(\"(?:due|at)\":)(\\d+)', '\\1' || (extract(epoch FROM now()) * 1000 - 60000)::bigint, 'g')"
    );
    sql(&place, old).await;
    let (well, report) = doctor(&place, &[]);
    assert!(!well, "{report}");
    assert_eq!(report["ailments"][0]["kind"], "no_timer", "{report}");
    let unread = report["services"]
        .as_array()
        .unwrap()
        .iter()
        .any(|told| told["words"].as_str().unwrap().contains("--role worker"));
    assert!(unread, "{report}");
    let mut page = visitor.listen().await;
    let _worker = Process::start(&place, "worker");
    let (_, report) = doctor(&place, &["--repair"]);
    assert_eq!(report["mended"], 1, "{report}");
    let reply = page.next_of("reply").await;
    assert!(reply["text"].as_str().unwrap().contains("hello"), "{reply}");
}

#[tokio::test(flavor = "multi_thread")]
async fn tickets_that_lead_nowhere_are_found_and_taken_out() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let web = Process::start(&place, "web");
    let services = place.services();
    let options = RabbitOptions::new(&services.amqp_url, &services.queue_prefix);
    let clock = Arc::new(SystemClock::start());
    let rabbit = Rabbit::open(&options, clock.clone(), Arc::new(OsEntropy))
        .await
        .unwrap();
    for (number, wait) in [0, 300_000, 300_000].into_iter().enumerate() {
        let ticket = Ticket {
            reply: ReplyId(number as u128 + 1),
            session: SessionId(1),
            attempt: 0,
            version: None,
        };
        rabbit
            .publish(ticket, clock.now().plus(wait))
            .await
            .unwrap();
    }
    let (well, report) = doctor(&place, &[]);
    assert_eq!(
        (well, &report["idle_tickets"]),
        (false, &3.into()),
        "{report}"
    );
    let (_, report) = doctor(&place, &["--repair"]);
    assert_eq!(report["idle_tickets"], 3, "{report}");
    let (_, report) = doctor(&place, &[]);
    assert_eq!(report["idle_tickets"], 0, "{report}");
    let store = place.store().await;
    assert!(
        store
            .sessions(&SessionQuery {
                limit: 9,
                ..SessionQuery::default()
            })
            .await
            .unwrap()
            .is_empty()
    );
    store.close().await;
    drop(web);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_cluster_needs_no_attention() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let all = Process::start(&place, "all");
    let visitor = Visitor::at(&all.url).await;
    let mut page = visitor.listen().await;
    visitor.say("m1", "hello").await;
    page.next_of("reply").await;
    let (_, report) = doctor(&place, &[]);
    assert_eq!(report["ailments"].as_array().unwrap().len(), 0, "{report}");
    assert_eq!(report["idle_tickets"], 0, "{report}");
    let services = report["services"].as_array().unwrap();
    let worse: Vec<_> = services
        .iter()
        .filter(|told| told["level"] == "bad")
        .collect();
    assert!(worse.is_empty(), "{report}");
}
