//! What people see who write while the agent is answering, strategy by strategy.

mod stage;

use replygate_engine::Received;
use replygate_gate::ReplyStatus::{Cancelled, Delivered, Superseded};
use replygate_gate::{DropReason, Sender};
use replygate_ports::agent::Note;
use replygate_ports::changes::MessageState;
use replygate_ports::settings::{ChannelSettings, SettingsVersion, Strategy};
use replygate_ports::store::HistoryEntry;
use replygate_testkit::clock::EPOCH;
use stage::{Setting, Stage, World, settle};

/// A complete sentence is waited for so long.
const WINDOW: i64 = 1_200;
/// A reply waits so long before it leaves.
const DELAY: i64 = 600;
/// The agent takes so long.
const RUN: i64 = 5_000;

fn under(strategy: Strategy) -> Setting {
    Setting::channel(|settings| settings.strategy = strategy).with_agent_ms(RUN as u64)
}

fn answered(text: &str, at: i64) -> (i64, String) {
    (at, text.to_owned())
}

fn names(events: &[String], name: &str) -> usize {
    events.iter().filter(|event| *event == name).count()
}

/// What the agent read of its own earlier words in its last run.
fn own_words(stage: &Stage) -> Vec<String> {
    let last = stage.world.props.agent.runs().pop().expect("a run");
    last.turn
        .history
        .iter()
        .filter_map(|entry| match entry {
            HistoryEntry::Agent { parts, .. } => Some(parts.join(" ")),
            _ => None,
        })
        .collect()
}

fn notes(stage: &Stage) -> Vec<Note> {
    stage
        .world
        .props
        .agent
        .runs()
        .pop()
        .expect("a run")
        .turn
        .notes
}

#[tokio::test(start_paused = true)]
async fn enqueued_messages_are_answered_one_after_the_other_and_nobody_is_asked() {
    let stage = Stage::set(under(Strategy::Enqueue)).await;
    stage
        .play(&[
            (0, "ana", "1", "one."),
            (3_000, "ana", "2", "two. #cancel."),
        ])
        .await;
    stage.until(60_000).await;
    let first = WINDOW + RUN + DELAY;
    let second = first + RUN + DELAY;
    assert_eq!(
        stage.screen("ana"),
        [answered("one.", first), answered("two. #cancel.", second)]
    );
    let events = stage.events("ana").await;
    assert_eq!(names(&events, "queued"), 1);
    assert_eq!(names(&events, "judged"), 0);
    assert_eq!(names(&events, "not_sent"), 0);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_is_about_to_leave_is_not_delayed_by_an_enqueued_message() {
    let stage = Stage::set(under(Strategy::Enqueue)).await;
    let due = WINDOW + RUN + DELAY;
    for before in [1, 2, 30, 400] {
        let contact = format!("ana{before}");
        let start = stage.t();
        stage.write(&contact, "1", "one.").await;
        stage.until(start + due - before).await;
        stage.write(&contact, "2", "two.").await;
        stage.until(start + 60_000).await;
        assert_eq!(stage.screen(&contact)[0], answered("one.", start + due));
    }
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_interrupting_message_stops_the_run_and_both_are_answered_together() {
    let stage = Stage::set(under(Strategy::Interrupt)).await;
    stage
        .play(&[(0, "ana", "1", "one."), (3_000, "ana", "2", "two.")])
        .await;
    stage.until(60_000).await;
    let begun = 3_000 + WINDOW;
    assert_eq!(
        stage.screen("ana"),
        [answered("one. | two.", begun + RUN + DELAY)]
    );
    assert_eq!(stage.runs_for("ana").len(), 2);
    assert_eq!(names(&stage.events("ana").await, "turn_lost"), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn what_the_interrupted_run_had_written_is_read_by_the_next_and_seen_by_nobody() {
    let stage = Stage::set(under(Strategy::Interrupt)).await;
    stage
        .play(&[
            (0, "ana", "1", "one #streams."),
            (3_000, "ana", "2", "two."),
        ])
        .await;
    stage.until(60_000).await;
    assert_eq!(own_words(&stage), ["one #streams.… "]);
    let [partial, answer] = stage.replies("ana").await.try_into().expect("two replies");
    assert_eq!((partial.status, answer.status), (Cancelled, Delivered));
    assert!(notes(&stage).contains(&Note::Interrupted { reply: partial.id }));
    assert_eq!(stage.texts("ana"), ["one #streams. | two."]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_finished_when_the_message_came_is_kept_whole() {
    let stage = Stage::set(under(Strategy::Interrupt)).await;
    stage.write("ana", "1", "one.").await;
    // The reply waits for its delay.
    stage.until(WINDOW + RUN + 100).await;
    stage.write("ana", "2", "two.").await;
    stage.until(60_000).await;
    assert_eq!(stage.statuses("ana").await, [Superseded, Delivered]);
    assert_eq!(own_words(&stage), ["one."]);
    assert_eq!(stage.texts("ana"), ["one. | two."]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_rollback_leaves_nothing_of_the_run_for_the_next_one_to_read() {
    let stage = Stage::set(under(Strategy::Rollback)).await;
    stage
        .play(&[
            (0, "ana", "1", "one #streams."),
            (3_000, "ana", "2", "two."),
        ])
        .await;
    stage.until(60_000).await;
    assert_eq!(own_words(&stage), [""; 0]);
    assert_eq!(notes(&stage), []);
    assert_eq!(stage.texts("ana"), ["one #streams. | two."]);
    assert_eq!(stage.statuses("ana").await, [Delivered]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_rollback_takes_an_undelivered_reply_out_of_the_agents_past_for_good() {
    let stage = Stage::set(under(Strategy::Rollback)).await;
    stage.write("ana", "1", "one.").await;
    stage.until(WINDOW + RUN + 100).await;
    stage.write("ana", "2", "two.").await;
    stage.until(30_000).await;
    assert_eq!(own_words(&stage), [""; 0]);
    assert_eq!(notes(&stage), []);
    assert_eq!(stage.statuses("ana").await, [Superseded, Delivered]);
    stage.write("ana", "3", "three.").await;
    stage.until(60_000).await;
    assert_eq!(own_words(&stage), ["one. | two."]);
    assert_eq!(stage.texts("ana"), ["one. | two.", "three."]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn once_an_effect_is_reserved_the_message_waits_and_the_effect_happens_once() {
    for strategy in [Strategy::Interrupt, Strategy::Rollback] {
        let stage = Stage::set(under(strategy)).await;
        stage.write("ana", "1", "book it #effect.").await;
        // The agent reserves after its run and takes as long again for the effect itself.
        stage.until(WINDOW + RUN + 1_000).await;
        stage.write("ana", "2", "two.").await;
        stage.until(60_000).await;
        assert_eq!(
            stage.texts("ana"),
            ["book it #effect.", "two."],
            "{strategy}"
        );
        assert_eq!(stage.world.props.agent.effects().len(), 1);
        let events = stage.events("ana").await;
        assert_eq!(names(&events, "turn_lost"), 0);
        assert_eq!(names(&events, "queued"), 1);
        stage.sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_is_stopped_before_its_effect_does_it_once_in_the_next() {
    for strategy in [Strategy::Interrupt, Strategy::Rollback] {
        let stage = Stage::set(under(strategy)).await;
        stage
            .play(&[
                (0, "ana", "1", "book it #effect."),
                (3_000, "ana", "2", "two."),
            ])
            .await;
        stage.until(60_000).await;
        assert_eq!(
            stage.texts("ana"),
            ["book it #effect. | two."],
            "{strategy}"
        );
        assert_eq!(stage.world.props.agent.effects().len(), 1);
        stage.sound().await;
    }
}

async fn tries(stage: &Stage, id: &str, text: &str) -> Received {
    stage.write("ana", id, text).await
}

#[tokio::test(start_paused = true)]
async fn a_rejected_message_stays_with_its_sender_and_may_come_again() {
    let stage = Stage::set(under(Strategy::Reject)).await;
    stage.write("ana", "1", "one.").await;
    stage.until(3_000).await;
    let refused = tries(&stage, "2", "two.")
        .await
        .rejected
        .expect("a refusal");
    assert_eq!(refused.sender, Sender::Reads);
    assert!(refused.turn.is_some());
    assert_eq!(stage.fates("ana").await.len(), 1, "nothing of it is stored");
    stage.until(WINDOW + RUN + 100).await;
    let refused = tries(&stage, "2", "two.")
        .await
        .rejected
        .expect("a refusal");
    assert_eq!((refused.turn, refused.replies.len()), (None, 1));
    stage.until(10_000).await;
    assert_eq!(tries(&stage, "2", "two.").await.rejected, None);
    stage.until(60_000).await;
    assert_eq!(stage.texts("ana"), ["one.", "two."]);
    assert_eq!(names(&stage.events("ana").await, "rejected"), 2);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_message_that_is_being_answered_is_a_duplicate_when_it_comes_again_not_a_refusal() {
    let stage = Stage::set(under(Strategy::Reject)).await;
    let first = tries(&stage, "1", "one.").await;
    stage.until(3_000).await;
    let again = tries(&stage, "1", "one.").await;
    assert!(again.duplicate);
    assert_eq!((again.message, again.rejected), (first.message, None));
    assert_eq!(names(&stage.events("ana").await, "rejected"), 0);
}

#[tokio::test(start_paused = true)]
async fn a_platform_that_would_deliver_again_is_told_yes_and_the_message_is_dropped_on_record() {
    let world = World::new(under(Strategy::Reject)).await.fed_by_webhook();
    let stage = world.open(1).await;
    stage.write("ana", "1", "one.").await;
    stage.until(3_000).await;
    let refused = tries(&stage, "2", "two.")
        .await
        .rejected
        .expect("a refusal");
    assert_eq!(refused.sender, Sender::Redelivers);
    assert!(tries(&stage, "2", "two.").await.duplicate);
    stage.until(60_000).await;
    assert_eq!(stage.texts("ana"), ["one."]);
    let dropped = MessageState::Dropped(DropReason::Rejected);
    assert_eq!(stage.fates("ana").await[1], ("2".to_owned(), dropped));
    stage.sound().await;
}

/// Triage with the scripted evaluator, which reads its verdicts in the texts.
fn triage(abort: bool) -> Setting {
    let setting = Setting::channel(|settings| settings.abort_on_triage = abort);
    setting.with_agent_ms(RUN as u64)
}

#[tokio::test(start_paused = true)]
async fn triage_stops_a_run_whose_answer_would_be_thrown_away_if_it_is_told_to() {
    for mark in ["#merge", "#cancel"] {
        let stage = Stage::set(triage(true)).await;
        let second = format!("two {mark}.");
        stage
            .play(&[(0, "ana", "1", "one."), (3_000, "ana", "2", &second)])
            .await;
        stage.until(60_000).await;
        let begun = 3_000 + WINDOW;
        assert_eq!(
            stage.screen("ana"),
            [answered(&format!("one. | {second}"), begun + RUN + DELAY)]
        );
        let events = stage.events("ana").await;
        assert_eq!(names(&events, "turn_judged"), 1);
        stage.sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn triage_lets_a_run_go_on_that_newer_messages_do_not_concern_or_unless_told() {
    for (setting, second) in [
        (triage(true), "two #release."),
        (triage(true), "two #merge #unsure."),
        (triage(false), "two #merge."),
    ] {
        let stage = Stage::set(setting).await;
        stage
            .play(&[(0, "ana", "1", "one."), (3_000, "ana", "2", second)])
            .await;
        stage.until(WINDOW + RUN + 10).await;
        let events = stage.events("ana").await;
        assert_eq!(names(&events, "committed"), 1, "{second}");
        assert_eq!(names(&events, "turn_lost"), 0);
        stage.until(60_000).await;
        stage.sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_strategy_changes_for_the_next_message_without_a_restart() {
    let stage = Stage::set(under(Strategy::Interrupt)).await;
    stage.write("ana", "1", "one.").await;
    stage.until(3_000).await;
    let mut settings = ChannelSettings::new("webchat", "webchat");
    settings.strategy = Strategy::Enqueue;
    let next = SettingsVersion {
        version: 2,
        settings,
        by: "ana".to_owned(),
        at: EPOCH,
        reason: None,
        request_id: None,
    };
    stage.engine.save_settings(next).await.expect("saved");
    stage.write("ana", "2", "two.").await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("ana"), ["one.", "two."]);
    assert_eq!(names(&stage.events("ana").await, "turn_lost"), 0);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_message_at_another_process_interrupts_the_run_here() {
    let world = World::new(under(Strategy::Interrupt).shared()).await;
    let here = world.open(1).await;
    here.write("ana", "1", "one #streams.").await;
    here.until(3_000).await;
    let there = world.open(2).await;
    there.write("ana", "2", "two.").await;
    settle().await;
    there.until(60_000).await;
    assert_eq!(there.texts("ana"), ["one #streams. | two."]);
    assert_eq!(there.runs_for("ana").len(), 2);
    assert_eq!(own_words(&there), ["one #streams.… "]);
    there.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_crash_anywhere_loses_no_message_under_any_strategy() {
    for strategy in Strategy::ALL {
        for killed_at in [500, 2_000, 3_100, 6_300, 6_900, 9_000] {
            let mut stage = Stage::set(under(*strategy)).await;
            let mut sent = 0;
            for (t, id, text) in [(0, "1", "one."), (3_000, "2", "two.")] {
                if (t..t + 3_000).contains(&killed_at) && t < killed_at {
                    stage.until(t).await;
                    sent += usize::from(stage.write("ana", id, text).await.rejected.is_none());
                    stage.until(killed_at).await;
                    stage = stage.crash(2).await;
                } else {
                    stage.until(t.max(stage.t())).await;
                    sent += usize::from(stage.write("ana", id, text).await.rejected.is_none());
                }
            }
            if stage.t() < killed_at {
                stage.until(killed_at).await;
                stage = stage.crash(2).await;
            }
            stage.until(120_000).await;
            let seen = stage.texts("ana").join(" | ");
            let answered = ["one.", "two."].map(|text| usize::from(seen.contains(text)));
            assert_eq!(
                answered.iter().sum::<usize>(),
                sent,
                "{strategy} killed at {killed_at}: {seen}"
            );
            stage.sound().await;
        }
    }
}
