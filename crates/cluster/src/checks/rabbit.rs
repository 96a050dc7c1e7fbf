//! What RabbitMQ tells about itself, and what it means.

use super::{About, Finding, Level};
use crate::rabbit::Conflict;

/// The oldest version that is known to work: it brought time to live for quorum queues.
const OLDEST: (u32, u32) = (3, 10);

fn finding(about: About, level: Level, words: String) -> Finding {
    Finding {
        service: "RabbitMQ",
        about,
        level,
        value: None,
        words,
    }
}

/// Its version, or why it does not tell.
pub fn version(told: Result<String, String>) -> Finding {
    let version = match told {
        Ok(version) => version,
        Err(why) => {
            let words = format!(
                "it does not answer ({why}); replies leave through the sweeper, a second or two late, until it does"
            );
            return finding(About::Reach, Level::Warning, words);
        }
    };
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    let (level, words) = match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) if (major, minor) >= OLDEST => {
            (Level::Good, format!("version {version}"))
        }
        (Some::<u32>(_), Some::<u32>(_)) => {
            let (major, minor) = OLDEST;
            let words =
                format!("version {version} is too old, replygate needs {major}.{minor} or newer");
            (Level::Bad, words)
        }
        _ => (Level::Warning, format!("its version is {version}")),
    };
    Finding {
        value: Some(version),
        ..finding(About::Version, level, words)
    }
}

/// Whether it takes messages; else its own word for why not.
pub fn alarm(why: Option<&str>) -> Finding {
    match why {
        None => finding(About::Alarm, Level::Good, "it takes messages".to_owned()),
        Some(why) => finding(
            About::Alarm,
            Level::Warning,
            format!(
                "it takes no messages ({why}); give it memory or disk, or raise `vm_memory_high_watermark` or lower \
                 `disk_free_limit`"
            ),
        ),
    }
}

/// Queues that exist with other arguments.
pub fn conflicts(conflicts: &[Conflict]) -> Vec<Finding> {
    if conflicts.is_empty() {
        let words = "every queue that exists has our arguments".to_owned();
        return vec![finding(About::Queues, Level::Good, words)];
    }
    conflicts
        .iter()
        .map(|conflict| Finding {
            value: Some(conflict.queue.clone()),
            ..finding(About::Queues, Level::Bad, conflict.to_string())
        })
        .collect()
}

/// The queues could not be looked at.
pub fn unreadable(why: &str) -> Finding {
    finding(
        About::Queues,
        Level::Warning,
        format!("its queues cannot be looked at: {why}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_apart_by_their_numbers() {
        let level = |text: &str| version(Ok(text.to_owned())).level;
        assert_eq!(level("3.10.8"), Level::Good);
        assert_eq!(level("4.1.0-rc.2"), Level::Good);
        assert_eq!(level("3.9.29"), Level::Bad);
        assert_eq!(level("tip"), Level::Warning);
        assert_eq!(version(Err("refused".to_owned())).level, Level::Warning);
    }

    #[test]
    fn an_alarm_is_told_in_the_brokers_words() {
        let found = alarm(Some("low on disk"));
        assert_eq!(found.level, Level::Warning);
        assert!(found.words.contains("low on disk"));
        assert_eq!(alarm(None).level, Level::Good);
    }

    #[test]
    fn every_conflict_is_a_finding() {
        let conflict = Conflict {
            queue: "q".to_owned(),
            argument: "x-message-ttl".to_owned(),
            present: "5".to_owned(),
            wanted: "6".to_owned(),
        };
        let found = super::conflicts(&[conflict.clone(), conflict]);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|found| found.level == Level::Bad));
        assert_eq!(super::conflicts(&[])[0].level, Level::Good);
    }
}
