//! The write-ahead log: whoever writes has it moved into the file, so that it never grows without end.

use futures::future::try_join_all;
use replygate_embedded::Database;
use replygate_gate::tools::{Fingerprint, Guarding, Moment, Recipe, Scope};
use replygate_gate::{ActionId, At};
use replygate_ports::ledger::{Ledger, NewCall, Reserved, Runner, Settlement};
use replygate_testkit::contract::stage::direct;
use serde_json::json;
use tempfile::TempDir;

/// A log of so many bytes has been moved for certain: it is begun anew after 64 MiB.
const LONGEST: u64 = 96 << 20;
/// So many calls would make a log twice as long, were it not moved.
const CALLS: u128 = 8_000;

fn call(id: u128) -> NewCall {
    let arguments = json!({ "order_id": id.to_string(), "text": "x".repeat(2_000) });
    let comparison = Recipe::default().compare("pay", &arguments);
    let whom = direct("ana");
    NewCall {
        action: ActionId(id),
        fingerprint: Fingerprint::of("pay", &comparison, Scope::Contact, &whom),
        tool: "pay".to_owned(),
        whom,
        turn: None,
        arguments,
        comparison,
        guarding: Guarding::default(),
        runner: Runner::Outside,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_tools_alone_have_the_log_moved_into_the_file() {
    let dir = TempDir::new().unwrap();
    let database = Database::open(dir.path()).await.unwrap();
    let moment = Moment::at(At(1_900_000_000_000));
    let size = |name: &str| std::fs::metadata(dir.path().join(name)).unwrap().len();
    let made = |id| {
        let (database, moment) = (&database, &moment);
        async move {
            let reserved = database.reserve(call(id), moment).await.unwrap();
            assert!(matches!(reserved, Reserved::Run { .. }));
            let result = json!({ "id": id.to_string() });
            let done = Settlement::Done { result };
            database.settle(ActionId(id), done, moment).await
        }
    };
    for round in 0..CALLS / 200 {
        let from = round * 200;
        try_join_all((from..from + 200).map(|id| made(id + 1)))
            .await
            .unwrap();
        assert!(size("replygate.db-wal") < LONGEST, "after {round} rounds");
    }
    assert!(size("replygate.db") > 8 << 20);
    database.close().await;
}
