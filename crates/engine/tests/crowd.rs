//! Many messages for one session at once: they queue up, so that each costs the store what it costs alone.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod stage;

use futures::future::join_all;
use replygate_engine::{Received, StepError};
use replygate_gate::{Event, MessageId};
use replygate_ports::clock::Clock;
use replygate_ports::store::Store;
use stage::cable::Cable;
use stage::{Setting, Stage, World, inbound, key};

const CROWD: usize = 300;

/// What became of messages `from..from + CROWD` that all came at one instant.
async fn crowd(stage: &Stage, from: usize) -> Vec<Result<Received, StepError>> {
    let messages = (from..from + CROWD).map(|number| {
        let message = inbound("webchat", "c90", &format!("m{number}"), "¿Hay talla 40?");
        stage.engine.receive(message)
    });
    join_all(messages).await
}

#[tokio::test(start_paused = true)]
async fn each_of_many_messages_at_once_is_stored_with_one_append() {
    let world = World::new(Setting::default()).await;
    let cable = Cable::to(world.store.clone());
    let stage = world.open_over(1, cable.clone()).await;
    let before = (cable.appends(), cable.calls());
    let received = crowd(&stage, 0).await;
    let (appends, calls) = (cable.appends() - before.0, cable.calls() - before.1);
    assert!(received.iter().all(Result::is_ok));
    assert_eq!(appends, 300);
    // One load for all, and one for each message that finds the session ripe and its turn taken.
    assert!(calls <= 300 + 300 + 10, "{calls} calls");
    stage.until(60_000).await;
    assert_eq!(stage.fates("c90").await.len(), CROWD);
    assert_eq!(stage.screen("c90").len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_crowd_is_taken_in_in_the_order_in_which_it_came() {
    let world = World::new(Setting::default()).await;
    let stage = world.open_over(1, Cable::to(world.store.clone())).await;
    let received = crowd(&stage, 0).await;
    let came: Vec<_> = received
        .into_iter()
        .map(|one| one.unwrap().message)
        .collect();
    assert_eq!(taken_in(&stage).await, came);
    stage.until(60_000).await;
    stage.sound().await;
}

/// The messages in the order in which the session took them in.
async fn taken_in(stage: &Stage) -> Vec<MessageId> {
    let session = key("webchat", "c90").session();
    let steps = stage.world.store.events(session, 0, 10_000).await.unwrap();
    let events = steps.into_iter().flat_map(|step| step.events);
    events
        .filter_map(|event| match event {
            Event::Arrived { message, .. } => Some(message),
            _ => None,
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn crowds_at_two_processes_take_turns_and_nobody_is_sent_away() {
    let world = World::new(Setting::default().with_peers()).await;
    let cables = [(); 2].map(|()| Cable::to(world.store.clone()));
    let one = world.open_over(1, cables[0].clone()).await;
    let two = world.open_over(2, cables[1].clone()).await;
    let appends = || cables.iter().map(|cable| cable.appends()).sum::<u64>();
    let before = appends();
    let (mine, yours) = tokio::join!(crowd(&one, 0), crowd(&two, CROWD));
    let spent = appends() - before;
    assert!(mine.iter().chain(&yours).all(Result::is_ok));
    // What is lost where one process follows the other is a fraction.
    assert!(spent < 600 + 300, "{spent} appends");
    one.until(60_000).await;
    assert_eq!(one.fates("c90").await.len(), 2 * CROWD);
    one.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_crowd_before_a_store_that_hangs_is_sent_away_together() {
    let world = World::new(Setting::default()).await;
    let cable = Cable::to(world.store.clone());
    let stage = world.open_over(1, cable.clone()).await;
    stage.until(1_000).await;
    cable.cut_slowly(2_000);
    let began = world.clock.now();
    let received = crowd(&stage, 0).await;
    assert!(received.iter().all(Result::is_err));
    let waited = world.clock.now().since(began);
    assert!(waited < 2_500, "{waited} ms");
    cable.mend();
    let received = crowd(&stage, 0).await;
    assert!(received.iter().all(Result::is_ok), "nothing is left behind");
    stage.until(120_000).await;
    stage.sound().await;
}
