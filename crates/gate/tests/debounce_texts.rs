//! The debounce against texts in eight languages: the shared samples and our own.

#![expect(
    clippy::unwrap_used,
    reason = "a case file that cannot be read has to fail the test"
)]

use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::{MessageKind, Sample, classify};
use replygate_gate::text::Languages;
use serde_json::Value;

fn wrong(file: &str) -> Vec<String> {
    let commands = ControlCommands::default();
    file.lines()
        .filter(|line| !line.trim().is_empty())
        .filter_map(|line| {
            let case: Value = serde_json::from_str(line).unwrap();
            let kind = match case["attachment"].as_str() {
                None => MessageKind::Text,
                Some("voice") => MessageKind::Voice,
                Some(_) => MessageKind::Media,
            };
            let text = case["text"].as_str().unwrap();
            let found = classify(Sample { text, kind }, &commands, Languages::all()).as_str();
            (found != case["expected_signal"]).then(|| {
                format!(
                    "{} {text:?}: expected {}, found {found}",
                    case["id"], case["expected_signal"]
                )
            })
        })
        .collect()
}

#[test]
fn every_sample_text_gets_its_signal() {
    let wrong = wrong(include_str!("cases/debounce_texts.jsonl"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_text_of_our_own_gets_its_signal() {
    let wrong = wrong(include_str!("cases/debounce_own.jsonl"));
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
