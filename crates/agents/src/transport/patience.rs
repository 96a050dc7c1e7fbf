//! How long each stage of an exchange may take.

use std::time::Duration;

use replygate_ports::settings::SettingError;

use crate::options::Options;

/// How long each stage of an exchange may take; connecting has its own limit in the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience {
    /// Until the answer's head is there; `None` for no limit of its own.
    pub(crate) first_byte: Option<Duration>,
    /// Between two pieces of it; `None` for no limit of its own.
    pub(crate) idle: Option<Duration>,
    /// For everything, waits that the other side asks for included.
    pub(crate) whole: Duration,
}

impl Patience {
    /// For an agent. The first byte may take long: a model that runs on one's own machine is loaded first.
    pub(crate) const AGENT: Self = Self {
        first_byte: Some(Duration::from_mins(1)),
        idle: Some(Duration::from_secs(30)),
        whole: Duration::from_mins(5),
    };

    /// For an evaluator: over before the channel's usual hard limit, so that what rules know is not lost with it.
    pub(crate) const EVALUATOR: Self = Self::whole(Duration::from_millis(1_800));

    /// Only the whole has a limit.
    pub(crate) const fn whole(whole: Duration) -> Self {
        Self {
            first_byte: None,
            idle: None,
            whole,
        }
    }

    /// `first_byte_ms`, `idle_ms` and `timeout_ms`; the usual limits where the options name none.
    pub(crate) fn read(options: &Options<'_>, usual: Self) -> Result<Self, SettingError> {
        const MOST_MS: u64 = 3_600_000;
        Ok(Self {
            first_byte: options
                .wait("first_byte_ms", 1, MOST_MS)?
                .or(usual.first_byte),
            idle: options.wait("idle_ms", 1, MOST_MS)?.or(usual.idle),
            whole: options
                .wait("timeout_ms", 1, MOST_MS)?
                .unwrap_or(usual.whole),
        })
    }

    /// The same for an answer that comes all at once: nothing comes before it is whole.
    pub(crate) const fn unstreamed(self) -> Self {
        Self {
            first_byte: None,
            ..self
        }
    }
}
