//! A backup that was made in the middle of a storm, restored into a new database beside new, empty services: everything
//! that was acknowledged before it began is there, and what was under way goes on.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use replygate::simulate::{Saying, storm, storm_toml};
use replygate_cluster::{Postgres, Rabbit, RabbitOptions};
use replygate_embedded::{OsEntropy, SystemClock};
use replygate_gate::{ReplyStatus, Session, SessionId, evolve};
use replygate_ports::clock::Clock;
use replygate_ports::store::Store;
use replygate_ports::views::{SessionQuery, Views as _};
use replygate_testkit::contract::{Missing, there};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use crate::process::Process;
use crate::stand::{PLAN, Stand};

/// Into the storm.
const BACKUP_AFTER: Duration = Duration::from_millis(2_500);
const DELAY_MS: u64 = 600;

/// Runs a program of PostgreSQL's; missing is one that is not there or of another version.
fn postgres(program: &str, arguments: &[&str]) -> Result<(), Missing> {
    let run = Command::new(program).args(arguments).output();
    let run = run.map_err(|error| Missing(format!("{program}: {error}")))?;
    let words = String::from_utf8_lossy(&run.stderr).into_owned();
    if words.contains("server version mismatch") {
        return Err(Missing(words));
    }
    assert!(run.status.success(), "{program}: {words}");
    Ok(())
}

fn dump(stand: &Stand, file: &Path) -> Result<(), Missing> {
    let (schema, file) = (format!("--schema={}", stand.place.name), file.display());
    let arguments = [
        &*schema,
        "--format=custom",
        &format!("--file={file}"),
        &stand.place.database_url,
    ];
    postgres("pg_dump", &arguments)
}

async fn sql(url: &str, script: String) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let script = sqlx::raw_sql(AssertSqlSafe(script));
    script.execute(&mut connection).await.unwrap();
}

/// The schema as it was, and the other services as after a new installation.
async fn restore(stand: &Stand, file: &Path) {
    let place = &stand.place;
    place.flush_redis().await;
    let options = RabbitOptions::new(&place.amqp_url, &place.name);
    let clock = Arc::new(SystemClock::start());
    let deleted = Rabbit::delete(&options, clock, Arc::new(OsEntropy)).await;
    deleted.unwrap();
    let schema = &place.name;
    sql(&place.database_url, format!("DROP SCHEMA {schema} CASCADE")).await;
    let database = format!("--dbname={}", place.database_url);
    let arguments = [&*database, "--exit-on-error", &file.display().to_string()];
    postgres("pg_restore", &arguments).unwrap();
}

/// The states of all sessions.
async fn states(store: &Postgres) -> Vec<(SessionId, Session)> {
    let every = SessionQuery {
        limit: 500,
        ..SessionQuery::default()
    };
    let mut states = Vec::new();
    for row in store.sessions(&every).await.unwrap() {
        let steps = Store::events(store, row.id, 0, 10_000).await.unwrap();
        let events = steps.iter().flat_map(|step| &step.events);
        states.push((row.id, events.fold(Session::default(), evolve)));
    }
    states
}

fn rests(session: &Session) -> bool {
    session.uncovered.is_empty() && session.undelivered().next().is_none()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_from_a_storm_is_restored_and_goes_on() {
    let Some(stand) = Stand::open(storm_toml).await else {
        return;
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("replygate.dump");
    let process = tokio::task::block_in_place(|| Process::start(&stand.place, "all"));
    let customer = stand.customer(&process.url, &clock);
    let channels = storm::Channels {
        ids: vec!["storm".to_owned(), "storm-debounce".to_owned()],
        delay_ms: DELAY_MS,
    };
    let run = storm::Storm {
        customer: &customer,
        endpoint: &stand.endpoint,
        channels: &channels,
        clock: clock.clone(),
        run: "backup".to_owned(),
        again: None,
    };
    let backup = async {
        clock.sleep(BACKUP_AFTER).await;
        let store = stand.place.store().await;
        let before = states(&store).await;
        store.close().await;
        let dumped = tokio::task::block_in_place(|| dump(&stand, &file));
        (before, dumped)
    };
    let (outcome, (before, dumped)) = tokio::join!(
        async { storm::run(&run, &storm::script(&PLAN)).await.unwrap() },
        backup
    );
    assert!(outcome.ok, "{outcome:?}");
    if there(dumped).is_none() {
        return;
    }
    drop(process);
    restore(&stand, &file).await;
    let store = stand.place.store().await;
    let restored = states(&store).await;
    let open = restored
        .iter()
        .filter(|(_, session)| !rests(session))
        .count();
    assert!(open > 0, "nothing was under way: the trial shows nothing");
    let sessions: BTreeSet<SessionId> = restored.iter().map(|(id, _)| *id).collect();
    for (id, session) in &before {
        assert!(sessions.contains(id), "{id} is lost");
        let now = restored.iter().find(|(other, _)| other == id);
        assert!(now.unwrap().1.epoch >= session.epoch, "{id} went back");
    }
    let began = clock.elapsed();
    let process = tokio::task::block_in_place(|| Process::start(&stand.place, "all"));
    let customer = stand.customer(&process.url, &clock);
    let saying = Saying {
        message_id: "after".to_owned(),
        contact: "after".to_owned(),
        text: "Is anybody there?".to_owned(),
        sent_at: None,
    };
    customer.say("storm", &saying).await.unwrap();
    crate::until(async || {
        states(&store)
            .await
            .iter()
            .all(|(_, session)| rests(session))
    })
    .await;
    let took = clock.elapsed().saturating_sub(began);
    assert_eq!(stand.endpoint.of("after").len(), 1);
    let unknown = outcome.ends.get(&ReplyStatus::Unknown);
    println!(
        "{} sessions, {open} with something under way; all at rest {:.1} s after the start; unknown before: {unknown:?}",
        restored.len(),
        took.as_secs_f64()
    );
    store.close().await;
}
