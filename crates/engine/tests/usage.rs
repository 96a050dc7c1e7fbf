//! What models were asked stays with the turn and with the verdict, however these end.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod stage;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use replygate_gate::{Decision, Event, Judgement, ReplyStatus, Usage};
use replygate_ports::agent::{Again, Agent, AgentError, Answer, Effects, Past, Turn};
use replygate_ports::evaluator::{self, Evaluator, EvaluatorError, Held, Opinion, Question};
use replygate_ports::views::Views;
use stage::{Setting, Stage, World, key};

const RUN: Usage = Usage {
    input: 100,
    cached: 40,
    output: 10,
    estimated: false,
};

/// Tells of a call on every run; fails so many times, or never ends.
struct Spender {
    fails: AtomicUsize,
    again: Again,
    hangs: bool,
    limits: Mutex<Vec<u64>>,
}

fn spender(fails: usize, again: Again, hangs: bool) -> Arc<Spender> {
    Arc::new(Spender {
        fails: AtomicUsize::new(fails),
        again,
        hangs,
        limits: Mutex::default(),
    })
}

#[async_trait]
impl Agent for Spender {
    async fn run(&self, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
        self.limits.lock().unwrap().push(turn.limit_ms);
        effects.spent(RUN);
        if self.hangs {
            std::future::pending::<()>().await;
        }
        let left = self.fails.load(Ordering::SeqCst);
        if left > 0 {
            self.fails.store(left - 1, Ordering::SeqCst);
            return Err(AgentError::Failed {
                code: "http_529".to_owned(),
                again: self.again,
            });
        }
        Ok(Answer {
            parts: vec!["ok".to_owned()],
            effects: Vec::new(),
        })
    }

    fn past(&self) -> Past {
        Past::Nothing
    }
}

async fn open(agent: &Arc<Spender>) -> Stage {
    let setting = Setting::channel(|settings| {
        settings.debounce.enabled = false;
        settings.agent_timeout_ms = 1_000;
    });
    let world = World::new(setting).await.with_agent(agent.clone());
    world.open(1).await
}

fn times(many: u64) -> Usage {
    (0..many).fold(Usage::default(), |sum, _| sum.plus(RUN))
}

async fn events(stage: &Stage, contact: &str) -> Vec<Event> {
    let session = key("webchat", contact).session();
    let steps = stage.world.store.timeline(session, None, 1_000).await;
    let mut steps = steps.unwrap();
    steps.reverse();
    steps.into_iter().flat_map(|step| step.events).collect()
}

#[tokio::test(start_paused = true)]
async fn a_turn_keeps_what_each_of_its_runs_asked() {
    let agent = spender(1, Again::Yes, false);
    let stage = open(&agent).await;
    stage.write("ana", "m1", "oi").await;
    stage.until(20_000).await;
    let reply = stage.replies("ana").await.remove(0);
    assert_eq!(
        (reply.status, reply.usage),
        (ReplyStatus::Delivered, times(2))
    );
    let told = events(&stage, "ana")
        .await
        .into_iter()
        .find_map(|event| match event {
            Event::Committed { usage, .. } => Some(usage),
            _ => None,
        });
    assert_eq!(told, Some(times(2)));
    assert_eq!(*agent.limits.lock().unwrap(), [1_000, 1_000]);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_fails_or_is_given_up_keeps_it_too() {
    for (agent, runs) in [
        (spender(9, Again::No, false), 1),
        (spender(9, Again::Yes, false), 3),
        (spender(0, Again::Yes, true), 3),
    ] {
        let stage = open(&agent).await;
        stage.write("ana", "m1", "oi").await;
        stage.until(60_000).await;
        let reply = stage.replies("ana").await.remove(0);
        assert_eq!(
            (reply.status, reply.usage),
            (ReplyStatus::Parked, times(runs))
        );
    }
}

/// Judges by one call for all replies, each opinion with a name of its own.
struct Judge;

#[async_trait]
impl Evaluator for Judge {
    async fn judge(&self, question: &Question) -> Result<evaluator::Opinions, EvaluatorError> {
        if question.newer.iter().any(|newer| newer.text == "#fail") {
            return Err(EvaluatorError {
                code: "http_429".to_owned(),
                usage: RUN,
                source: None,
            });
        }
        let opinion = |held: &Held| Opinion {
            reply: held.reply,
            decision: Decision::ReleaseFirst,
            confidence: 0.9,
            reason: "told".to_owned(),
            by: Some("judge/model".to_owned()),
        };
        Ok(evaluator::Opinions {
            opinions: question.held.iter().map(opinion).collect(),
            usage: RUN,
        })
    }

    fn name(&self) -> &'static str {
        "judge"
    }
}

async fn judgements(newest: &str) -> Vec<Judgement> {
    let setting = Setting::channel(|settings| {
        settings.debounce.enabled = false;
        settings.operational_delay_ms = 5_000;
    });
    let world = World::new(setting).await.with_evaluator(Arc::new(Judge));
    let stage = world.open(1).await;
    stage
        .play(&[(0, "ana", "m1", "um"), (100, "ana", "m2", newest)])
        .await;
    stage.until(200).await;
    let events = events(&stage, "ana").await.into_iter();
    let judged = events.filter_map(|event| match event {
        Event::Judged { judgement, .. } => Some(judgement),
        _ => None,
    });
    judged.collect()
}

#[tokio::test(start_paused = true)]
async fn a_verdict_keeps_what_its_evaluation_asked_and_whose_it_is() {
    let judged = judgements("dois").await;
    assert!(!judged.is_empty());
    for judgement in judged {
        assert_eq!(
            (judgement.usage, judgement.source.as_str()),
            (RUN, "judge/model")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_verdict_that_an_evaluator_failed_to_give_says_why_and_what_that_cost() {
    let judged = judgements("#fail").await;
    assert!(!judged.is_empty());
    for judgement in judged {
        assert_eq!(
            (judgement.usage, judgement.reason.as_str()),
            (RUN, "http_429")
        );
        assert_eq!(
            (judgement.source.as_str(), judgement.confidence),
            ("judge", 0.0)
        );
    }
}
