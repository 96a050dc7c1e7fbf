//! The ledger of tool calls with an effect: which call stands for which meaning, and which calls were not carried out
//! because their work was done. Must never lose a reservation that it acknowledged.

pub mod steps;

use async_trait::async_trait;
use replygate_gate::tools::{
    Comparison, Entry, Fingerprint, Guarding, Moment, SettleRefusal, Settled,
};
use replygate_gate::{ActionId, At, DuplicateId, ReplyId, SessionId, SessionKey, TurnId};
use serde_json::Value;

use crate::store::StoreError;

pub use replygate_gate::tools::{Avoided, Opinion, Runner};

/// A call that wants to run.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCall {
    /// Its id, new.
    pub action: ActionId,
    /// What it means.
    pub fingerprint: Fingerprint,
    /// The tool.
    pub tool: String,
    /// For whom.
    pub whom: SessionKey,
    /// The turn that made it; none for an agent elsewhere.
    pub turn: Option<TurnId>,
    /// Its arguments.
    pub arguments: Value,
    /// What makes its identity.
    pub comparison: Comparison,
    /// How it is guarded.
    pub guarding: Guarding,
    /// Who carries it out.
    pub runner: Runner,
}

/// A call as the ledger has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Where it is.
    pub entry: Entry,
    /// What it means.
    pub fingerprint: Fingerprint,
    /// The tool.
    pub tool: String,
    /// For whom.
    pub whom: SessionKey,
    /// The turn that made it.
    pub turn: Option<TurnId>,
    /// Its arguments.
    pub arguments: Value,
    /// What makes its identity.
    pub comparison: Comparison,
    /// Who carries it out.
    pub runner: Runner,
    /// Its result, once done.
    pub result: Option<Value>,
    /// A short stable word for what went wrong.
    pub code: Option<String>,
    /// The person who settled it.
    pub settled_by: Option<String>,
    /// Why, in that person's words.
    pub reason: Option<String>,
    /// The request by which it was settled.
    pub request_id: Option<String>,
}

/// The ledger's answer to a call that wants to run.
#[derive(Clone, Debug, PartialEq)]
pub enum Reserved {
    /// It may run now.
    Run {
        /// The key for the tool's own service.
        key: ActionId,
    },
    /// Its work was done.
    Duplicate {
        /// By this call.
        first: Box<Call>,
        /// How long ago, in milliseconds.
        age_ms: u64,
    },
    /// Another one is doing it.
    InProgress {
        /// This call.
        first: ActionId,
        /// When it is unknown at the latest, in milliseconds from now.
        left_ms: u64,
    },
    /// Nobody knows whether its work was done.
    Unknown {
        /// By this call.
        first: Box<Call>,
        /// How long ago, in milliseconds.
        age_ms: u64,
    },
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Settlement {
    /// Its effect happened.
    Done {
        /// Its result.
        result: Value,
    },
    /// It is certain that its effect did not happen.
    Failed {
        /// Short stable word.
        code: String,
    },
    /// Nobody knows.
    Unknown {
        /// Short stable word.
        code: String,
    },
}

impl Settlement {
    /// How it ended, without what it brought.
    #[must_use]
    pub const fn outcome(&self) -> replygate_gate::tools::Outcome {
        use replygate_gate::tools::Outcome;
        match self {
            Self::Done { .. } => Outcome::Done,
            Self::Failed { .. } => Outcome::Failed,
            Self::Unknown { .. } => Outcome::Unknown,
        }
    }
}

/// A person behind a change of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct By {
    /// Who.
    pub name: String,
    /// Why, in that person's words.
    pub reason: Option<String>,
    /// Minted with the form; the same one again does nothing and succeeds.
    pub request_id: String,
}

/// Why the ledger changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// There is no such call or record.
    #[error("the ledger has no such call")]
    NoSuch,
    /// It was settled otherwise, or another call took its place.
    #[error(transparent)]
    Refused(#[from] SettleRefusal),
    /// A fault.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A call that was not carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDuplicate {
    /// The record's id, new.
    pub id: DuplicateId,
    /// The call that did the work.
    pub first: ActionId,
    /// What both mean.
    pub fingerprint: Fingerprint,
    /// Why it was not carried out.
    pub avoided: Avoided,
    /// The tool.
    pub tool: String,
    /// For whom.
    pub whom: SessionKey,
    /// The turn that made it; none for an agent elsewhere.
    pub turn: Option<TurnId>,
    /// Its arguments.
    pub arguments: Value,
    /// What was compared, and what was not.
    pub comparison: Comparison,
    /// How long after the first, in milliseconds.
    pub age_ms: u64,
    /// What the agent was told.
    pub note: String,
    /// When.
    pub at: At,
}

/// A person's verdict on a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The verdict.
    pub opinion: Opinion,
    /// In that person's words.
    pub comment: Option<String>,
    /// Who.
    pub by: String,
    /// When.
    pub at: At,
}

/// What became of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It stands.
    Now,
    /// Nothing: another one stands, which its author had not seen; `None` where there is none any more.
    Other(Option<Verdict>),
}

/// The record of a call that was not carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Duplicate {
    /// What was recorded.
    pub call: NewDuplicate,
    /// The call that did the work; none once it is pruned.
    pub first: Option<Call>,
    /// The reply in which the agent went on.
    pub said: Option<ReplyId>,
    /// The last verdict.
    pub verdict: Option<Verdict>,
}

/// Leave for one more call under a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPass {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// When it was given.
    pub at: At,
    /// When it ends unused.
    pub until: At,
    /// Who gave it.
    pub by: By,
}

/// Which calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallQuery {
    /// Only in these states; empty is any. A call whose lease is over is still `running` until it is expired.
    pub states: Vec<replygate_gate::tools::CallState>,
    /// Only those that stand for their fingerprint: neither failed nor replaced.
    pub live_only: bool,
    /// Only of this tool.
    pub tool: Option<String>,
    /// Only on this channel.
    pub channel: Option<String>,
    /// Only of this session.
    pub session: Option<SessionId>,
    /// Only of this turn.
    pub turn: Option<TurnId>,
    /// Reserved at or after.
    pub from: Option<At>,
    /// Reserved before.
    pub to: Option<At>,
    /// Only behind this key: reservation and id of the last row seen.
    pub after: Option<(At, ActionId)>,
    /// At most so many.
    pub limit: u32,
}

impl CallQuery {
    /// Whether only calls are wanted that still stand and whose outcome nobody knows yet: the few that are open.
    #[must_use]
    pub fn is_of_open(&self) -> bool {
        use replygate_gate::tools::CallState;
        let is_open = |state: &CallState| matches!(state, CallState::Running | CallState::Unknown);
        self.live_only && !self.states.is_empty() && self.states.iter().all(is_open)
    }
}

/// Which records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuplicateQuery {
    /// Only of this tool.
    pub tool: Option<String>,
    /// Only on this channel.
    pub channel: Option<String>,
    /// Only of this session.
    pub session: Option<SessionId>,
    /// Only of calls avoided so; empty is any.
    pub avoided: Vec<Avoided>,
    /// Only with this verdict.
    pub opinion: Option<Opinion>,
    /// Only those without a verdict.
    pub unjudged_only: bool,
    /// At or after.
    pub from: Option<At>,
    /// Before.
    pub to: Option<At>,
    /// Only behind this key: time and id of the last row seen.
    pub after: Option<(At, DuplicateId)>,
    /// At most so many.
    pub limit: u32,
}

/// The ledger of tool calls with an effect.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Decides about a call that wants to run and, if it may, reserves its fingerprint durably; all in one step, so that
    /// of many at once one runs. A valid pass is used up where it is needed, and only there.
    async fn reserve(&self, call: NewCall, moment: &Moment) -> Result<Reserved, StoreError>;

    /// Records durably how a call ended. `Before` when it was recorded so already.
    ///
    /// # Errors
    /// `Refused` when it was settled otherwise or another call took its place, `NoSuch` when it is not there.
    async fn settle(
        &self,
        action: ActionId,
        settlement: Settlement,
        moment: &Moment,
    ) -> Result<Settled, LedgerError>;

    /// Records durably how a call ended whose outcome was unknown, as a person found out.
    ///
    /// # Errors
    /// As [`Ledger::settle`]; a call that still runs is refused too, as settled `running`.
    async fn settle_by(
        &self,
        action: ActionId,
        settlement: Settlement,
        by: By,
        moment: &Moment,
    ) -> Result<Settled, LedgerError>;

    /// Records durably that a call was not carried out. The same id again changes nothing.
    async fn avoid(&self, duplicate: NewDuplicate) -> Result<(), StoreError>;

    /// Records the reply in which the agent of that turn went on after its duplicates; how many there were.
    async fn said(&self, turn: TurnId, reply: ReplyId) -> Result<u64, StoreError>;

    /// Gives leave for one more call; the same request again changes nothing.
    async fn allow_once(&self, pass: NewPass) -> Result<(), StoreError>;

    /// Records a person's verdict, if the one that stands is the one they saw, by its time: of two people who judge at
    /// once one does.
    ///
    /// # Errors
    /// `NoSuch` when there is no such record.
    async fn judge(
        &self,
        duplicate: DuplicateId,
        seen: Option<At>,
        verdict: Verdict,
    ) -> Result<Judged, LedgerError>;

    /// One call.
    async fn call(&self, action: ActionId) -> Result<Option<Call>, StoreError>;

    /// Calls, newest first.
    async fn calls(&self, query: &CallQuery) -> Result<Vec<Call>, StoreError>;

    /// One record.
    async fn duplicate(&self, id: DuplicateId) -> Result<Option<Duplicate>, StoreError>;

    /// Records, newest first.
    async fn duplicates(&self, query: &DuplicateQuery) -> Result<Vec<Duplicate>, StoreError>;

    /// How many calls a query finds, counted up to `most`; `after` and `limit` are not read.
    async fn count_calls(&self, query: &CallQuery, most: u32) -> Result<u32, StoreError>;

    /// How many records a query finds, counted up to `most`; `after` and `limit` are not read.
    async fn count_duplicates(&self, query: &DuplicateQuery, most: u32) -> Result<u32, StoreError>;

    /// Makes calls unknown whose lease is over, at most `limit`; which they were.
    async fn expire(&self, moment: &Moment, limit: u32) -> Result<Vec<ActionId>, StoreError>;

    /// Makes every running call of this installation unknown, for their processes are dead: the process that starts is
    /// the only one. How many there were.
    async fn recover(&self, moment: &Moment) -> Result<u64, StoreError>;

    /// Removes records, passes and settled calls from before `before`, at most `limit` rows; how many. Whatever still
    /// stands for its fingerprint inside its window stays, and so does a call whose outcome is unknown.
    async fn prune(&self, before: At, limit: u32) -> Result<u64, StoreError>;
}
