//! The stories for people.

use std::fmt::Write as _;

use super::{Outcome, Told};

/// Every story with its timeline, and whether it is right.
#[must_use]
pub fn print(outcome: &Outcome) -> String {
    let mut text: String = outcome.stories.iter().map(story).collect();
    let right = outcome.stories.iter().filter(|told| told.ok).count();
    let _ = writeln!(
        text,
        "{right} of {} stories are as they have to be",
        outcome.stories.len()
    );
    text
}

fn story(told: &Told) -> String {
    let mut text = String::new();
    let verdict = if told.ok { "OK" } else { "DIFFERS" };
    let _ = writeln!(text, "{}: {verdict}", told.name);
    for entry in &told.timeline {
        let note = entry.note.replace('\n', " ");
        let line = format!(
            "  {:>6} ms  {:<4}{:<12}{}",
            entry.ms, entry.message, entry.what, note
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for difference in &told.differs {
        let _ = writeln!(text, "  differs: {difference}");
    }
    text.push('\n');
    text
}
