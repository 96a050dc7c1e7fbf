//! Settings change while everything runs: in force for the next message, refused with the key, the value and what is allowed.

mod stage;

use replygate_engine::SaveError;
use replygate_gate::ReplyStatus::Delivered;
use replygate_ports::settings::{
    ChannelSettings, SettingsStore, SettingsVersion, StaleSettings, Timing,
};
use replygate_testkit::clock::EPOCH;
use stage::{Setting, Stage, World, settle};

fn version(number: u64, change: impl FnOnce(&mut ChannelSettings)) -> SettingsVersion {
    let mut settings = ChannelSettings::new("webchat", "webchat");
    change(&mut settings);
    SettingsVersion {
        version: number,
        settings,
        by: "ana".to_owned(),
        at: EPOCH,
        reason: Some("peak season".to_owned()),
        request_id: None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_is_in_force_for_the_next_message() {
    let stage = Stage::set(Setting::default()).await;
    stage.write("s1", "1", "Are you open?").await;
    stage.until(10_000).await;
    assert_eq!(stage.screen("s1")[0].0, 1_800);
    let change = version(2, |settings| {
        settings.operational_delay_ms = 3_000;
        settings.debounce.closed_ms = 200;
    });
    stage.engine.save_settings(change).await.unwrap();
    stage.write("s1", "2", "And on Sunday?").await;
    stage.until(20_000).await;
    assert_eq!(stage.screen("s1")[1].0, 13_200);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn what_was_decided_before_a_change_stands() {
    let stage = Stage::set(Setting::default()).await;
    stage.write("s2", "1", "necesito una factura").await;
    stage.until(1_000).await;
    let change = version(2, |settings| settings.debounce.enabled = false);
    stage.engine.save_settings(change).await.unwrap();
    stage.until(2_400).await;
    assert_eq!(stage.runs_for("s2"), [], "its window was armed before");
    // The next message arms it anew, by the new settings.
    stage.write("s2", "2", "de ayer").await;
    stage.until(10_000).await;
    assert_eq!(stage.runs_for("s2").len(), 1);
    assert_eq!(stage.runs_for("s2")[0].0, 2_400);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_change_reaches_every_process() {
    let world = World::new(Setting::default().shared()).await;
    let (one, two) = (world.open(1).await, world.open(2).await);
    let change = version(2, |settings| settings.debounce.closed_ms = 300);
    one.engine.save_settings(change).await.unwrap();
    settle().await;
    two.write("s3", "1", "Tem vaga?").await;
    two.until(10_000).await;
    assert_eq!(two.runs_for("s3")[0].0, 300);
    two.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_value_that_is_not_allowed_is_named_and_changes_nothing() {
    type Change = fn(&mut ChannelSettings);
    let wrong: [(&str, &str, Change); 6] = [
        ("operational_delay_ms", "700000", |s| {
            s.operational_delay_ms = 700_000;
        }),
        ("triage.threshold", "1.5", |s| s.triage.threshold = 1.5),
        ("triage.hard_ms", "0", |s| {
            s.triage.soft_ms = 0;
            s.triage.hard_ms = 0;
        }),
        ("debounce.max_messages", "0", |s| {
            s.debounce.max_messages = 0;
        }),
        ("ladder_ms", "[99999999999]", |s| {
            s.ladder_ms = vec![99_999_999_999];
        }),
        ("send_timeout_ms", "5", |s| s.send_timeout_ms = 5),
    ];
    let stage = Stage::set(Setting::default()).await;
    for (key, value, change) in wrong {
        let refused = stage.engine.save_settings(version(2, change)).await;
        let Err(SaveError::Invalid(errors)) = refused else {
            panic!("{key}: {refused:?}");
        };
        let named = errors
            .iter()
            .find(|error| error.key == format!("channels.webchat.{key}"));
        let error = named.unwrap_or_else(|| panic!("{errors:?}"));
        assert_eq!(error.value, value);
        assert!(!error.allowed.is_empty());
        let text = error.to_string();
        assert!(text.contains(key) && text.contains(value) && text.contains(&error.allowed));
    }
    let stored: replygate_ports::settings::SettingsVersion = stage
        .world
        .store
        .version("webchat", None)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(stored.version, 1);
    stage.write("s4", "1", "Quanto custa?").await;
    stage.until(10_000).await;
    assert_eq!(stage.screen("s4")[0].0, 1_800);
}

#[tokio::test(start_paused = true)]
async fn every_wrong_value_is_named_at_once() {
    let stage = Stage::set(Setting::default()).await;
    let change = version(2, |settings| {
        settings.history = 5_000;
        settings.agent_timeout_ms = 1;
        settings.debounce.closed_ms = 999_999;
    });
    let refused = stage.engine.save_settings(change).await.unwrap_err();
    let text = refused.to_string();
    for key in ["history", "agent_timeout_ms", "debounce.closed_ms"] {
        assert!(text.contains(&format!("channels.webchat.{key}")), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn of_two_who_save_at_once_one_is_told() {
    let stage = Stage::set(Setting::default()).await;
    let first = version(2, |settings| settings.history = 10);
    let second = version(2, |settings| settings.history = 20);
    stage.engine.save_settings(first).await.unwrap();
    let refused = stage.engine.save_settings(second).await.unwrap_err();
    assert!(matches!(
        refused,
        SaveError::Stale(StaleSettings::Conflict { present: 2 })
    ));
    assert_eq!(
        stage
            .engine
            .board()
            .live("webchat")
            .unwrap()
            .settings
            .history,
        10
    );
}

#[tokio::test(start_paused = true)]
async fn judging_only_at_the_turn_makes_an_unrelated_question_wait() {
    let mut ends = Vec::new();
    for timing in [Timing::Early, Timing::AtTurn] {
        let setting = Setting::channel(|settings| settings.triage.timing = timing);
        let stage = Stage::set(setting).await;
        stage
            .play(&[
                (0, "s5", "1", "Are you open today?"),
                (1_500, "s5", "2", "Is there parking?"),
            ])
            .await;
        stage.until(20_000).await;
        assert_eq!(stage.statuses("s5").await, [Delivered, Delivered]);
        ends.push(stage.screen("s5")[0].0);
        stage.sound().await;
    }
    // At the turn: when B's window is over, at 2.7 s.
    assert_eq!(ends, [1_800, 2_700]);
}

#[tokio::test(start_paused = true)]
async fn own_words_for_commands_are_in_force_at_once() {
    let stage = Stage::set(Setting::default()).await;
    let change = version(2, |settings| {
        settings.commands.stop = vec!["!halt".to_owned()];
    });
    stage.engine.save_settings(change).await.unwrap();
    stage
        .play(&[(0, "s6", "1", "I want to"), (500, "s6", "2", "!HALT")])
        .await;
    stage.until(20_000).await;
    assert_eq!(stage.runs_for("s6"), []);
    assert_eq!(stage.world.props.channel.notices().len(), 1);
    stage.sound().await;
}
