//! The fakes follow their script.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::debounce::MessageKind;
use replygate_gate::{
    At, Decision, MessageId, Outcome, ReplyId, SessionId, SessionKey, TurnId, Usage,
};
use replygate_ports::agent::{Again, Agent, AgentError, Effects, Turn, TurnMessage};
use replygate_ports::channel::{Channel, Outbound};
use replygate_ports::clock::Clock;
use replygate_ports::evaluator::{Evaluator, Held, Newer, Question};
use replygate_testkit::clock::SimClock;
use replygate_testkit::scripted::{
    Latency, RecordingChannel, Scripted, ScriptedAgent, ScriptedEvaluator,
};

const LIMIT: Duration = Duration::from_secs(10);

struct Leave(bool);

#[async_trait]
impl Effects for Leave {
    async fn reserve(&self, _tool: &str) -> Result<(), AgentError> {
        if self.0 {
            Ok(())
        } else {
            Err(AgentError::Lost)
        }
    }

    fn spent(&self, _usage: Usage) {}
}

fn turn(number: u128, texts: &[&str]) -> Turn {
    let message = |text: &&str| TurnMessage {
        id: MessageId(1),
        kind: MessageKind::Text,
        text: (*text).to_owned(),
        at: At(0),
        edit_of: None,
        merged_from: None,
    };
    Turn {
        turn: TurnId(number),
        session: SessionId(1),
        key: SessionKey::default(),
        history: Vec::new(),
        messages: texts.iter().map(message).collect(),
        notes: Vec::new(),
        at: At(1_764_000_000_000),
        limit_ms: 60_000,
    }
}

fn part(text: &str) -> Outbound {
    let contact = "ana".to_owned();
    Outbound {
        key: SessionKey {
            contact,
            ..SessionKey::default()
        },
        reply: ReplyId(1),
        seq: 1,
        part: 0,
        parts: 1,
        text: text.to_owned(),
        covers: Vec::new(),
    }
}

fn agent() -> ScriptedAgent {
    ScriptedAgent::new(
        Arc::new(SimClock::start()),
        Latency::fixed(Duration::from_millis(300)),
    )
}

#[tokio::test(start_paused = true)]
async fn the_agent_joins_what_it_was_asked_and_takes_its_time() {
    let clock = SimClock::start();
    let answer = agent()
        .run(&turn(1, &["one", "two"]), &Leave(true))
        .await
        .unwrap();
    assert_eq!(answer.parts, ["one | two"]);
    assert_eq!(clock.elapsed(), Duration::from_millis(300));
    let answer = agent()
        .run(&turn(1, &["one #parts", "two"]), &Leave(true))
        .await
        .unwrap();
    assert_eq!(answer.parts, ["one #parts", "two"]);
}

#[tokio::test(start_paused = true)]
async fn the_agents_failures_are_asked_for() {
    let agent = agent();
    let failed = agent
        .run(&turn(1, &["#fail"]), &Leave(true))
        .await
        .unwrap_err();
    assert!(matches!(
        failed,
        AgentError::Failed {
            again: Again::No,
            ..
        }
    ));
    let flaky = turn(2, &["#flaky"]);
    let failed = agent.run(&flaky, &Leave(true)).await.unwrap_err();
    assert!(matches!(
        failed,
        AgentError::Failed {
            again: Again::Yes,
            ..
        }
    ));
    assert!(agent.run(&flaky, &Leave(true)).await.is_ok());
    assert_eq!(
        agent
            .run(&turn(3, &["#silent"]), &Leave(true))
            .await
            .unwrap()
            .parts
            .len(),
        0
    );
    assert_eq!(agent.runs().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn an_effect_happens_only_with_leave() {
    let agent = agent();
    let refused = agent
        .run(&turn(1, &["#effect"]), &Leave(false))
        .await
        .unwrap_err();
    assert!(matches!(refused, AgentError::Lost));
    assert_eq!(agent.effects(), []);
    let answer = agent
        .run(&turn(2, &["#effect"]), &Leave(true))
        .await
        .unwrap();
    assert_eq!((answer.effects.len(), agent.effects()[0].2), (1, TurnId(2)));
}

#[tokio::test(start_paused = true)]
async fn the_evaluator_reads_its_verdict_in_the_newest_message() {
    let evaluator = ScriptedEvaluator::new(Arc::new(SimClock::start()), Latency::none());
    let ask = async |texts: &[&str]| {
        let newer = |text: &&str| Newer {
            id: MessageId(2),
            text: (*text).to_owned(),
            edits: None,
        };
        let held = Held {
            reply: ReplyId(1),
            messages: Vec::new(),
            parts: Vec::new(),
            effects: false,
        };
        let newer = texts.iter().map(newer).collect();
        let question = Question {
            session: SessionId(1),
            held: vec![held],
            newer,
        };
        evaluator
            .judge(&question)
            .await
            .map(|judged| (judged.opinions[0].decision, judged.opinions[0].confidence))
    };
    assert_eq!(
        ask(&["#merge", "#cancel"]).await.unwrap(),
        (Decision::CancelFirst, 0.95)
    );
    assert_eq!(
        ask(&["#cancel", "#merge #unsure"]).await.unwrap(),
        (Decision::Merge, 0.3)
    );
    assert_eq!(
        ask(&["#cancel", "and?"]).await.unwrap().0,
        Decision::ReleaseFirst
    );
    assert!(ask(&["#speechless"]).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn the_channel_remembers_what_reached_the_user_whatever_it_said() {
    let channel = RecordingChannel::new(Arc::new(SimClock::start()), Latency::none());
    channel.script(
        "ana",
        &[
            Scripted::Lost,
            Scripted::Ghost,
            Scripted::Busy {
                retry_after_ms: Some(7),
            },
        ],
    );
    for _ in 0..2 {
        assert!(matches!(
            channel.send(&part("hello"), LIMIT).await,
            Outcome::Unknown { .. }
        ));
    }
    let busy = channel.send(&part("hello"), LIMIT).await;
    assert!(matches!(
        busy,
        Outcome::Failed {
            retry_after_ms: Some(7),
            ..
        }
    ));
    assert!(matches!(
        channel.send(&part("hello"), LIMIT).await,
        Outcome::Accepted { .. }
    ));
    let reached: Vec<bool> = channel
        .hand_overs()
        .iter()
        .map(|hand_over| hand_over.reached)
        .collect();
    assert_eq!(reached, [false, true, false, true]);
}

#[tokio::test(start_paused = true)]
async fn a_mark_in_the_text_has_its_effect_once_for_every_part() {
    let channel = RecordingChannel::new(Arc::new(SimClock::start()), Latency::none());
    assert!(matches!(
        channel.send(&part("#busy"), LIMIT).await,
        Outcome::Failed { .. }
    ));
    assert!(matches!(
        channel.send(&part("#busy"), LIMIT).await,
        Outcome::Accepted { .. }
    ));
    let second = Outbound {
        part: 1,
        ..part("#busy")
    };
    assert!(matches!(
        channel.send(&second, LIMIT).await,
        Outcome::Failed { .. }
    ));
    for _ in 0..2 {
        assert!(matches!(
            channel.send(&part("#refuse"), LIMIT).await,
            Outcome::Refused { .. }
        ));
    }
}

#[tokio::test(start_paused = true)]
async fn a_slow_channel_is_unknown_at_the_limit_although_it_delivers() {
    let clock = Arc::new(SimClock::start());
    let channel = RecordingChannel::new(clock.clone(), Latency::fixed(LIMIT * 2));
    assert!(matches!(
        channel.send(&part("hello"), LIMIT).await,
        Outcome::Unknown { .. }
    ));
    assert_eq!(clock.elapsed(), LIMIT);
    assert_eq!(
        channel.delivered(),
        [("ana".to_owned(), "hello".to_owned())]
    );
}
