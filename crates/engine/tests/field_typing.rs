//! Reports from the field about the typing indicator: whatever ends a turn ends it.

mod stage;

use std::sync::Arc;
use std::time::Duration;

use replygate_engine::Verb;
use replygate_gate::ReplyStatus::Cancelled;
use replygate_ports::changes::MessageState::Covered;
use replygate_ports::channel::{Show, Typing};
use replygate_testkit::clock::EPOCH;
use replygate_testkit::scripted::{Latency, RecordingChannel};
use stage::{Setting, Stage, World};

/// The signs of typing that a contact saw, with their times.
fn signs(stage: &Stage, contact: &str) -> Vec<(i64, Show)> {
    let all = stage.world.props.channel.typing_shown();
    all.into_iter()
        .filter(|(_, to, _)| to.contact == contact)
        .map(|(at, _, show)| (at.0 - EPOCH.0, show))
        .collect()
}

async fn stage_with(style: Typing, setting: Setting) -> Stage {
    let mut world = World::new(setting).await;
    let channel = RecordingChannel::new(world.clock.clone(), Latency::none());
    world.props.channel = Arc::new(channel.with_typing(style));
    world.open(1).await
}

/// FC-49
#[tokio::test(start_paused = true)]
async fn a_cancelled_reply_and_a_silent_answer_end_the_typing() {
    let stage = Stage::set(Setting::default().with_agent_ms(1_500)).await;
    stage
        .play(&[
            (0, "c56", "fb-4401", "quero remarcar a aula de sexta"),
            (
                4_300,
                "c56",
                "fb-4402",
                "deixa, já falei com a professora #cancel #silent",
            ),
        ])
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("c56"), Vec::<String>::new());
    assert_eq!(stage.statuses("c56").await, [Cancelled]);
    // The last turn ran from 6.8 s to 8.3 s.
    let (off, show) = *signs(&stage, "c56").last().unwrap();
    assert_eq!(show, Show::Off);
    assert!((8_300..=9_300).contains(&off));
    let fates = stage.fates("c56").await;
    assert_eq!(fates[1].1, Covered(None), "handled, without words");
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn whatever_ends_a_turn_ends_the_typing_within_a_second() {
    // The scripted effect takes as long as the answer.
    for (text, ended) in [
        ("Quanto custa?", 4_200),
        ("#silent Quanto custa?", 4_200),
        ("#fail Quanto custa?", 4_200),
        ("#effect Quanto custa?", 7_200),
    ] {
        let stage = Stage::set(Setting::default().with_agent_ms(3_000)).await;
        stage.write("c57", "1", text).await;
        stage.until(60_000).await;
        assert_eq!(
            signs(&stage, "c57")
                .iter()
                .map(|(_, show)| *show)
                .collect::<Vec<_>>(),
            [Show::On, Show::Off],
            "{text}"
        );
        let off = signs(&stage, "c57")[1].0;
        assert!((ended..=ended + 1_000).contains(&off), "{text}: {off}");
        stage.sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_and_a_takeover_end_the_typing_within_a_second() {
    let stage = Stage::set(Setting::default().with_agent_ms(40_000)).await;
    stage
        .play(&[
            (0, "c57b", "1", "Compare os planos."),
            (0, "c57c", "1", "Compare os planos."),
        ])
        .await;
    stage.until(10_000).await;
    stage.write("c57b", "2", "/stop").await;
    stage.act("c57c", Verb::TakeOver).await.unwrap();
    stage.until(11_000).await;
    for contact in ["c57b", "c57c"] {
        assert_eq!(
            signs(&stage, contact).last().unwrap().1,
            Show::Off,
            "{contact}"
        );
    }
    assert_eq!(stage.engine.figures().tasks, 0, "the agents were stopped");
    stage.until(60_000).await;
    assert!(stage.screen("c57b").is_empty() && stage.screen("c57c").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_another_process_takes_in_ends_the_typing_here() {
    let world = World::new(Setting::default().shared().with_agent_ms(40_000)).await;
    let one = world.open(1).await;
    one.write("c57d", "1", "Compara los planes.").await;
    one.until(5_000).await;
    let two = world.open(2).await;
    two.write("c57d", "2", "/stop").await;
    two.until(6_000).await;
    assert_eq!(signs(&two, "c57d").last().unwrap().1, Show::Off);
    two.until(60_000).await;
    two.sound().await;
}

#[tokio::test(start_paused = true)]
async fn each_channel_gets_typing_in_its_own_manner() {
    let signs_under = async |style| {
        let stage = stage_with(style, Setting::default().with_agent_ms(40_000)).await;
        stage
            .play(&[
                (0, "c58", "1", "मेरे सारे बिल जोड़कर बताइए।"),
                (18_000, "c58", "2", "जल्दी है। #merge"),
            ])
            .await;
        stage.until(200_000).await;
        stage.sound_but_typing().await;
        signs(&stage, "c58")
    };
    let ons = |signs: &[(i64, Show)]| signs.iter().filter(|(_, show)| *show == Show::On).count();

    assert_eq!(signs_under(Typing::None).await, []);
    // Two turns of 40 s: one sign each.
    assert_eq!(ons(&signs_under(Typing::Once).await), 2);
    assert_eq!(ons(&signs_under(Typing::OnOff).await), 2);
    let every = Duration::from_secs(8);
    let renewed = signs_under(Typing::Renewed { every }).await;
    assert_eq!(ons(&renewed), 10, "{renewed:?}");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_over_at_once_shows_no_typing() {
    let stage = Stage::set(Setting::default().with_agent_ms(100)).await;
    stage.write("c58b", "1", "Oi, tudo certo?").await;
    stage.until(30_000).await;
    assert_eq!(stage.screen("c58b").len(), 1);
    assert_eq!(signs(&stage, "c58b"), []);
}
