//! What is wrong with the services, in words that say what to do. Must never change anything there.

mod postgres;
mod rabbit;
mod redis;

use std::fmt;

use replygate_ports::clock::Clock;

use crate::postgres::Postgres;
use crate::rabbit::Rabbit;
use crate::redis::Redis;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// As it should be.
    Good,
    /// It works, and something is slower or less sure than it should be.
    Warning,
    /// It does not work, and will not by itself: a server refuses to start.
    Bad,
}

impl Level {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Warning => "warning",
            Self::Bad => "bad",
        }
    }
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Whether it answers.
    Reach,
    /// Its version, which is the finding's value.
    Version,
    /// Whether it may forget what it has acknowledged.
    Durability,
    /// Its clock against this machine's; the value is the difference in milliseconds.
    Clock,
    /// Whether it drops what it holds when its memory is full.
    Eviction,
    /// Whether it takes writes.
    Role,
    /// Whether it takes messages.
    Alarm,
    /// Whether its queues are as they have to be; the value is a queue that is not.
    Queues,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// `PostgreSQL`, `Redis` or `RabbitMQ`.
    pub service: &'static str,
    /// What it is about.
    pub about: About,
    /// How bad it is.
    pub level: Level,
    /// The bare fact, where there is one.
    pub value: Option<String>,
    /// What was found, and what to do about it.
    pub words: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.service, self.words)
    }
}

/// From this difference on a clock is worth a word, in milliseconds.
const NOTICED_MS: u64 = 250;
/// From this difference on replies leave noticeably early or late, in milliseconds.
const HARMFUL_MS: u64 = 5_000;

/// What a difference between a service's clock and this machine's means: `there_ms` and `here_ms` are the same instant.
#[must_use]
pub fn clock(service: &'static str, there_ms: i64, here_ms: i64) -> Finding {
    let gap = there_ms.saturating_sub(here_ms);
    let level = match gap.unsigned_abs() {
        ..NOTICED_MS => Level::Good,
        NOTICED_MS..HARMFUL_MS => Level::Warning,
        _ => Level::Bad,
    };
    let words = if level == Level::Good {
        format!("its clock and this machine's are within {NOTICED_MS} ms")
    } else {
        let way = if gap > 0 { "ahead of" } else { "behind" };
        format!(
            "its clock is {} ms {way} this machine's; processes whose clocks differ hand replies over early or late, so keep \
             all of them in step with NTP",
            gap.unsigned_abs()
        )
    };
    Finding {
        service,
        about: About::Clock,
        level,
        value: Some(gap.unsigned_abs().to_string()),
        words,
    }
}

impl Postgres {
    /// Looks at PostgreSQL as it is now.
    pub async fn check(&self, clock: &dyn Clock) -> Vec<Finding> {
        let before = clock.now();
        match self.facts().await {
            Ok(Some(facts)) => {
                let round_trip = clock.now().since(before);
                postgres::judge(&facts, before.plus(round_trip / 2).0)
            }
            Ok(None) => vec![postgres::away("no answer")],
            Err(error) => vec![postgres::away(&error.to_string())],
        }
    }
}

impl Redis {
    /// Looks at Redis as it is now.
    pub async fn check(&self) -> Vec<Finding> {
        match self.facts().await {
            Some(facts) => redis::judge(&facts),
            None => redis::away(&self.health()),
        }
    }
}

impl Rabbit {
    /// Looks at RabbitMQ as it is now.
    pub async fn check(&self) -> Vec<Finding> {
        let version = self.version().await;
        let trouble = version.as_ref().err().map(ToString::to_string);
        let mut found = vec![rabbit::version(
            version.map_err(|trouble| trouble.to_string()),
        )];
        if trouble.is_some() {
            return found;
        }
        found.push(rabbit::alarm(self.alarm().await.as_deref()));
        match self.conflicts().await {
            Ok(conflicts) => found.extend(rabbit::conflicts(&conflicts)),
            Err(trouble) => found.push(rabbit::unreadable(&trouble.to_string())),
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_in_step_is_good_and_one_that_is_not_says_by_how_much() {
        assert_eq!(clock("Redis", 1_000, 1_200).level, Level::Good);
        let behind = clock("Redis", 1_000, 1_900);
        assert_eq!(behind.level, Level::Warning);
        assert!(behind.words.contains("900 ms behind"), "{behind}");
        let ahead = clock("PostgreSQL", 9_000, 1_000);
        assert_eq!(ahead.level, Level::Bad);
        assert!(ahead.words.contains("8000 ms ahead"), "{ahead}");
    }
}
