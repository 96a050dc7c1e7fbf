//! `replygate debounce explain`: how long a message would be waited upon, and why. Works without a server.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::{MessageKind, Sample, Signal, Windows, explain};
use replygate_gate::text::Languages;
use serde::Deserialize;
use serde_json::json;

use super::jsonl;

/// How long messages are waited upon.
#[derive(Args)]
pub(super) struct DebounceCommand {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Says which rule decides on a text, and how long its window is; or counts how often the rules are right about a file
    Explain(Explain),
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct What {
    /// The message
    text: Option<String>,
    /// One message per line: `{"id", "text", "attachment", "expected_signal", "hard"}`
    #[arg(long)]
    file: Option<PathBuf>,
}

#[derive(Args)]
struct Explain {
    #[command(flatten)]
    what: What,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// One message with what is expected of it.
#[derive(Deserialize)]
struct Case {
    id: String,
    #[serde(default)]
    text: String,
    /// `voice`, or another kind of attachment.
    attachment: Option<String>,
    expected_signal: Signal,
    #[serde(default)]
    hard: bool,
}

impl DebounceCommand {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let Verb::Explain(explain) = self.verb;
        match (&explain.what.text, &explain.what.file) {
            (Some(text), _) => one(text, explain.json),
            (None, Some(file)) => count(&jsonl::read(file)?, explain.json),
            (None, None) => anyhow::bail!("a text or --file is needed"),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn explanation(text: &str, kind: MessageKind) -> replygate_gate::debounce::Explanation {
    let sample = Sample { text, kind };
    explain(
        sample,
        &ControlCommands::default(),
        Languages::all(),
        &Windows::default(),
    )
}

fn one(text: &str, as_json: bool) {
    let why = explanation(text, MessageKind::Text);
    if as_json {
        println!("{}", json!(why));
        return;
    }
    println!("signal   {}", why.signal.as_str());
    println!("window   {} ms", why.window_ms);
    println!("rule     {}", why.rule.as_str());
    if let Some(matched) = &why.matched {
        println!(
            "decided  {:?} at {}..{}",
            matched.text, matched.start, matched.end
        );
    }
    if let Some(skipped) = &why.skipped {
        println!(
            "skipped  {:?} at {}..{}",
            skipped.text, skipped.start, skipped.end
        );
    }
}

fn count(cases: &[Case], as_json: bool) {
    let wrong: Vec<(&Case, Signal)> = cases
        .iter()
        .map(|case| (case, explanation(&case.text, kind(case)).signal))
        .filter(|(case, found)| case.expected_signal != *found)
        .collect();
    let hard = cases.iter().filter(|case| case.hard).count();
    let hard_wrong = wrong.iter().filter(|(case, _)| case.hard).count();
    let ids: Vec<&str> = wrong.iter().map(|(case, _)| case.id.as_str()).collect();
    if as_json {
        let counts = json!({
            "n": cases.len(), "right": cases.len() - wrong.len(),
            "hard_n": hard, "hard_right": hard - hard_wrong, "wrong": ids,
        });
        println!("{counts}");
        return;
    }
    println!("{} of {} right", cases.len() - wrong.len(), cases.len());
    println!("{} of {hard} hard ones right", hard - hard_wrong);
    for (case, found) in &wrong {
        println!(
            "{}: expected {}, found {}",
            case.id,
            case.expected_signal.as_str(),
            found.as_str()
        );
    }
}

fn kind(case: &Case) -> MessageKind {
    match case.attachment.as_deref() {
        None => MessageKind::Text,
        Some("voice") => MessageKind::Voice,
        Some(_) => MessageKind::Media,
    }
}
