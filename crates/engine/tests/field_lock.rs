//! Reports from the field about who may work on a conversation: leases, takeovers by another process, stranded messages,
//! first contacts, writers that come back from the dead.

mod stage;

use std::time::Duration;

use replygate_gate::ReplyStatus::Delivered;
use replygate_gate::debounce::MessageKind;
use replygate_testkit::scripted::Latency;
use stage::cable::Cable;
use stage::{Setting, Stage, World, inbound, settle};

/// Life of a turn's lease, and how late the sweeper may be.
const LEASE: i64 = 15_000;
const SWEEP: i64 = 2_500;

/// FC-22
#[tokio::test(start_paused = true)]
async fn a_turn_longer_than_its_lease_keeps_the_session() {
    let stage = Stage::set(Setting::default().with_agent_ms(45_000)).await;
    stage
        .play(&[
            (0, "c30", "tg-2201", "Compare the three tariffs in detail."),
            (
                20_000,
                "c30",
                "tg-2202",
                "Include the student discount. #merge",
            ),
        ])
        .await;
    stage.until(46_000).await;
    assert_eq!(stage.runs_for("c30").len(), 1, "B waits for A's answer");
    stage.until(120_000).await;
    let runs = stage.runs_for("c30");
    assert_eq!(runs.len(), 2);
    assert!((46_200..47_000).contains(&runs[1].0), "{runs:?}");
    let judged = stage.events("c30").await;
    assert!(judged.iter().any(|event| event == "judged"));
    assert!(judged.iter().filter(|event| *event == "renewed").count() >= 16);
    assert_eq!(stage.screen("c30").len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_killed_holder_is_followed_by_another_process_within_a_lease() {
    for killed_at in [1_900, 6_100, 6_300, 10_000, 30_000] {
        let world = World::new(Setting::default().shared().with_agent_ms(45_000)).await;
        let first = world.open(1).await;
        first
            .write("c30", "1", "Compare the three tariffs in detail.")
            .await;
        first.until(1_500).await;
        let second = world.open(2).await;
        second.until(killed_at).await;
        first.kill().await;
        second.until(killed_at + LEASE + SWEEP).await;
        let runs = second.runs_for("c30");
        assert_eq!(runs.len(), 2, "killed at {killed_at}");
        second.until(200_000).await;
        assert_eq!(second.screen("c30").len(), 1);
        second.sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_starts_alone_goes_on_at_once() {
    let stage = Stage::set(Setting::default().with_agent_ms(8_000)).await;
    stage.write("c30b", "1", "¿Qué planes tienen?").await;
    stage.until(5_000).await;
    let stage = stage.crash(2).await;
    stage.until(5_050).await;
    assert_eq!(stage.runs_for("c30b").len(), 2, "no lease is waited for");
    stage.until(60_000).await;
    assert_eq!(stage.texts("c30b"), ["¿Qué planes tienen?"]);
    stage.sound().await;
}

/// FC-23: the turn ends at every instant around the end of the next window.
#[tokio::test(start_paused = true)]
async fn a_message_that_ripens_while_a_turn_ends_is_not_stranded() {
    for run_ms in 1_785..=1_815 {
        let stage = Stage::set(Setting::default().with_agent_ms(run_ms)).await;
        stage
            .play(&[
                (0, "c31", "wc-2301", "qual o horário de hoje?"),
                (1_802, "c31", "wc-2302", "e amanhã?"),
            ])
            .await;
        stage.until(10_000).await;
        let runs = stage.runs_for("c31");
        assert_eq!(runs.len(), 2, "a run of {run_ms} ms");
        assert!(runs[1].0 <= 4_000, "{runs:?}");
        stage.sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_that_comes_at_the_very_end_of_a_turn_is_not_stranded() {
    for arrives in 2_985..=3_015 {
        let stage = Stage::set(Setting::without_debounce().with_agent_ms(3_000)).await;
        stage
            .play(&[(0, "c32", "1", "first"), (arrives, "c32", "2", "second")])
            .await;
        stage.until(20_000).await;
        assert_eq!(stage.texts("c32"), ["first", "second"], "at {arrives}");
        stage.sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_message_taken_in_by_another_process_is_not_stranded() {
    for arrives in 2_990..=3_010 {
        let world = World::new(Setting::without_debounce().shared().with_agent_ms(3_000)).await;
        let one = world.open_over(1, Cable::to(world.store.clone())).await;
        let two = world.open_over(2, Cable::to(world.store.clone())).await;
        one.play(&[(0, "c33", "1", "first")]).await;
        two.play(&[(arrives, "c33", "2", "second")]).await;
        two.until(20_000).await;
        assert_eq!(two.texts("c33"), ["first", "second"], "at {arrives}");
        two.sound().await;
    }
}

/// FC-27
#[tokio::test(start_paused = true)]
async fn two_processes_that_meet_a_new_contact_make_one_session_and_one_turn() {
    let world = World::new(Setting::default().shared()).await;
    let one = world.open_over(1, Cable::to(world.store.clone())).await;
    let two = world.open_over(2, Cable::to(world.store.clone())).await;
    let mut picture = inbound("webchat", "c36", "wa-2701", "");
    picture.kind = MessageKind::Media;
    let mut note = inbound("webchat", "c36", "wa-2702", "yeh wala chahiye");
    note.kind = MessageKind::Voice;
    let (first, second) = tokio::join!(one.engine.receive(picture), two.engine.receive(note));
    settle().await;
    assert_eq!(first.unwrap().session, second.unwrap().session);
    one.until(30_000).await;
    let runs = one.world.props.agent.runs();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].turn.messages.len(), 2);
    assert_eq!(one.screen("c36").len(), 1);
    one.sound().await;
}

#[tokio::test(start_paused = true)]
async fn many_first_messages_at_once_are_one_session_each_once() {
    let world = World::new(Setting::default().shared()).await;
    let one = world.open_over(1, Cable::to(world.store.clone())).await;
    let two = world.open_over(2, Cable::to(world.store.clone())).await;
    let sends = (0..16).map(|index| {
        let stage = if index % 2 == 0 { &one } else { &two };
        // Every message comes twice, once to each process.
        let id = format!("m{}", index / 2);
        stage.engine.receive(inbound("webchat", "c36b", &id, &id))
    });
    let received = futures::future::join_all(sends).await;
    let duplicates = received
        .iter()
        .filter(|one| one.as_ref().unwrap().duplicate);
    assert_eq!(duplicates.count(), 8);
    one.until(30_000).await;
    let runs = one.runs_for("c36b");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].1.len(), 8);
    one.sound().await;
}

/// FC-28
#[tokio::test(start_paused = true)]
async fn a_worker_that_comes_back_after_its_lease_may_change_nothing() {
    let world = World::new(Setting::default().shared().with_agent_ms(10_000)).await;
    let cable = Cable::to(world.store.clone());
    let first = world.open_over(1, cable.clone()).await;
    first
        .write(
            "c37",
            "wc-2801",
            "Open a ticket for the broken lamp #effect",
        )
        .await;
    first.until(4_000).await;
    let second = world.open(2).await;
    // The first loses its network and lives on: its agent ends, wants its effect, and fails.
    cable.cut();
    second.until(24_000).await;
    let taken = |events: &[String]| events.iter().filter(|event| *event == "taken").count();
    assert_eq!(taken(&second.events("c37").await), 2, "the second goes on");
    cable.mend();
    second.until(90_000).await;
    let effects = second.world.props.agent.effects();
    assert_eq!(effects.len(), 1, "one ticket exists");
    let events = second.events("c37").await;
    let count = |name: &str| events.iter().filter(|event| *event == name).count();
    assert_eq!(count("committed"), 1);
    assert_eq!(count("replied"), 1);
    assert_eq!(count("effect_reserved"), 1);
    assert_eq!(second.statuses("c37").await, [Delivered]);
    second.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_worker_whose_lease_ran_out_unseen_stops_by_its_own_clock() {
    let world = World::new(Setting::default().shared().with_agent_ms(40_000)).await;
    let cable = Cable::to(world.store.clone());
    let first = world.open_over(1, cable.clone()).await;
    first.write("c37b", "1", "Reserva dos lugares.").await;
    first.until(2_000).await;
    assert!(first.engine.figures().tasks > 0);
    cable.cut();
    first.until(1_200 + LEASE + 100).await;
    assert_eq!(
        first.engine.figures().tasks,
        0,
        "nothing runs on without a lease"
    );
    cable.mend();
    first.until(120_000).await;
    assert_eq!(first.texts("c37b"), ["Reserva dos lugares."]);
    first.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_meets_a_short_outage_is_committed_without_another_run() {
    let world = World::new(Setting::default().shared().with_agent_ms(2_000)).await;
    let cable = Cable::to(world.store.clone());
    let stage = world.open_over(1, cable.clone()).await;
    stage.write("c37c", "1", "Quanto custa?").await;
    stage.until(3_000).await;
    cable.cut();
    // The agent answers at 3.2 s, and the lease would last until 16.2 s.
    stage.until(8_000).await;
    assert_eq!(stage.runs_for("c37c").len(), 1);
    cable.mend();
    stage.until(60_000).await;
    assert_eq!(stage.runs_for("c37c").len(), 1, "the answer was there");
    assert_eq!(stage.texts("c37c"), ["Quanto custa?"]);
    assert!(!stage.events("c37c").await.contains(&"turn_lost".to_owned()));
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_comes_after_the_lease_is_dropped_and_the_followers_stands() {
    let world = World::new(Setting::default().shared().with_agent_ms(20_000)).await;
    let cable = Cable::to(world.store.clone());
    let first = world.open_over(1, cable.clone()).await;
    first.write("c38", "1", "Manda o orçamento.").await;
    first.until(3_000).await;
    let second = world.open(2).await;
    cable.cut();
    // Its lease ended; its network is back before its agent answers at 21.2 s.
    second.until(20_500).await;
    cable.mend();
    second.until(120_000).await;
    let events = second.events("c38").await;
    let count = |name: &str| events.iter().filter(|event| *event == name).count();
    assert_eq!((count("taken"), count("committed")), (2, 1));
    assert_eq!(second.texts("c38"), ["Manda o orçamento."]);
    second.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_sender_that_loses_the_store_leaves_unknown_never_a_second_delivery() {
    let setting = Setting {
        channel: Latency::fixed(Duration::from_secs(3)),
        ..Setting::without_debounce().shared()
    };
    let world = World::new(setting).await;
    let cable = Cable::to(world.store.clone());
    let first = world.open_over(1, cable.clone()).await;
    first.write("c39", "1", "is it you?").await;
    first.until(1_000).await;
    let second = world.open(2).await;
    cable.cut();
    second.until(60_000).await;
    assert_eq!(second.screen("c39").len(), 1);
    assert_eq!(second.statuses("c39").await[0].as_str(), "UNKNOWN");
    second.sound().await;
}
