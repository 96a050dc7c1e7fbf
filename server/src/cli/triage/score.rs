//! How often an evaluator was right.

use std::collections::BTreeMap;

use replygate_gate::Usage;
use serde::Serialize;
use serde_json::Value;

use super::{Case, Outcome};

/// Counts of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Counts {
    /// All.
    n: u32,
    /// Decided as expected.
    strict: u32,
    /// As expected, or as is acceptable too.
    lenient: u32,
    /// As must never be decided.
    never: u32,
}

/// How long verdicts took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Took {
    /// The median.
    half: u64,
    /// The slowest.
    most: u64,
}

/// Counts of cases in all, by language and by tag, and what was missed.
#[derive(Debug, Default, Serialize)]
pub(super) struct Score {
    #[serde(flatten)]
    all: Counts,
    by_lang: BTreeMap<String, Counts>,
    by_tag: BTreeMap<String, Counts>,
    /// Cases without a verdict, by why.
    failed: BTreeMap<String, u32>,
    /// How long the verdicts took, in milliseconds.
    took_ms: Took,
    /// What a model was asked in all.
    #[serde(skip_serializing_if = "Usage::is_none")]
    tokens: Usage,
    #[serde(skip)]
    waits: Vec<u64>,
    #[serde(skip)]
    misses: Vec<String>,
}

impl Score {
    pub(super) fn count(&mut self, case: &Case, outcome: &Outcome) {
        let found = outcome.decision;
        if let Some(code) = &outcome.failed {
            *self.failed.entry(code.clone()).or_default() += 1;
        }
        self.waits.push(outcome.took.as_millis() as u64);
        self.took_ms = Took::of(&mut self.waits);
        self.tokens = self.tokens.plus(outcome.usage);
        let strict = found == case.expected;
        let one = Counts {
            n: 1,
            strict: u32::from(strict),
            lenient: u32::from(strict || case.also_accept.contains(&found)),
            never: u32::from(case.never.contains(&found)),
        };
        self.all.add(one);
        self.by_lang.entry(case.lang.clone()).or_default().add(one);
        self.by_tag.entry(case.tag.clone()).or_default().add(one);
        if one.lenient == 0 {
            let harm = if one.never == 1 { " (never!)" } else { "" };
            self.misses.push(format!(
                "{}: expected {}, found {found}{harm}",
                case.id, case.expected
            ));
        }
    }

    pub(super) fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    pub(super) fn print(&self) {
        println!(
            "{:24} {:>5} {:>7} {:>8} {:>6}",
            "", "cases", "strict", "lenient", "never"
        );
        self.all.print("all");
        for (lang, counts) in &self.by_lang {
            counts.print(lang);
        }
        for (tag, counts) in &self.by_tag {
            counts.print(tag);
        }
        for miss in &self.misses {
            println!("{miss}");
        }
        for (code, cases) in &self.failed {
            println!("without a verdict ({code}): {cases}");
        }
        let Took { half, most } = self.took_ms;
        println!("half of the verdicts took {half} ms or less, the slowest {most} ms");
        if !self.tokens.is_none() {
            let Usage { input, output, .. } = self.tokens;
            println!("tokens: {input} read, {output} written");
        }
    }
}

impl Took {
    fn of(waits: &mut [u64]) -> Self {
        waits.sort_unstable();
        Self {
            half: waits.get(waits.len() / 2).copied().unwrap_or_default(),
            most: waits.last().copied().unwrap_or_default(),
        }
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.n += other.n;
        self.strict += other.strict;
        self.lenient += other.lenient;
        self.never += other.never;
    }

    fn print(&self, name: &str) {
        println!(
            "{name:24} {:>5} {:>7} {:>8} {:>6}",
            self.n, self.strict, self.lenient, self.never
        );
    }
}
