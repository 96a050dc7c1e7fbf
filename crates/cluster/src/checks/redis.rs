//! What Redis tells about itself, and what it means.

use super::{About, Finding, Level, clock};
use crate::health::Health;
use crate::redis::Facts;

const REDIS: &str = "Redis";
/// The oldest version whose scripts do what ours need.
const OLDEST: u32 = 7;

fn finding(about: About, level: Level, words: String) -> Finding {
    Finding {
        service: REDIS,
        about,
        level,
        value: None,
        words,
    }
}

/// It does not answer.
pub fn away(health: &Health) -> Vec<Finding> {
    let why = match health {
        Health::Down { why, .. } | Health::Blocked { why, .. } => why.as_str(),
        Health::Up => "no answer",
    };
    let words = format!(
        "it does not answer ({why}); everything goes on without it, a little slower, until it does"
    );
    vec![finding(About::Reach, Level::Warning, words)]
}

/// Everything worth a word.
pub fn judge(facts: &Facts) -> Vec<Finding> {
    let mut found = vec![version(&facts.info), eviction(&facts.info)];
    found.extend(role(&facts.info));
    found.push(clock(REDIS, facts.now_ms, facts.asked_at_ms));
    found
}

/// The value under a name in the text of `INFO`.
fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines()
        .filter_map(|line| line.split_once(':'))
        .find_map(|(key, value)| (key == name).then(|| value.trim()))
}

fn version(info: &str) -> Finding {
    if let Some(version) = field(info, "valkey_version") {
        return of_version(Level::Good, version, format!("Valkey {version}"));
    }
    let version = field(info, "redis_version").unwrap_or("unknown");
    let major = version
        .split('.')
        .next()
        .and_then(|major| major.parse().ok());
    match major {
        Some(major) if major >= OLDEST => {
            of_version(Level::Good, version, format!("version {version}"))
        }
        Some::<u32>(_) => of_version(
            Level::Bad,
            version,
            format!("version {version} is too old, replygate needs {OLDEST} or newer, or Valkey"),
        ),
        None => of_version(Level::Warning, version, format!("its version is {version}")),
    }
}

fn of_version(level: Level, version: &str, words: String) -> Finding {
    Finding {
        value: Some(version.to_owned()),
        ..finding(About::Version, level, words)
    }
}

fn eviction(info: &str) -> Finding {
    match field(info, "maxmemory_policy") {
        Some("noeviction") => finding(About::Eviction, Level::Good, "it evicts nothing".to_owned()),
        policy => finding(
            About::Eviction,
            Level::Warning,
            format!(
                "its `maxmemory-policy` is `{}`: under pressure leases and budgets would vanish early; set `maxmemory-policy \
                 noeviction`",
                policy.unwrap_or("unknown")
            ),
        ),
    }
}

/// A replica takes no writes.
fn role(info: &str) -> Option<Finding> {
    let is_replica = field(info, "role") == Some("slave");
    is_replica.then(|| {
        finding(
            About::Role,
            Level::Bad,
            "it is a replica and takes no writes; set the address of the primary".to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "# Server\r\nredis_version:7.0.15\r\nrole:master\r\n# Memory\r\nmaxmemory_policy:noeviction\r\n";

    fn levels(info: &str) -> Vec<Level> {
        let facts = Facts {
            info: info.to_owned(),
            now_ms: 5,
            asked_at_ms: 5,
        };
        judge(&facts).iter().map(|found| found.level).collect()
    }

    #[test]
    fn a_sound_redis_is_good_in_every_respect() {
        assert_eq!(levels(SOUND), [Level::Good; 3]);
    }

    #[test]
    fn a_redis_that_evicts_is_told_with_what_to_set() {
        let info = SOUND.replace("noeviction", "volatile-lru");
        let found = eviction(&info);
        assert_eq!(found.level, Level::Warning);
        assert!(found.words.contains("`volatile-lru`") && found.words.contains("noeviction"));
    }

    #[test]
    fn an_old_redis_and_a_replica_do_not_work_and_valkey_does() {
        assert_eq!(version("redis_version:6.2.14").level, Level::Bad);
        assert_eq!(
            version("redis_version:7.2.4\r\nvalkey_version:8.0.1\r\n").words,
            "Valkey 8.0.1"
        );
        let replica = SOUND.replace("role:master", "role:slave");
        assert!(levels(&replica).contains(&Level::Bad));
    }
}
