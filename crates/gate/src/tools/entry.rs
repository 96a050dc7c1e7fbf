//! What the ledger knows under one fingerprint, and what may follow: reserve, then done, failed or unknown. Must never
//! let a second call run while the first may have had its effect, except where somebody said so.

use serde::{Deserialize, Serialize};

use super::Moment;
use crate::ids::{ActionId, At};
use crate::status::words;

words! {
    /// Where a call of a tool with an effect is.
    CallState, "call state", {
        /// Reserved; it runs, or its process died.
        Running = "running",
        /// Its effect happened.
        Done = "done",
        /// It is certain that its effect did not happen.
        Failed = "failed",
        /// Nobody knows whether its effect happened.
        Unknown = "unknown",
    }
}

words! {
    /// What a call that may have had its effect does to the same call later.
    #[derive(Default)]
    OnUnknown, "answer to an unknown outcome", {
        /// Keeps it back until somebody settles the first or allows another.
        #[default]
        Hold = "hold",
        /// Keeps it back inside the window.
        Window = "window",
        /// Nothing: the tool's own service recognises the repeated key, so that it may be called again.
        Retry = "retry",
    }
}

/// How calls of a tool are guarded; times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarding {
    /// How long after its confirmed success the same call is a duplicate.
    pub window_ms: u64,
    /// How long a call may take; whose outcome is not settled by then is unknown.
    pub lease_ms: u64,
    /// What a call that may have had its effect does to the same call later.
    pub on_unknown: OnUnknown,
}

impl Guarding {
    /// Ten minutes: the person who insists after two minutes is caught, the same meeting next week is not.
    pub const WINDOW_MS: u64 = 600_000;
}

impl Default for Guarding {
    fn default() -> Self {
        Self {
            window_ms: Self::WINDOW_MS,
            lease_ms: 60_000,
            on_unknown: OnUnknown::Hold,
        }
    }
}

/// The newest call under a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The call.
    pub action: ActionId,
    /// The first call of those that were repeated because of an unknown outcome, itself otherwise: the key by which the
    /// tool's own service knows them as one.
    pub origin: ActionId,
    /// Where it is.
    pub state: CallState,
    /// When it was reserved.
    pub reserved_at: At,
    /// When its outcome was settled.
    pub settled_at: Option<At>,
    /// The call that took its place under the fingerprint.
    pub replaced_by: Option<ActionId>,
    /// How it is guarded.
    pub guarding: Guarding,
}

impl Entry {
    /// A call that begins.
    #[must_use]
    pub const fn begun(action: ActionId, origin: ActionId, guarding: Guarding, at: At) -> Self {
        Self {
            action,
            origin,
            state: CallState::Running,
            reserved_at: at,
            settled_at: None,
            replaced_by: None,
            guarding,
        }
    }

    /// Whether it still stands for its fingerprint.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.state != CallState::Failed && self.replaced_by.is_none()
    }
}

/// Whether somebody allowed one more call under the fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// Nobody did.
    None,
    /// One call more.
    Once,
}

/// Why a call may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// There was none, or it failed.
    Free,
    /// The first one's window is over.
    WindowOver,
    /// Somebody allowed it.
    Allowed,
    /// The tool's own service recognises the key.
    Retried,
}

/// What becomes of a call that wants to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reservation {
    /// It runs.
    Run {
        /// The key for the tool's own service.
        origin: ActionId,
        /// Why.
        why: Why,
    },
    /// Its work was done.
    Duplicate {
        /// How long ago, in milliseconds.
        age_ms: u64,
    },
    /// The first one runs.
    InProgress {
        /// So many milliseconds at most.
        left_ms: u64,
    },
    /// Nobody knows whether its work was done.
    Unknown {
        /// How long ago it may have been done, in milliseconds.
        age_ms: u64,
    },
}

/// Decides about a call that wants to run. `live` is the entry under its fingerprint that [`Entry::is_live`]; `guarding`
/// is what the tool's settings say now.
#[must_use]
pub fn reserve(
    live: Option<&Entry>,
    allowance: Allowance,
    action: ActionId,
    guarding: &Guarding,
    moment: &Moment,
) -> Reservation {
    let fresh = |why| Reservation::Run {
        origin: action,
        why,
    };
    let Some(entry) = live.filter(|entry| entry.is_live()) else {
        return fresh(Why::Free);
    };
    let age_ms = moment.age(entry.settled_at.unwrap_or(entry.reserved_at));
    match entry.state {
        CallState::Running if !is_dead(entry, moment) => Reservation::InProgress {
            left_ms: entry.guarding.lease_ms - age_ms,
        },
        CallState::Failed => fresh(Why::Free),
        CallState::Done if age_ms >= guarding.window_ms => fresh(Why::WindowOver),
        _ if allowance == Allowance::Once => fresh(Why::Allowed),
        CallState::Done => Reservation::Duplicate { age_ms },
        CallState::Running | CallState::Unknown => unknown(entry, age_ms, action, guarding),
    }
}

fn unknown(entry: &Entry, age_ms: u64, action: ActionId, guarding: &Guarding) -> Reservation {
    match guarding.on_unknown {
        OnUnknown::Retry => Reservation::Run {
            origin: entry.origin,
            why: Why::Retried,
        },
        OnUnknown::Window if age_ms >= guarding.window_ms => Reservation::Run {
            origin: action,
            why: Why::WindowOver,
        },
        OnUnknown::Hold | OnUnknown::Window => Reservation::Unknown { age_ms },
    }
}

/// Whether its time is over without an outcome: its process died, or forgot it.
#[must_use]
pub fn is_dead(entry: &Entry, moment: &Moment) -> bool {
    entry.state == CallState::Running && moment.age(entry.reserved_at) >= entry.guarding.lease_ms
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its effect happened.
    Done,
    /// It is certain that its effect did not happen.
    Failed,
    /// Nobody knows.
    Unknown,
}

impl Outcome {
    const fn state(self) -> CallState {
        match self {
            Self::Done => CallState::Done,
            Self::Failed => CallState::Failed,
            Self::Unknown => CallState::Unknown,
        }
    }
}

/// What an outcome changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The entry as it is now.
    Now(Entry),
    /// Nothing: it was settled so before.
    Before,
}

/// An outcome that comes too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettleRefusal {
    /// The call was settled otherwise.
    #[error("the call was settled as {0}")]
    Settled(CallState),
    /// Another call took its place.
    #[error("the call {0} took its place")]
    Replaced(ActionId),
}

/// Settles a call. An outcome that was unknown may become known later, by its own process or by a person, as long as no
/// other call took its place.
pub fn settle(entry: &Entry, outcome: Outcome, moment: &Moment) -> Result<Settled, SettleRefusal> {
    let state = outcome.state();
    if entry.state == state {
        return Ok(Settled::Before);
    }
    if let Some(other) = entry.replaced_by {
        return Err(SettleRefusal::Replaced(other));
    }
    match entry.state {
        CallState::Running | CallState::Unknown => Ok(Settled::Now(Entry {
            state,
            settled_at: Some(moment.now),
            ..entry.clone()
        })),
        CallState::Done | CallState::Failed => Err(SettleRefusal::Settled(entry.state)),
    }
}
