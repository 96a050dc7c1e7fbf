//! What the processes of an installation do.

use std::fmt;
use std::str::FromStr;

/// What a process does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Everything.
    #[default]
    All,
    /// Takes webhooks in, and serves pages, the console and `/v1`.
    Web,
    /// Works on sessions: timers, turns, hand-overs.
    Worker,
}

/// There is no such role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("allowed: web, worker, all")]
pub struct BadRole;

impl Role {
    /// Its word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Web => "web",
            Self::Worker => "worker",
        }
    }

    /// Whether it serves people and programs.
    #[must_use]
    pub const fn serves(self) -> bool {
        matches!(self, Self::All | Self::Web)
    }

    /// Whether it works on sessions.
    #[must_use]
    pub const fn works(self) -> bool {
        matches!(self, Self::All | Self::Worker)
    }
}

impl FromStr for Role {
    type Err = BadRole;

    fn from_str(word: &str) -> Result<Self, BadRole> {
        let all = [Self::All, Self::Web, Self::Worker];
        all.into_iter()
            .find(|role| role.as_str() == word)
            .ok_or(BadRole)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
