use replygate_gate::{At, ReplyStatus};
use replygate_ports::activity::ActivityLog as _;
use replygate_ports::activity::ActivityQuery;
use replygate_ports::clock::Clock as _;
use replygate_ports::figures::{Figures as _, Stretch};
use replygate_ports::ledger::{DuplicateQuery, Ledger as _};
use replygate_ports::operations::{ItemState, OperationState, Operations as _};
use replygate_ports::views::{ReplyQuery, SessionQuery, Views as _};

use super::*;

fn at(folder: &Path) -> Config {
    let mut config = config(&Environment::default()).unwrap();
    config.server.data_dir = folder.to_owned();
    config
}

#[tokio::test]
async fn a_day_has_every_status_deeds_of_people_and_ends_now() {
    let folder = tempfile::tempdir().unwrap();
    let config = at(&folder.path().join("demo"));
    prepare(&config).await.unwrap();
    // Once played it is only opened.
    prepare(&config).await.unwrap();
    assert!(is_demo(&config.server.data_dir));

    let database = Database::open(&config.server.data_dir).await.unwrap();
    for status in [
        ReplyStatus::Delivered,
        ReplyStatus::Cancelled,
        ReplyStatus::Superseded,
        ReplyStatus::Parked,
        ReplyStatus::Unknown,
        ReplyStatus::Expired,
        ReplyStatus::Discarded,
    ] {
        let query = ReplyQuery {
            statuses: vec![status],
            limit: 1,
            ..ReplyQuery::default()
        };
        let found = database.reply_list(&query).await.unwrap();
        assert_eq!(found.len(), 1, "no reply is {status:?}");
    }
    let query = SessionQuery {
        limit: 1,
        ..SessionQuery::default()
    };
    let sessions = database.sessions(&query).await.unwrap();
    let newest = sessions[0].last_activity;
    let age = replygate_embedded::SystemClock::start().now().since(newest);
    assert!(age < 30 * 60_000, "the newest conversation is {age} ms old");
    let query = ActivityQuery {
        limit: 100,
        ..ActivityQuery::default()
    };
    let deeds = database.entries(&query).await.unwrap();
    let verbs: std::collections::BTreeSet<String> =
        deeds.into_iter().map(|entry| entry.activity.verb).collect();
    for verb in [
        "reprocess",
        "plan",
        "start_operation",
        "discard",
        "take_over",
        "say",
        "hand_back",
        "save_settings",
        "verdict",
    ] {
        assert!(verbs.contains(verb), "nobody did {verb}: {verbs:?}");
    }
    let open = DuplicateQuery {
        unjudged_only: true,
        limit: 1,
        ..DuplicateQuery::default()
    };
    let left = database.duplicates(&open).await.unwrap();
    assert_eq!(left.len(), 1, "no avoided duplicate is left to judge");
    assert!(left[0].said.is_some() && left[0].first.is_some());
    let operations = database.operations(None, 10).await.unwrap();
    let [bulk] = &operations[..] else {
        panic!("{operations:?}")
    };
    assert_eq!(bulk.state, OperationState::Finished, "{bulk:?}");
    assert_eq!(bulk.reason.as_deref(), Some("provider is back"));
    for (state, least) in [(ItemState::Delivered, 3), (ItemState::Skipped, 1)] {
        assert!(bulk.count(state) >= least, "{state:?}: {bulk:?}");
    }
    assert_eq!(bulk.count(ItemState::Queued), 0, "{bulk:?}");
    let waits = waits(&database).await;
    assert!(waits.len() > 300, "{}", waits.len());
    let long: Vec<u64> = waits.into_iter().filter(|ms| *ms > 60_000).collect();
    // Whoever wrote while the provider was away and was answered by itself afterwards.
    assert!(long.len() <= 3, "too many waited long: {long:?}");
    database.close().await;
}

/// How long the day's customers waited, by the day's own clock, in milliseconds.
async fn waits(database: &Database) -> Vec<u64> {
    let stretch = Stretch {
        channel: None,
        from: At(0),
        to: At(i64::MAX),
    };
    let times = database.reply_times(&stretch, 5_000).await.unwrap();
    times.into_iter().map(|time| time.waited_ms).collect()
}

/// What a stranger's first page says.
async fn sign_in_page(mut config: Config) -> String {
    config.server.listen = ([127, 0, 0, 1], 0).into();
    let running = crate::Server::start(config).await.unwrap();
    let page = reqwest::get(format!("{}/sign-in", running.url()));
    let text = page.await.unwrap().text().await.unwrap();
    running.stop().await.unwrap();
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_says_that_it_is_a_demo_and_no_page_of_anything_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let config = at(folder.path());
    let page = sign_in_page(config.clone()).await;
    assert!(!page.contains("Demo data"), "{page}");
    std::fs::write(folder.path().join(MARK), PLAYED).unwrap();
    let page = sign_in_page(config).await;
    assert!(page.contains("Demo data"), "{page}");
}

#[test]
fn the_environment_names_another_folder() {
    assert_eq!(
        config(&Environment::default()).unwrap().server.data_dir,
        Path::new("demo-data")
    );
    let environment = Environment::of([("REPLYGATE__SERVER__DATA_DIR", "elsewhere")]);
    let named = config(&environment).unwrap().server.data_dir;
    assert_eq!(named, Path::new("elsewhere"));
}

#[tokio::test]
async fn a_folder_that_holds_anything_else_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let error = prepare(&at(folder.path())).await.unwrap_err();
    assert!(error.to_string().contains("is not empty and holds no demo"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_day_that_was_interrupted_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(MARK), PLAYING).unwrap();
    let error = prepare(&at(folder.path())).await.unwrap_err();
    assert!(error.to_string().contains("was interrupted"));
}
