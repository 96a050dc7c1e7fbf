//! `replygate triage eval`: an evaluator against a file of cases. Works without a server.

mod score;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use replygate_agents::{AgentDeps, build_evaluator, http_client};
use replygate_embedded::SystemClock;
use replygate_gate::{Decision, MessageId, ReplyId, SessionId};
use replygate_ports::evaluator::{Evaluator, Held, Newer, Question};
use replygate_ports::settings::{Choice, TriageSettings};
use serde::Deserialize;

use super::jsonl;
use crate::config::{Environment, keys};
use score::Score;

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
    /// One case per line: `{"id", "lang", "tag", "a", "b", "expected", "also_accept", "never"}`
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
        let evaluator = evaluator(&self.evaluator)?;
        let mut score = Score::default();
        for case in &cases {
            score.count(case, decide(&*evaluator, case).await);
        }
        if self.json {
            println!("{}", score.json());
        } else {
            score.print();
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn evaluator(text: &str) -> anyhow::Result<Arc<dyn Evaluator>> {
    let key = keys::key_of("evaluator").context("the evaluator is a setting")?;
    let choice = keys::parse(key, text).context("the evaluator is no table that TOML can read")?;
    let choice: Choice = serde_json::from_value(choice)?;
    let environment = Environment::of_process();
    let deps = AgentDeps {
        clock: Arc::new(SystemClock::start()),
        client: http_client()?,
        secret: Arc::new(move |name| environment.get(name).map(str::to_owned)),
    };
    Ok(build_evaluator(&choice, &deps, "evaluator")?)
}

/// What the product would do: an evaluator that fails or is unsure means release.
async fn decide(evaluator: &dyn Evaluator, case: &Case) -> Decision {
    let reply = ReplyId(1);
    let newer = match &case.b {
        Texts::One(text) => std::slice::from_ref(text),
        Texts::Several(texts) => texts.as_slice(),
    };
    let question = Question {
        session: SessionId(1),
        held: vec![Held {
            reply,
            messages: vec![case.a.clone()],
            parts: Vec::new(),
            effects: false,
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
    };
    let opinions = evaluator
        .judge(&question)
        .await
        .unwrap_or_default()
        .opinions;
    let sure = TriageSettings::default().threshold;
    opinions
        .iter()
        .find(|opinion| opinion.reply == reply && opinion.confidence >= sure)
        .map_or(Decision::ReleaseFirst, |opinion| opinion.decision)
}
