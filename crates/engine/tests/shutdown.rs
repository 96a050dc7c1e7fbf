//! The process ends in order: what runs is finished, what is too slow is handed back, and the next process goes on with
//! nothing lost or doubled.

mod stage;

use std::time::Duration;

use replygate_gate::ReplyStatus::Delivered;
use replygate_testkit::scripted::Latency;
use stage::{Setting, Stage, World};

fn drained_in(drain_ms: u64) -> Setting {
    let mut setting = Setting::default();
    setting.tuning.drain_ms = drain_ms;
    setting
}

fn count(events: &[String], name: &str) -> usize {
    events.iter().filter(|event| *event == name).count()
}

#[tokio::test(start_paused = true)]
async fn a_running_turn_is_finished_before_the_process_ends() {
    let stage = Stage::set(drained_in(10_000).with_agent_ms(4_000)).await;
    stage.write("d1", "1", "Quanto custa?").await;
    stage.until(2_000).await;
    let world = stage.world.clone();
    stage.close().await;
    let stage = world.open(2).await;
    assert!((5_200..7_000).contains(&stage.t()), "{}", stage.t());
    stage.until(30_000).await;
    let events = stage.events("d1").await;
    assert_eq!(
        (count(&events, "taken"), count(&events, "committed")),
        (1, 1)
    );
    assert_eq!(stage.screen("d1").len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_too_slow_is_handed_back_and_taken_again() {
    let stage = Stage::set(drained_in(3_000).with_agent_ms(20_000)).await;
    stage.write("d2", "1", "¿Cuánto cuesta?").await;
    stage.until(2_000).await;
    let world = stage.world.clone();
    stage.close().await;
    assert_eq!(count_in(&world, "d2", "turn_lost").await, 1);
    let stage = world.open(2).await;
    assert!((5_000..5_500).contains(&stage.t()), "{}", stage.t());
    stage.until(60_000).await;
    assert_eq!(stage.runs_for("d2").len(), 2);
    assert_eq!(stage.texts("d2"), ["¿Cuánto cuesta?"]);
    stage.sound().await;
}

async fn count_in(world: &World, contact: &str, name: &str) -> usize {
    use replygate_ports::store::Store;
    let session = stage::key("webchat", contact).session();
    let steps = world.store.events(session, 0, 1_000).await;
    let steps = steps.unwrap_or_default();
    let events = steps.iter().flat_map(|step| &step.events);
    events.filter(|event| event.name() == name).count()
}

#[tokio::test(start_paused = true)]
async fn another_process_goes_on_at_once_with_what_was_handed_back() {
    let mut setting = drained_in(1_000).shared().with_agent_ms(20_000);
    setting.tuning.sweep_every_ms = 500;
    setting.tuning.sweep_grace_ms = 500;
    let world = World::new(setting).await;
    let one = world.open(1).await;
    one.write("d3", "1", "Vocês entregam?").await;
    one.until(2_000).await;
    let two = world.open(2).await;
    one.close().await;
    two.until(two.t() + 1_100).await;
    assert_eq!(two.runs_for("d3").len(), 2, "without waiting for the lease");
    two.until(120_000).await;
    assert_eq!(two.texts("d3"), ["Vocês entregam?"]);
    two.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_hand_over_under_way_is_settled_before_the_process_ends() {
    let setting = Setting {
        channel: Latency::fixed(Duration::from_secs(5)),
        ..Setting::without_debounce()
    };
    let stage = Stage::set(setting).await;
    stage.write("d4", "1", "ok?").await;
    stage.until(1_000).await;
    let world = stage.world.clone();
    stage.close().await;
    let stage = world.open(2).await;
    assert_eq!(stage.statuses("d4").await, [Delivered]);
    stage.until(60_000).await;
    assert_eq!(stage.screen("d4").len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn windows_delays_and_ladders_go_on_after_a_restart() {
    let stage = Stage::set(Setting::default()).await;
    stage.write("d5", "1", "quero dois").await;
    stage.write("d6", "1", "Chegou?").await;
    // d6 is answered and waits for its delay, d5 waits for its window.
    stage.until(1_500).await;
    let world = stage.world.clone();
    stage.close().await;
    let stage = world.open(2).await;
    stage.until(30_000).await;
    assert_eq!(stage.screen("d6"), [(1_800, "Chegou?".to_owned())]);
    assert_eq!(stage.screen("d5"), [(3_100, "quero dois".to_owned())]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn no_turn_begins_while_the_process_ends_and_what_comes_in_is_kept() {
    let stage = Stage::set(drained_in(10_000).with_agent_ms(6_000)).await;
    stage.play(&[(0, "d7", "1", "First?")]).await;
    stage.until(1_500).await;
    let (world, engine) = (stage.world.clone(), stage.engine.clone());
    let (received, ()) = tokio::join!(
        async {
            world.clock_sleep(1_000).await;
            engine
                .receive(stage::inbound("webchat", "d8", "1", "Second?"))
                .await
        },
        stage.close()
    );
    assert!(!received.unwrap().duplicate);
    let runs = world.props.agent.runs();
    assert_eq!(runs.len(), 1, "the second waits for the next process");
    let stage = world.open(2).await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("d7"), ["First?"]);
    assert_eq!(stage.texts("d8"), ["Second?"]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn whenever_the_process_ends_nothing_is_lost_or_doubled() {
    for step in 0..30 {
        let stage = Stage::set(drained_in(700).with_agent_ms(900)).await;
        stage
            .play(&[
                (0, "d9", "1", "Quanto custa?"),
                (400, "e9", "1", "Onde fica?"),
            ])
            .await;
        stage.until(400 + 150 * step).await;
        let world = stage.world.clone();
        stage.close().await;
        let stage = world.open(2).await;
        stage.until(stage.t() + 60_000).await;
        assert_eq!(stage.texts("d9"), ["Quanto custa?"], "step {step}");
        assert_eq!(stage.texts("e9"), ["Onde fica?"], "step {step}");
        stage.sound().await;
    }
}
