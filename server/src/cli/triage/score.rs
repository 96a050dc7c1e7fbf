//! How often an evaluator was right.

use std::collections::BTreeMap;

use replygate_gate::Decision;
use serde::Serialize;
use serde_json::Value;

use super::Case;

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

/// Counts of cases in all, by language and by tag, and what was missed.
#[derive(Debug, Default, Serialize)]
pub(super) struct Score {
    #[serde(flatten)]
    all: Counts,
    by_lang: BTreeMap<String, Counts>,
    by_tag: BTreeMap<String, Counts>,
    #[serde(skip)]
    misses: Vec<String>,
}

impl Score {
    pub(super) fn count(&mut self, case: &Case, found: Decision) {
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
