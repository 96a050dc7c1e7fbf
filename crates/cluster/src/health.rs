//! How a service is, as far as this process knows: for readiness pages and start-up checks.

use std::sync::{Arc, PoisonError, RwLock};

use replygate_gate::At;

/// How a service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// It answers.
    Up,
    /// It answers, and takes nothing new: why, in its own words.
    Blocked {
        /// Since when.
        since: At,
        /// Why.
        why: String,
    },
    /// It does not answer.
    Down {
        /// Since when.
        since: At,
        /// What was met last.
        why: String,
    },
}

impl Health {
    /// Whether it can be used.
    #[must_use]
    pub const fn is_up(&self) -> bool {
        matches!(self, Self::Up)
    }
}

/// A health that one task knows and many ask for.
#[derive(Clone, Debug)]
pub struct Pulse(Arc<RwLock<Beat>>);

#[derive(Debug)]
struct Beat {
    health: Health,
    /// When the last outage after the first answer began.
    failed: Option<At>,
}

impl Pulse {
    /// Not reached yet.
    pub fn new(now: At) -> Self {
        Self(Arc::new(RwLock::new(Beat {
            health: Health::Down {
                since: now,
                why: "not reached yet".to_owned(),
            },
            failed: None,
        })))
    }

    /// The health now.
    pub fn read(&self) -> Health {
        let beat = self.0.read().unwrap_or_else(PoisonError::into_inner);
        beat.health.clone()
    }

    /// When it last ceased to answer or to take anything, since this process first reached it.
    pub fn last_failure(&self) -> Option<At> {
        let beat = self.0.read().unwrap_or_else(PoisonError::into_inner);
        beat.failed
    }

    /// Whether it can be used now.
    pub fn is_up(&self) -> bool {
        let beat = self.0.read().unwrap_or_else(PoisonError::into_inner);
        beat.health.is_up()
    }

    /// It answers.
    pub fn up(&self) {
        self.set(Health::Up);
    }

    /// It takes nothing new.
    pub fn blocked(&self, now: At, why: String) {
        self.set(Health::Blocked { since: now, why });
    }

    /// It does not answer; since when is kept while that lasts.
    pub fn down(&self, now: At, why: String) {
        let since = match self.read() {
            Health::Down { since, .. } => since,
            _ => now,
        };
        self.set(Health::Down { since, why });
    }

    fn set(&self, next: Health) {
        let mut beat = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let (Health::Up, Health::Down { since, .. } | Health::Blocked { since, .. }) =
            (&beat.health, &next)
        {
            beat.failed = Some(*since);
        }
        beat.health = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_counts_from_its_beginning() {
        let pulse = Pulse::new(At(1));
        pulse.up();
        pulse.down(At(5), "refused".to_owned());
        pulse.down(At(9), "no answer".to_owned());
        let health = Health::Down {
            since: At(5),
            why: "no answer".to_owned(),
        };
        assert_eq!(pulse.read(), health);
        assert!(!pulse.is_up());
        assert_eq!(pulse.last_failure(), Some(At(5)));
    }

    #[test]
    fn an_outage_is_remembered_when_it_is_over_and_the_way_to_the_first_answer_is_none() {
        let pulse = Pulse::new(At(1));
        pulse.down(At(2), "refused".to_owned());
        pulse.up();
        assert_eq!(pulse.last_failure(), None);
        pulse.blocked(At(7), "memory".to_owned());
        pulse.up();
        assert_eq!(pulse.last_failure(), Some(At(7)));
    }
}
