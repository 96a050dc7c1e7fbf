//! Reports from the field about doing parked work again: by two operators, in spite of duplicates, with or without the agent.

mod stage;

use std::sync::Arc;

use async_trait::async_trait;
use replygate_engine::{StepError, Verb};
use replygate_gate::ReplyStatus::{Delivered, Parked, Superseded};
use replygate_gate::{ParkReason, Refusal, Target};
use replygate_ports::agent::Note;
use replygate_ports::store::{Append, AppendError, Store};
use replygate_testkit::bent::{Bend, BentStore};
use replygate_testkit::scripted::Scripted;
use stage::faltering::Faltering;
use stage::{Setting, Stage, World};

const BUSY: Scripted = Scripted::Busy {
    retry_after_ms: None,
};

/// Every message is a turn at once, and a reply that the channel refuses for now is parked at once.
fn no_ladder() -> Setting {
    Setting::channel(|settings| {
        settings.debounce.enabled = false;
        settings.channel_ladder_ms = Vec::new();
    })
}

/// FC-36
#[tokio::test(start_paused = true)]
async fn two_operators_who_reprocess_all_send_each_reply_once() {
    let stage = Stage::set(no_ladder()).await;
    let contacts = ["r1", "r2", "r3", "r4"];
    for contact in contacts {
        stage.world.props.channel.script(contact, &[BUSY, BUSY]);
        stage.write(contact, "1", "any news?").await;
    }
    stage.until(1_000).await;
    let mut seen: Vec<(&str, Target)> = Vec::new();
    for contact in contacts {
        seen.push((contact, stage.target(contact, 0).await));
    }
    for (contact, target) in &seen {
        let verb = Verb::Reprocess(target.clone());
        stage.act_as("ana", contact, verb, None).await.unwrap();
    }
    stage.until(1_020).await;
    for (contact, target) in &seen {
        let verb = Verb::Reprocess(target.clone());
        let refused = stage.act_as("rui", contact, verb, None).await.unwrap_err();
        assert!(matches!(
            refused,
            StepError::Refused(Refusal::Changed { .. })
        ));
    }
    // The channel is still down: all are parked again, and nobody picks them up by himself.
    stage.until(60_000).await;
    let handed = stage.world.props.channel.hand_overs();
    assert_eq!(handed.len(), 4 + 4);
    for (contact, target) in &seen {
        let reply = &stage.replies(contact).await[0];
        assert_eq!(
            (reply.status, reply.park_reason),
            (Parked, Some(ParkReason::ChannelFailed))
        );
        assert!(reply.generation > target.generation);
        let verb = Verb::Reprocess(target.clone());
        assert!(stage.act_as("rui", contact, verb, None).await.is_err());
    }
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn one_press_that_is_sent_twice_is_one_deed() {
    let stage = Stage::set(no_ladder()).await;
    stage.world.props.channel.script("r5", &[BUSY]);
    stage.write("r5", "1", "¿sigue ahí?").await;
    stage.until(1_000).await;
    let verb = Verb::Reprocess(stage.target("r5", 0).await);
    stage
        .act_as("ana", "r5", verb.clone(), Some("form-1"))
        .await
        .unwrap();
    let again = stage
        .act_as("ana", "r5", verb, Some("form-1"))
        .await
        .unwrap_err();
    let StepError::Repeated(record) = again else {
        panic!("{again}");
    };
    assert_eq!(
        (record.action.by.as_str(), record.action.verb.as_str()),
        ("ana", "reprocess")
    );
    stage.until(5_000).await;
    assert_eq!(stage.texts("r5"), ["¿sigue ahí?"]);
    assert_eq!(stage.world.props.channel.hand_overs().len(), 2);
    stage.sound().await;
}

/// Lets everybody who read a session at the same time hand in a step on what they read.
struct Together;

#[async_trait]
impl Bend for Together {
    async fn append(&self, store: &dyn Store, append: Append) -> Result<u64, AppendError> {
        tokio::task::yield_now().await;
        store.append(append).await
    }
}

/// Who presses in two tabs at once asks for the same step in the same millisecond: only one may believe that it was theirs.
#[tokio::test(start_paused = true)]
async fn of_two_tabs_of_one_person_one_is_told_that_it_changed() {
    let world = World::new(no_ladder()).await;
    let store = Arc::new(BentStore::new(world.store.clone(), Together));
    let stage = world.open_over(1, store).await;
    stage.world.props.channel.script("r6", &[BUSY]);
    stage.write("r6", "1", "anyone?").await;
    stage.until(1_000).await;
    let target = stage.target("r6", 0).await;
    let press = |form| stage.act_as("ana", "r6", Verb::Reprocess(target.clone()), Some(form));
    let (first, second) = tokio::join!(press("tab-1"), press("tab-2"));
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    let record = stage.world.store.action("tab-1").await.unwrap();
    assert_eq!(record.is_some(), first.is_ok());
    stage.until(5_000).await;
    assert_eq!(stage.texts("r6"), ["anyone?"]);
    stage.sound().await;
}

/// FC-39
#[tokio::test(start_paused = true)]
async fn a_failed_message_keeps_everything_and_can_be_answered_anew() {
    let world = World::new(Setting::default()).await;
    let agent = Arc::new(Faltering::new(3, world.props.agent.clone()));
    let stage = world.with_agent(agent.clone()).open(1).await;
    stage.write("c46", "wa-3401", "क्या मेरा रिफंड हो गया?").await;
    stage.until(60_000).await;
    assert_eq!(agent.left(), 0);
    let parked = stage.replies("c46").await.remove(0);
    assert_eq!(
        (parked.status, parked.park_reason),
        (Parked, Some(ParkReason::AgentFailed))
    );
    assert_eq!(parked.code.as_deref(), Some("http_500"));
    let message = stage.message(parked.covers[0]).await;
    assert_eq!(
        (message.text.as_str(), message.provider_id.as_str()),
        ("क्या मेरा रिफंड हो गया?", "wa-3401")
    );
    // What the channel repeats is still known; what the operator asks for is done.
    assert!(
        stage
            .write("c46", "wa-3401", "क्या मेरा रिफंड हो गया?")
            .await
            .duplicate
    );
    assert_eq!(stage.runs_for("c46"), []);
    let target = stage.target("c46", 0).await;
    let nothing_to_send = stage.act("c46", Verb::Reprocess(target.clone())).await;
    assert!(matches!(
        nothing_to_send,
        Err(StepError::Refused(Refusal::Empty))
    ));
    stage.act("c46", rerun(target)).await.unwrap();
    stage.until(70_000).await;
    assert_eq!(stage.texts("c46"), ["क्या मेरा रिफंड हो गया?"]);
    assert_eq!(stage.statuses("c46").await, [Superseded, Delivered]);
    assert!(
        stage
            .write("c46", "wa-3401", "क्या मेरा रिफंड हो गया?")
            .await
            .duplicate
    );
    stage.until(90_000).await;
    assert_eq!(stage.runs_for("c46").len(), 1);
    stage.sound().await;
}

fn rerun(target: Target) -> Verb {
    Verb::Rerun {
        target,
        overrule: None,
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_stops_nothing_that_comes_after_it() {
    let world = World::new(Setting::default()).await;
    let agent = Arc::new(Faltering::new(3, world.props.agent.clone()));
    let stage = world.with_agent(agent).open(1).await;
    stage
        .play(&[
            (0, "c46b", "1", "Did it work?"),
            (20_000, "c46b", "2", "Hello, anybody there?"),
        ])
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.statuses("c46b").await, [Parked, Delivered]);
    assert_eq!(stage.texts("c46b"), ["Hello, anybody there?"]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_passes_is_seen_by_nobody() {
    let world = World::new(Setting::default()).await;
    let agent = Arc::new(Faltering::new(2, world.props.agent.clone()));
    let stage = world.with_agent(agent).open(1).await;
    stage.write("c46c", "1", "Já chegou?").await;
    stage.until(60_000).await;
    assert_eq!(stage.statuses("c46c").await, [Delivered]);
}

/// A reply whose turn booked something and which the channel did not take.
async fn booked(contact: &str) -> Stage {
    let stage = Stage::set(no_ladder()).await;
    stage.world.props.channel.script(contact, &[BUSY]);
    stage
        .write(
            contact,
            "fb-3501",
            "je voudrais réserver deux places #effect",
        )
        .await;
    stage.until(90_000).await;
    assert_eq!(stage.statuses(contact).await, [Parked]);
    stage
}

/// FC-40
#[tokio::test(start_paused = true)]
async fn delivering_the_stored_reply_asks_neither_agent_nor_tool() {
    let stage = booked("c47").await;
    let verb = Verb::Reprocess(stage.target("c47", 0).await);
    stage.act("c47", verb).await.unwrap();
    stage.until(95_000).await;
    assert_eq!(stage.statuses("c47").await, [Delivered]);
    assert_eq!(stage.runs_for("c47").len(), 1);
    assert_eq!(stage.world.props.agent.effects().len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn running_the_turn_again_tells_the_agent_what_is_done() {
    let stage = booked("c47b").await;
    let old = stage.replies("c47b").await[0].id;
    stage
        .act("c47b", rerun(stage.target("c47b", 0).await))
        .await
        .unwrap();
    stage.until(95_000).await;
    assert_eq!(stage.statuses("c47b").await, [Superseded, Delivered]);
    let runs = stage.world.props.agent.runs();
    let notes = &runs[1].turn.notes;
    assert!(notes.contains(&Note::Rerun { reply: old }), "{notes:?}");
    assert!(
        notes.contains(&Note::Done { reply: Some(old) }),
        "{notes:?}"
    );
    assert_eq!(stage.texts("c47b").len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_reply_whose_messages_were_answered_meanwhile_asks_first() {
    let world = World::new(no_ladder().with_agent_ms(2_000)).await;
    let stage = world.open(1).await;
    stage.world.props.channel.script("c47c", &[Scripted::Ghost]);
    stage.write("c47c", "1", "reservei?").await;
    stage.until(4_000).await;
    assert_eq!(stage.statuses("c47c").await[0].as_str(), "UNKNOWN");
    // Its outcome is not known: the turn may run again, and then the old one is replaced by the new.
    stage
        .act("c47c", rerun(stage.target("c47c", 0).await))
        .await
        .unwrap();
    let both = stage
        .act("c47c", Verb::Reprocess(stage.target("c47c", 0).await))
        .await;
    assert!(matches!(both, Err(StepError::Refused(Refusal::BeingRerun))));
    stage.until(10_000).await;
    assert_eq!(stage.statuses("c47c").await, [Superseded, Delivered]);
}
