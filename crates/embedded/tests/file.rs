//! What is special about the file: many appends in one commit, one process per directory, backups, erasure, versions.
#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

use std::error::Error as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use replygate_embedded::{BackupError, Database, OpenError, SystemClock, backup_file};
use replygate_gate::{At, Session, SessionKey};
use replygate_ports::clock::Clock;
use replygate_ports::settings::{ChannelSettings, SettingsStore, SettingsVersion, StaleSettings};
use replygate_ports::store::{Append, AppendError, Store, StoreError};
use replygate_ports::upkeep::{Cutoffs, Upkeep};
use replygate_testkit::contract::stage::{Stage, accepted, direct};
use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;

async fn database(dir: &TempDir) -> (Database, Stage) {
    let database = Database::open(dir.path()).await.unwrap();
    let stage = Stage::new(Arc::new(database.clone()));
    (database, stage)
}

async fn raw(dir: &TempDir, sql: &'static str) {
    let path = dir.path().join("replygate.db");
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", path.display()))
        .await
        .unwrap();
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Appends a message, deciding again whenever somebody else was faster.
async fn insist(database: &Database, key: &SessionKey, text: &str, id: u128) -> u64 {
    let mut stage = Stage::new(Arc::new(database.clone()));
    let mut message = stage.message(key, text);
    message.id.0 = id;
    message.dedupe.provider_id = id.to_string();
    loop {
        match stage.try_receive(key, message.clone()).await {
            Ok(version) => return version,
            Err(AppendError::Conflict { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_concurrent_appends_to_ten_sessions_are_all_kept_in_order() {
    let dir = TempDir::new().unwrap();
    let (database, stage) = database(&dir).await;
    let keys: Vec<SessionKey> = (0..10)
        .map(|number| direct(&format!("contact {number}")))
        .collect();
    let appends = (0..100_u128).map(|number| {
        let (database, key) = (database.clone(), keys[number as usize % 10].clone());
        tokio::spawn(async move { insist(&database, &key, "hello", number + 1).await })
    });
    let mut versions: Vec<u64> = join_all(appends)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    versions.sort_unstable();

    assert_eq!(
        versions,
        (1..=10)
            .flat_map(|version| [version; 10])
            .collect::<Vec<u64>>()
    );
    for key in &keys {
        let stored = stage.load(key).await;
        let steps = database.events(key.session(), 0, 100).await.unwrap();
        assert_eq!(
            (stored.version, stored.session.uncovered.len(), steps.len()),
            (10, 10, 10)
        );
    }
    database.close().await;
    let reopened = Database::open(dir.path()).await.unwrap();
    for key in &keys {
        let stored = reopened.load(key.session()).await.unwrap().unwrap();
        assert_eq!((stored.version, stored.session.uncovered.len()), (10, 10));
    }
}

#[tokio::test]
async fn a_chain_of_appends_in_one_batch_is_judged_in_order() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    let ana = direct("ana");
    // A second store on the side tells what each step would be.
    let aside = Stage::new(Arc::new(replygate_testkit::memory::MemoryStore::new()));
    let mut chain: Vec<Append> = Vec::new();
    for number in 0..20 {
        let message = stage.message(&ana, &number.to_string());
        let append = aside.arrival(&ana, message).await;
        aside.store.append(append.clone()).await.unwrap();
        chain.push(append);
    }
    let answers = join_all(chain.into_iter().map(|append| database.append(append))).await;
    let versions: Vec<u64> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(versions, (1..=20).collect::<Vec<u64>>());
    assert_eq!(stage.load(&ana).await, aside.load(&ana).await);
}

#[tokio::test]
async fn an_append_that_the_file_refuses_fails_alone() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    let taken = stage.arrive(&direct("ana"), "hello").await;
    let mut appends = Vec::new();
    for number in 0..10 {
        let key = direct(&format!("contact {number}"));
        let mut message = stage.message(&key, "hello");
        if number == 5 {
            message.id = taken;
        }
        appends.push(stage.arrival(&key, message).await);
    }
    let answers = join_all(appends.into_iter().map(|append| database.append(append))).await;
    let failed: Vec<usize> = (0..10).filter(|number| answers[*number].is_err()).collect();
    assert_eq!(failed, [5], "{answers:?}");
    assert_eq!(
        database.load(direct("contact 5").session()).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn a_fault_of_the_file_fails_who_waits_and_the_writer_recovers() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    let ana = direct("ana");
    stage.arrive(&ana, "one").await;
    let message = stage.message(&ana, "two");
    let append = stage.arrival(&ana, message).await;

    raw(&dir, "ALTER TABLE step RENAME TO elsewhere").await;
    let failed = database.append(append.clone()).await.unwrap_err();
    assert!(
        matches!(failed, AppendError::Store(StoreError::Unavailable(_))),
        "{failed:?}"
    );
    assert!(failed.source().is_some());
    assert_eq!(stage.load(&ana).await.version, 1);

    raw(&dir, "ALTER TABLE elsewhere RENAME TO step").await;
    assert_eq!(database.append(append).await.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_behind_a_held_file_fails_with_the_first() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    let mut appends = Vec::new();
    for contact in ["ana", "rui", "eva"] {
        let message = stage.message(&direct(contact), "hello");
        appends.push(stage.arrival(&direct(contact), message).await);
    }
    let file = format!("sqlite://{}", dir.path().join("replygate.db").display());
    let mut holder = SqliteConnection::connect(&file).await.unwrap();
    let begin = sqlx::raw_sql("BEGIN IMMEDIATE");
    begin.execute(&mut holder).await.unwrap();

    let ask = |append: &Append| {
        let (database, append) = (database.clone(), append.clone());
        tokio::spawn(async move { database.append(append).await })
    };
    let first = ask(&appends[0]);
    // Long enough for the writer to wait with the first alone, and far less than it waits.
    let (clock, a_moment) = (SystemClock::start(), Duration::from_millis(300));
    clock.sleep(a_moment).await;
    let behind = [ask(&appends[1]), ask(&appends[2])];
    clock.sleep(a_moment).await;
    assert!(first.await.unwrap().is_err());
    // From now on the file is free: whoever still waited would be stored.
    let free = sqlx::raw_sql("ROLLBACK");
    free.execute(&mut holder).await.unwrap();
    for waited in behind {
        let failed = waited.await.unwrap().unwrap_err();
        let held = matches!(failed, AppendError::Store(StoreError::Unavailable(_)));
        assert!(held, "{failed:?}");
    }
    for append in appends {
        assert_eq!(database.append(append).await.unwrap(), 1);
    }
}

/// Gives up after so many looks.
async fn patience(looks: usize) {
    for _ in 0..looks {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_gives_up_while_a_change_begins_leaves_no_transaction_behind() {
    let dir = TempDir::new().unwrap();
    let (database, _) = database(&dir).await;
    let version = SettingsVersion {
        version: 1,
        settings: ChannelSettings::new("given-up", "webchat"),
        by: "ana".to_owned(),
        at: At(1),
        reason: None,
        request_id: None,
    };
    for looks in 0..60 {
        tokio::select! {
            biased;
            () = patience(looks) => {}
            _ = database.save(version.clone()) => {}
        }
        let next = database.save(version.clone()).await;
        assert!(
            !matches!(next, Err(StaleSettings::Store(_))),
            "{looks}: {next:?}"
        );
    }
}

#[tokio::test]
async fn a_data_directory_belongs_to_one_process() {
    let dir = TempDir::new().unwrap();
    let (database, _) = database(&dir).await;
    let Err(refused) = Database::open(dir.path()).await else {
        panic!("opened twice")
    };
    assert!(matches!(&refused, OpenError::InUse { dir: named } if named == dir.path()));
    assert!(
        refused
            .to_string()
            .contains(&dir.path().display().to_string()),
        "{refused}"
    );

    let installation = database.installation();
    database.close().await;
    let again = Database::open(dir.path()).await.unwrap();
    assert_eq!(again.installation(), installation);
}

#[tokio::test]
#[cfg(unix)]
async fn nobody_else_may_read_the_data() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("made").join("deep");
    let database = Database::open(&data).await.unwrap();
    Stage::new(Arc::new(database))
        .arrive(&direct("ana"), "hello")
        .await;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    for entry in std::fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path) & 0o077, 0, "{}", path.display());
    }
}

#[tokio::test]
async fn a_closed_database_refuses_instead_of_losing() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    let message = stage.message(&direct("ana"), "hello");
    let append = stage.arrival(&direct("ana"), message).await;
    database.close().await;
    let refused = database.append(append).await.unwrap_err();
    assert!(
        matches!(refused, AppendError::Store(StoreError::Unavailable(_))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_backup_of_a_running_instance_is_a_working_copy() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    let ana = direct("ana");
    let (message, reply) = stage.exchange(&ana, "hello", "good day").await;
    let there = stage.load(&ana).await;
    let history = database.history(ana.session(), &[], 10).await.unwrap();

    for by_another_process in [false, true] {
        let elsewhere = TempDir::new().unwrap();
        let target = elsewhere.path().join("replygate.db");
        if by_another_process {
            backup_file(dir.path(), &target).await.unwrap();
        } else {
            database.backup(&target).await.unwrap();
        }
        let left: Vec<_> = std::fs::read_dir(elsewhere.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(left, ["replygate.db"]);
        let restored = Database::open(elsewhere.path()).await.unwrap();
        assert_eq!(
            restored.load(ana.session()).await.unwrap().as_ref(),
            Some(&there)
        );
        assert_eq!(
            restored.history(ana.session(), &[], 10).await.unwrap(),
            history
        );
        assert_eq!(restored.texts(&[message]).await.unwrap()[0].text, "hello");
        let mut stage = Stage::new(Arc::new(restored));
        stage.now = there.session.replies[0].not_before.plus(60_000);
        stage.hand_over(&ana, reply, accepted()).await;
    }
    assert_eq!(stage.load(&ana).await, there);
}

#[tokio::test]
async fn a_backup_never_overwrites() {
    let dir = TempDir::new().unwrap();
    let (database, _) = database(&dir).await;
    let target = dir.path().join("kept");
    std::fs::write(&target, "precious").unwrap();
    let refused = database.backup(&target).await.unwrap_err();
    assert!(matches!(refused, BackupError::Exists(_)), "{refused}");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
    let empty = TempDir::new().unwrap();
    let refused = backup_file(empty.path(), &empty.path().join("copy"))
        .await
        .unwrap_err();
    assert!(matches!(refused, BackupError::Missing(_)), "{refused}");
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused_by_name() {
    let dir = TempDir::new().unwrap();
    let (database, _) = database(&dir).await;
    database.close().await;
    raw(&dir, "PRAGMA user_version = 99").await;
    let newer = TempDir::new().unwrap();
    std::fs::copy(
        dir.path().join("replygate.db"),
        newer.path().join("replygate.db"),
    )
    .unwrap();
    let Err(refused) = Database::open(newer.path()).await else {
        panic!("opened a newer file")
    };
    assert!(
        matches!(refused, OpenError::Newer { found: 99, .. }),
        "{refused}"
    );
    assert!(refused.to_string().contains("newer replygate"), "{refused}");
}

fn traces(dir: &Path, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        for word in words {
            if bytes
                .windows(word.len())
                .any(|window| window == word.as_bytes())
            {
                found.push(format!("{word} in {}", path.display()));
            }
        }
    }
    found
}

#[tokio::test]
async fn an_erased_person_leaves_no_byte_behind() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    let ana = direct("ana-4711");
    // Neighbours before, between and after, of many sizes, so that pages split and rows move.
    for round in 0..40 {
        let other = direct(&format!("other {round}"));
        for _ in 0..3 {
            let text = "kept ".repeat(1 + round * 7 % 300);
            let (_, reply) = stage.exchange(&other, &text, &text).await;
            stage.hand_over(&other, reply, accepted()).await;
        }
        let secret = format!("secret-word {}", "x".repeat(round * 53 % 2_000));
        let (_, reply) = stage.exchange(&ana, &secret, "whispered-answer").await;
        stage.hand_over(&ana, reply, accepted()).await;
    }
    let words = ["ana-4711", "secret-word", "whispered-answer"];
    assert!(!traces(dir.path(), &words).is_empty());

    let forgotten = database.forget(None, "ana-4711").await.unwrap();
    assert_eq!(
        (forgotten.sessions, forgotten.messages, forgotten.replies),
        (1, 40, 40)
    );
    assert_eq!(traces(dir.path(), &words), Vec::<String>::new());
    assert!(!traces(dir.path(), &["kept kept"]).is_empty());
}

#[tokio::test]
async fn a_text_that_is_kept_at_hand_is_gone_once_it_was_pruned() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    let ana = direct("ana");
    let message = stage.message(&ana, "secret");
    let id = message.id;
    // At rest with a message that waits, as no decision leaves a session: its text is at hand and may be pruned.
    let arrival = Append {
        session: Session::default(),
        ..stage.arrival(&ana, message).await
    };
    database.append(arrival).await.unwrap();
    assert_eq!(database.texts(&[id]).await.unwrap()[0].text, "secret");

    let end = stage.now.plus(1);
    let before = Cutoffs {
        texts: end,
        ..Cutoffs::default()
    };
    let pruned = database.prune(&before, 10).await.unwrap();
    assert_eq!(pruned.texts, 1);
    assert_eq!(database.texts(&[id]).await.unwrap()[0].text, "");
}

#[tokio::test]
async fn any_text_and_any_contact_come_back_as_they_were() {
    let dir = TempDir::new().unwrap();
    let (database, mut stage) = database(&dir).await;
    for text in [
        "nul \0 inside\0",
        "👩‍👩‍👧‍👦 e\u{301}",
        "'); DROP TABLE step; --",
        &"ß".repeat(32 << 10),
    ] {
        let key = direct(text);
        let (message, reply) = stage.exchange(&key, text, text).await;
        assert_eq!(database.texts(&[message]).await.unwrap()[0].text, text);
        assert_eq!(database.replies(&[reply]).await.unwrap()[0].parts, [text]);
        let copy = TempDir::new().unwrap();
        database
            .backup(&copy.path().join("replygate.db"))
            .await
            .unwrap();
        // The copy has nothing in memory yet.
        let copied = Database::open(copy.path()).await.unwrap();
        assert_eq!(copied.load(key.session()).await.unwrap().unwrap().key, key);
        assert_eq!(copied.texts(&[message]).await.unwrap()[0].text, text);
        assert_eq!(copied.replies(&[reply]).await.unwrap()[0].parts, [text]);
    }
}
