//! Every process is replaced by another one in the middle of a storm: nothing is lost, nothing is doubled, and nothing is
//! left to a person.

use std::sync::Arc;
use std::time::Duration;

use replygate::simulate::storm;
use replygate_embedded::SystemClock;
use replygate_gate::ReplyStatus;
use replygate_ports::clock::Clock;

use crate::process::Process;
use crate::stand::{PLAN, Stand};

/// Between two replacements.
const PAUSE: Duration = Duration::from_millis(700);

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_in_a_storm_loses_and_doubles_nothing() {
    let Some(stand) = Stand::open(replygate::simulate::storm_toml).await else {
        return;
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let web = Process::start(&stand.place, "web");
    let workers = [(); 2].map(|()| Process::start(&stand.place, "worker"));
    let customer = stand.customer(&web.url, &clock);
    let channels = storm::Channels {
        ids: vec!["storm".to_owned(), "storm-debounce".to_owned()],
        delay_ms: 600,
    };
    let run = storm::Storm {
        customer: &customer,
        endpoint: &stand.endpoint,
        channels: &channels,
        clock: clock.clone(),
        run: "rolling".to_owned(),
        again: None,
    };
    let script = storm::script(&PLAN);
    let rolling = roll(&stand, web, workers, &clock);
    let (outcome, _running) = tokio::join!(storm::run(&run, &script), rolling);
    let outcome = outcome.unwrap();
    assert!(outcome.ok, "{outcome:?}");
    assert_eq!(outcome.ends.get(&ReplyStatus::Unknown), None, "{outcome:?}");
    assert!(outcome.delivered > 20, "{outcome:?}");
}

/// First a new worker, then the end of an old one; the web process gives its address to its successor.
async fn roll(
    stand: &Stand,
    web: Process,
    workers: [Process; 2],
    clock: &Arc<dyn Clock>,
) -> Vec<Process> {
    let mut running = Vec::new();
    for old in workers {
        clock.sleep(PAUSE).await;
        running.push(tokio::task::block_in_place(|| {
            let new = Process::start(&stand.place, "worker");
            assert!(old.stop().success());
            new
        }));
    }
    clock.sleep(PAUSE).await;
    running.push(tokio::task::block_in_place(|| {
        let address = web.address();
        assert!(web.stop().success());
        Process::start_at(&stand.place, "web", &address)
    }));
    running
}
