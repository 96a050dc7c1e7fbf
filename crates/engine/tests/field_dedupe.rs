//! Reports from the field about messages that come twice: by id, in their scope, over restarts, and never by text.

mod stage;

use replygate_gate::{At, DropReason};
use replygate_ports::changes::MessageState::Dropped;
use replygate_ports::channel::Inbound;
use replygate_ports::clock::Clock;
use replygate_testkit::clock::EPOCH;
use stage::cable::Cable;
use stage::{Setting, Stage, World, inbound};

const HOUR: i64 = 3_600_000;

/// FC-53
#[tokio::test(start_paused = true)]
async fn a_webhook_that_comes_again_while_the_agent_thinks_is_one_turn() {
    let stage = Stage::set(Setting::default().with_agent_ms(40_000)).await;
    for (t, duplicate) in [
        (0, false),
        (20_000, true),
        (60_000, true),
        (3_600_000, true),
    ] {
        stage.until(t).await;
        let began = stage.world.clock.now();
        let received = stage
            .write("c60", "wa-4801", "Can I return an opened box?")
            .await;
        assert_eq!(received.duplicate, duplicate);
        assert!(
            stage.world.clock.now().since(began) < 1_000,
            "acknowledged at once"
        );
    }
    assert_eq!(stage.runs_for("c60").len(), 1);
    assert_eq!(stage.screen("c60").len(), 1);
    assert_eq!(stage.fates("c60").await.len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn one_webhook_at_two_processes_at_once_is_one_message() {
    let world = World::new(Setting::default().shared()).await;
    let one = world.open_over(1, Cable::to(world.store.clone())).await;
    let two = world.open_over(2, Cable::to(world.store.clone())).await;
    for round in 0..10 {
        let line = || inbound("webchat", "c61", &format!("m{round}"), "¿Tienen talla 40?");
        let (first, second) = tokio::join!(one.engine.receive(line()), two.engine.receive(line()));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!(first.message, second.message);
        assert_ne!(first.duplicate, second.duplicate);
    }
    one.until(60_000).await;
    assert_eq!(one.fates("c61").await.len(), 10);
    one.sound().await;
}

/// FC-58
#[tokio::test(start_paused = true)]
async fn an_id_is_unique_only_in_its_scope() {
    let stage = Stage::set(Setting::default().and_channels(&["telegram"])).await;
    let mut account = inbound("webchat", "c65", "AB12", "我要退货");
    account.key.account = "second".to_owned();
    let all = [
        inbound("webchat", "c65", "AB12", "我要退货"),
        inbound("webchat", "c66", "AB12", "你们在哪里？"),
        inbound("telegram", "c65", "AB12", "我要退货"),
        account,
    ];
    for (index, line) in all.iter().enumerate() {
        stage.until(400 * index as i64).await;
        assert!(!stage.receive(line.clone()).await.duplicate);
    }
    for line in all {
        assert!(stage.receive(line).await.duplicate);
    }
    stage.until(60_000).await;
    assert_eq!(stage.runs().len(), 4);
    assert_eq!(stage.world.props.channel.delivered().len(), 4);
    stage.sound().await;
}

/// FC-59
#[tokio::test(start_paused = true)]
async fn equal_text_is_not_the_same_message() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .play(&[(0, "c67", "wc-5401", "हाँ"), (9_000, "c67", "wc-5402", "हाँ")])
        .await;
    stage.until(15_000).await;
    assert!(stage.write("c67", "wc-5402", "हाँ").await.duplicate);
    stage.until(60_000).await;
    assert_eq!(stage.runs_for("c67").len(), 2);
    assert_eq!(stage.texts("c67"), ["हाँ", "हाँ"]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn two_equal_messages_in_one_burst_are_both_seen() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .play(&[
            (0, "c67b", "1", "sim"),
            (200, "c67b", "2", "sim"),
            (300, "c67b", "3", "sim!"),
        ])
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("c67b"), ["sim | sim | sim!"]);
}

fn sent(id: &str, contact: &str, text: &str, at: i64) -> Inbound {
    Inbound {
        sent_at: Some(At(EPOCH.0 + at)),
        ..inbound("webchat", contact, id, text)
    }
}

/// FC-60
#[tokio::test(start_paused = true)]
async fn yesterdays_messages_are_shown_and_answered_by_nobody() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .receive(sent("fb-5500", "c68", "good morning, is it free?", 0))
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.screen("c68").len(), 1);
    // The bridge starts anew after an outage and replays what it has; so do we.
    stage.until(20 * HOUR).await;
    let stage = stage.crash(2).await;
    let start = stage.t();
    let old = start - 20 * HOUR;
    let lines = [
        (sent("fb-5500", "c68", "good morning, is it free?", 0), true),
        (
            sent("fb-5501", "c68", "hello, is the flat still free?", old),
            false,
        ),
        (sent("fb-5502", "c68", "I can come on Friday", old), false),
        (
            sent("fb-5503", "c69", "good evening", start - 90_000),
            false,
        ),
    ];
    for (line, duplicate) in lines {
        assert_eq!(stage.receive(line).await.duplicate, duplicate);
    }
    stage.until(start + 60_000).await;
    assert_eq!(stage.screen("c68").len(), 1, "nothing new");
    assert_eq!(stage.texts("c69"), ["good evening"]);
    let fates = stage.fates("c68").await;
    assert_eq!(fates[1], ("fb-5501".to_owned(), Dropped(DropReason::Late)));
    assert_eq!(fates[2], ("fb-5502".to_owned(), Dropped(DropReason::Late)));
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_late_message_neither_holds_a_reply_nor_joins_a_burst() {
    let setting = Setting::channel(|settings| settings.late_after_ms = 60_000);
    let stage = Stage::set(setting).await;
    stage.until(2 * HOUR).await;
    let start = stage.t();
    stage
        .receive(sent("1", "c68b", "Abrem hoje?", start - 500))
        .await;
    stage.until(start + 1_400).await;
    // The answer is on its way; a message of an hour ago comes in.
    stage
        .receive(sent("2", "c68b", "deixa pra lá #cancel", start - HOUR))
        .await;
    stage.until(start + 60_000).await;
    assert_eq!(
        stage.screen("c68b"),
        [(start + 1_800, "Abrem hoje?".to_owned())]
    );
    // The agent reads it as what it is: earlier.
    stage
        .receive(sent("3", "c68b", "E amanhã?", start + 60_000))
        .await;
    stage.until(start + 90_000).await;
    let runs = stage.world.props.agent.runs();
    assert_eq!(runs.last().unwrap().turn.history.len(), 3);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn memory_of_ids_survives_a_crash_in_the_middle_of_the_burst() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .play(&[
            (0, "c69b", "1", "quero trocar"),
            (400, "c69b", "2", "o tamanho"),
        ])
        .await;
    let stage = stage.crash(2).await;
    for (id, text) in [("1", "quero trocar"), ("2", "o tamanho")] {
        assert!(stage.write("c69b", id, text).await.duplicate);
    }
    stage.until(60_000).await;
    assert_eq!(stage.runs_for("c69b").len(), 1);
    assert_eq!(stage.texts("c69b"), ["quero trocar | o tamanho"]);
    stage.sound().await;
}
