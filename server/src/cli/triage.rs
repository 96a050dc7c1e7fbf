//! `replygate triage eval`: an evaluator against a file of cases. Works without a server.

mod score;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use replygate_agents::{AgentDeps, build_evaluator, http_client};
use replygate_embedded::SystemClock;
use replygate_gate::{
    At, Author, Decision, Event, Judgement, MessageId, Reply, ReplyId, Rules, Session, SessionId,
    Usage, effective, evolve,
};
use replygate_ports::clock::Clock;
use replygate_ports::evaluator::{Evaluator, Held, Newer, Opinion, Opinions, Question};
use replygate_ports::settings::{Choice, TriageSettings};
use serde::Deserialize;

use super::jsonl;
use crate::config::{Environment, keys, secret};
use score::Score;

/// The reply that every case is about.
const REPLY: ReplyId = ReplyId(1);

/// How held replies are judged.
#[derive(Args)]
pub(super) struct TriageCommand {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Judges every case of a file and counts how often the evaluator was right
    Eval(Eval),
}

#[derive(Args)]
struct Eval {
    /// One case per line: `{"id", "lang", "tag", "a", "b", "expected", "also_accept", "never", "effects"}`
    file: PathBuf,
    /// A name, or a table as in the configuration file
    #[arg(long, default_value = "rules")]
    evaluator: String,
    /// Prints one JSON object in place of a table
    #[arg(long)]
    json: bool,
}

/// One case.
#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    lang: String,
    #[serde(default)]
    tag: String,
    /// The message whose reply is held.
    a: String,
    /// The newer message, or several.
    b: Texts,
    expected: Decision,
    #[serde(default)]
    also_accept: Vec<Decision>,
    #[serde(default)]
    never: Vec<Decision>,
    /// Whether the held reply's turn acted outside.
    #[serde(default)]
    effects: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Several(Vec<String>),
}

impl TriageCommand {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let Verb::Eval(eval) = self.verb;
        super::runtime()?.block_on(eval.run())
    }
}

impl Eval {
    async fn run(self) -> anyhow::Result<ExitCode> {
        let cases: Vec<Case> = jsonl::read(&self.file)?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let evaluator = evaluator(&self.evaluator, &clock)?;
        let mut score = Score::default();
        for case in &cases {
            score.count(case, &decide(&*evaluator, &*clock, case).await);
        }
        if self.json {
            println!("{}", score.json());
        } else {
            score.print();
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn evaluator(text: &str, clock: &Arc<dyn Clock>) -> anyhow::Result<Arc<dyn Evaluator>> {
    let key = keys::key_of("evaluator").context("the evaluator is a setting")?;
    let choice = keys::parse(key, text).context("the evaluator is no table that TOML can read")?;
    let choice: Choice = serde_json::from_value(choice)?;
    let environment = Environment::of_process();
    let deps = AgentDeps {
        clock: Arc::clone(clock),
        client: http_client()?,
        secret: Arc::new(move |reference| secret::referred(reference, &environment)),
        errands: Arc::new(|errand| drop(tokio::spawn(errand))),
        mcp: replygate_agents::mcp::Servers::default(),
    };
    Ok(build_evaluator(&choice, &deps, "evaluator")?)
}

/// What became of one case.
struct Outcome {
    decision: Decision,
    /// Why the evaluator gave no verdict.
    failed: Option<String>,
    took: Duration,
    usage: Usage,
}

/// What the product would do: an evaluator that fails, is unsure or takes longer than a channel's usual hard limit means
/// release, and the protocol's own guards stand above it.
async fn decide(evaluator: &dyn Evaluator, clock: &dyn Clock, case: &Case) -> Outcome {
    let triage = TriageSettings::default();
    let question = question(case);
    let began = clock.elapsed();
    let judged = tokio::select! {
        biased;
        judged = evaluator.judge(&question) => judged.map_err(|error| (error.code, error.usage)),
        () = clock.sleep(Duration::from_millis(triage.hard_ms)) => {
            Err(("timeout".to_owned(), Usage::default()))
        }
    };
    let took = clock.elapsed().saturating_sub(began);
    let (judged, failed) = match judged {
        Ok(judged) => (judged, None),
        Err((code, usage)) => {
            let nothing = Opinions {
                usage,
                ..Opinions::default()
            };
            (nothing, Some(code))
        }
    };
    let rules = Rules {
        threshold: triage.threshold,
        ..Rules::default()
    };
    let opinion = judged
        .opinions
        .into_iter()
        .find(|opinion| opinion.reply == REPLY);
    let decision = opinion.map_or(Decision::ReleaseFirst, |opinion| {
        effective(&reply(case.effects), &judgement(opinion), &rules)
    });
    Outcome {
        decision,
        failed,
        took,
        usage: judged.usage,
    }
}

fn question(case: &Case) -> Question {
    let newer = match &case.b {
        Texts::One(text) => std::slice::from_ref(text),
        Texts::Several(texts) => texts.as_slice(),
    };
    Question {
        session: SessionId(1),
        held: vec![Held {
            reply: REPLY,
            messages: vec![case.a.clone()],
            parts: Vec::new(),
            effects: case.effects,
        }],
        newer: newer
            .iter()
            .zip(2_u128..)
            .map(|(text, id)| Newer {
                id: MessageId(id),
                text: text.clone(),
                edits: None,
            })
            .collect(),
    }
}

/// The held reply, as a session has it.
fn reply(effects: bool) -> Reply {
    let replied = Event::Replied {
        reply: REPLY,
        seq: 1,
        author: Author::Agent,
        covers: vec![MessageId(1)],
        parts: 1,
        at: At(0),
        not_before: At(0),
        cleared: 0,
        merged: false,
        effects,
    };
    let mut session = evolve(Session::default(), &replied);
    session.replies.remove(0)
}

fn judgement(opinion: Opinion) -> Judgement {
    Judgement {
        reply: opinion.reply,
        decision: opinion.decision,
        confidence: opinion.confidence,
        reason: opinion.reason,
        source: opinion.by.unwrap_or_default(),
        took_ms: 0,
        usage: Usage::default(),
    }
}
