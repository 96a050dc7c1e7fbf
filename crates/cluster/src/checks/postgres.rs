//! What PostgreSQL tells about itself, and what it means.

use super::{About, Finding, Level, clock};
use crate::postgres::Facts;

const POSTGRES: &str = "PostgreSQL";

fn finding(about: About, level: Level, words: String) -> Finding {
    Finding {
        service: POSTGRES,
        about,
        level,
        value: None,
        words,
    }
}

/// It does not answer.
pub fn away(why: &str) -> Finding {
    let words = format!(
        "it does not answer ({why}); messages are refused with 503 and come again from their channels until it does"
    );
    finding(About::Reach, Level::Bad, words)
}

/// Everything worth a word; `asked_at_ms` is this machine's clock halfway through the question.
pub fn judge(facts: &Facts, asked_at_ms: i64) -> Vec<Finding> {
    let durable = if facts.is_durable {
        finding(
            About::Durability,
            Level::Good,
            "a commit is on its disk when it is answered".to_owned(),
        )
    } else {
        let words = "it answers before a commit is on its disk, so that what was acknowledged may be lost when its machine \
                     dies; set `fsync` and `synchronous_commit` to `on`";
        finding(About::Durability, Level::Warning, words.to_owned())
    };
    vec![
        Finding {
            value: Some(facts.version.clone()),
            ..finding(
                About::Version,
                Level::Good,
                format!("version {}", facts.version),
            )
        },
        durable,
        clock(POSTGRES, facts.now_ms, asked_at_ms),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_may_forget_is_told_with_what_to_set() {
        let mut facts = Facts {
            version: "15.18".to_owned(),
            is_durable: true,
            now_ms: 7,
        };
        let sound = judge(&facts, 7);
        assert!(sound.iter().all(|found| found.level == Level::Good));
        facts.is_durable = false;
        let found = judge(&facts, 7);
        assert_eq!(found[1].level, Level::Warning);
        assert!(found[1].words.contains("synchronous_commit"));
    }
}
