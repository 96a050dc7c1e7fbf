//! A storm against one worker and against three: no breach.

use std::sync::Arc;

use replygate::simulate::{storm, storm_toml};
use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock;

use crate::process::Process;
use crate::stand::{PLAN, Stand};

/// One web process and so many workers.
pub fn processes(stand: &Stand, workers: usize) -> Vec<Process> {
    let roles = std::iter::once("web").chain(std::iter::repeat_n("worker", workers));
    roles
        .map(|role| Process::start(&stand.place, role))
        .collect()
}

async fn stands_the_storm(workers: usize) {
    let Some(stand) = Stand::open(storm_toml).await else {
        return;
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let processes = processes(&stand, workers);
    let customer = stand.customer(&processes[0].url, &clock);
    let channels = storm::Channels {
        ids: vec!["storm".to_owned(), "storm-debounce".to_owned()],
        delay_ms: 600,
    };
    let run = storm::Storm {
        customer: &customer,
        endpoint: &stand.endpoint,
        channels: &channels,
        clock,
        run: "storm".to_owned(),
        again: None,
    };
    let outcome = storm::run(&run, &storm::script(&PLAN)).await.unwrap();
    assert!(outcome.ok, "{outcome:?}");
    assert_eq!((outcome.refused, outcome.lost), (0, 0), "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_worker_stands_the_storm() {
    stands_the_storm(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_workers_stand_the_storm() {
    stands_the_storm(3).await;
}
