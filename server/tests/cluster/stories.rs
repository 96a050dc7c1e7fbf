//! The stories against one worker and against three: the same verdicts, and the parking story as the broker saw it.

use std::sync::Arc;

use replygate::simulate::{seeds, seeds_toml};
use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock;

use crate::broker::Broker;
use crate::metronome::Metronome;
use crate::plays::processes;
use crate::stand::Stand;

/// A machine with a lot to do is late now and then, and what comes late is another story: a play is repeated where the
/// machine was late by so much at once. One that differs on a machine that was on time is wrong.
const EXCUSED_MS: u64 = 30;
const PLAYS: usize = 4;
/// Attempts against the lock that nobody releases, and its end, since the first attempt. Milliseconds.
const LADDER_MS: [i64; 4] = [0, 300, 900, 2_100];
/// How late a step may be.
const LATE_MS: i64 = 150;

async fn tells_the_stories(workers: usize) {
    let Some(stand) = Stand::open(seeds_toml).await else {
        return;
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let processes = processes(&stand, workers);
    let broker = Broker::follow(&stand.place, clock.clone()).await;
    let customer = stand.customer(&processes[0].url, &clock);
    let channels = seeds::Channels {
        plain: "seeds".to_owned(),
        debounce: "seeds-debounce".to_owned(),
    };
    let metronome = Metronome::start(&stand.place).await;
    let mut differs = Vec::new();
    for number in 0..PLAYS {
        metronome.late_ms();
        let (clock, run) = (clock.clone(), format!("play{number}"));
        let played = seeds::play(&customer, &stand.endpoint, &channels, clock, &run).await;
        let outcome = played.unwrap();
        let late = metronome.late_ms();
        let times = parking_story(&broker, number);
        println!("what the broker saw of the parking story: {times:?} ms, expected {LADDER_MS:?}");
        let is_on_time = |(at, wanted): (&i64, &i64)| (at - wanted).abs() <= LATE_MS;
        if outcome.ok && times.iter().zip(&LADDER_MS).all(is_on_time) {
            return;
        }
        let what = seeds::print(&outcome);
        let play = format!("play {number}, the machine being late by {late} ms: {times:?}\n{what}");
        assert!(late >= EXCUSED_MS, "on a machine that was on time: {play}");
        println!("{play}");
        differs.push(play);
    }
    panic!(
        "the machine was late in every play:\n{}",
        differs.join("\n")
    );
}

/// Straight from what went through the exchange, in milliseconds since the first attempt: when each attempt's ticket was
/// published, and when the reply was parked.
fn parking_story(broker: &Broker, number: usize) -> Vec<i64> {
    let parked = broker.parked();
    assert_eq!(
        parked.len(),
        number + 1,
        "one reply of a play is parked: {parked:?}"
    );
    let parked = &parked[number];
    assert_eq!(parked.body["reason"], "lock_stuck");
    let tickets = broker.tickets_of(&parked.body["reply"]);
    let first_of = |attempt: i64| {
        let mut of = tickets
            .iter()
            .filter(|seen| seen.body["attempt"] == attempt);
        of.next().map(|seen| seen.at.0)
    };
    let times: Vec<i64> = (1..=3).filter_map(first_of).chain([parked.at.0]).collect();
    assert_eq!(times.len(), LADDER_MS.len(), "{tickets:?}");
    times.iter().map(|time| time - times[0]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_worker_tells_the_stories() {
    tells_the_stories(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_workers_tell_the_stories() {
    tells_the_stories(3).await;
}
