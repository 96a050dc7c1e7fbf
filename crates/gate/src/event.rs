//! Everything that can happen to a session. Must never carry a user's words: events are kept longer than texts.

use serde::{Deserialize, Serialize};

use crate::command::{Judgement, TurnJudgement};
use crate::control::Control;
use crate::debounce::Signal;
use crate::ids::{ActionId, At, ClaimToken, MessageId, ReplyId, TurnId};
use crate::status::{Author, Decision, DropReason, ParkReason, QueueReason};
use crate::usage::Usage;

/// A fact about a session. Applied by `evolve`, kept in the session's log, shown in its timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the fields repeat the state's fields of the same names, which are documented there"
)]
pub enum Event {
    /// A message joined the burst; the window was armed anew.
    Arrived {
        message: MessageId,
        at: At,
        signal: Signal,
        dangles: bool,
        edit_of: Option<MessageId>,
        due: At,
        /// Until then its transcript is waited for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        awaited: Option<At>,
    },
    /// A message of the burst changed its text before any turn read it; the window was armed anew.
    Edited {
        message: MessageId,
        edit: MessageId,
        at: At,
        signal: Signal,
        dangles: bool,
        due: At,
    },
    /// A message came while the session was busy and the strategy is to reject; it was not taken in.
    Rejected {
        message: MessageId,
        at: At,
        turn: Option<TurnId>,
        replies: Vec<ReplyId>,
    },
    /// A message waits for the running turn, or for replies that are on their way, and does not hold them.
    Queued {
        message: MessageId,
        reason: QueueReason,
        turn: Option<TurnId>,
    },
    /// Messages end without a turn of their own.
    Dropped {
        messages: Vec<MessageId>,
        reason: DropReason,
    },
    /// A control command took effect.
    Controlled {
        control: Control,
        message: MessageId,
    },
    /// A verdict was given; what follows from it is told by other events.
    Judged {
        epoch: u64,
        #[serde(flatten)]
        judgement: Judgement,
        early: bool,
    },
    /// A verdict was given on the running turn.
    TurnJudged {
        epoch: u64,
        #[serde(flatten)]
        judgement: TurnJudgement,
    },
    /// A verdict waits for the commit that brings the answer.
    VerdictNoted {
        reply: ReplyId,
        decision: Decision,
        epoch: u64,
    },
    /// A reply may go, whatever came up to `epoch`.
    Released { reply: ReplyId, epoch: u64 },
    /// A turn began.
    Taken {
        turn: TurnId,
        fence: u64,
        until: At,
        base: At,
        burst: Vec<MessageId>,
        rerun: Option<ReplyId>,
        effects: bool,
        #[serde(default)]
        stopping: bool,
    },
    /// A turn's lease was renewed.
    Renewed { fence: u64, until: At },
    /// A turn reserved an outside effect.
    EffectReserved {
        fence: u64,
        /// The tool.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// The call in the ledger; none when the agent acts on its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        action: Option<ActionId>,
    },
    /// A control command asked the running turn to start no further effect.
    Stopping { fence: u64 },
    /// A turn ended; its burst is covered by `reply`, or by nothing if the agent stayed silent.
    Committed {
        turn: TurnId,
        fence: u64,
        reply: Option<ReplyId>,
        burst: Vec<MessageId>,
        run_ms: u64,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
    },
    /// A turn failed for good.
    TurnFailed {
        turn: TurnId,
        fence: u64,
        code: String,
        burst: Vec<MessageId>,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
    },
    /// A turn lost the session; `reason` is a short stable word.
    TurnLost {
        turn: TurnId,
        fence: u64,
        reason: TurnLoss,
        effects: bool,
        due: Option<At>,
    },
    /// A reply was put in line.
    Replied {
        reply: ReplyId,
        seq: u64,
        author: Author,
        covers: Vec<MessageId>,
        parts: u16,
        at: At,
        not_before: At,
        cleared: u64,
        merged: bool,
        effects: bool,
    },
    /// A reply never reaches the user: newer messages made it wrong.
    Cancelled { reply: ReplyId, by: CancelledBy },
    /// A reply never reaches the user: `by` answers its messages as well.
    Superseded { reply: ReplyId, by: ReplyId },
    /// A verdict met a reply that was already being sent; it stays with it, in case that comes back unsent.
    VerdictLate {
        reply: ReplyId,
        decision: Decision,
        epoch: u64,
        successor: Option<ReplyId>,
        #[serde(default)]
        by: CancelledBy,
    },
    /// The rest of a partly sent reply is not sent.
    Cut { reply: ReplyId },
    /// A consumer may hand the reply over until `until`.
    Claimed {
        reply: ReplyId,
        token: ClaimToken,
        until: At,
    },
    /// The channel accepted a part that is not the last.
    PartAccepted {
        reply: ReplyId,
        part: u16,
        receipt: Option<String>,
        until: At,
    },
    /// The channel has the whole reply.
    Delivered {
        reply: ReplyId,
        receipt: Option<String>,
        how: DeliveredBy,
    },
    /// A claim ended with nothing handed over.
    NotSent { reply: ReplyId, at: At },
    /// The channel refused for now; the reply waits on the channel ladder.
    AttemptFailed {
        reply: ReplyId,
        code: String,
        failures: u8,
        at: At,
        not_before: At,
    },
    /// An attempt met a stuck outside lock; the reply waits on the ladder.
    AttemptBlocked {
        reply: ReplyId,
        attempt: u8,
        not_before: At,
    },
    /// The outcome of a hand-over is not known.
    OutcomeUnknown {
        reply: ReplyId,
        code: String,
        retry_at: Option<At>,
    },
    /// A person decides from now on: an outcome that is not known is not tried again by itself.
    RepetitionEnded { reply: ReplyId },
    /// The reply waits for a person.
    Parked {
        reply: ReplyId,
        reason: ParkReason,
        code: Option<String>,
    },
    /// The reply is too old to be of use.
    Expired { reply: ReplyId },
    /// An operator put the reply back in line.
    Requeued { reply: ReplyId, seq: u64, at: At },
    /// An operator wants the reply's messages answered anew.
    RerunRequested {
        reply: ReplyId,
        due: At,
        override_reason: Option<String>,
    },
    /// The new turn gave no answer, so the reply stays where it is.
    RerunEnded { reply: ReplyId },
    /// An operator dropped the reply.
    Discarded { reply: ReplyId },
    /// A lock was put on the session or renewed.
    Locked {
        holder: String,
        lease_until: At,
        expires: At,
    },
    /// The lock is gone.
    Unlocked { reason: UnlockReason },
    /// A person answers from now on.
    TakenOver { by: String, at: At },
    /// The agent answers again.
    HandedBack,
}

/// Why a turn lost its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnLoss {
    /// Its lease ended without renewal.
    LeaseEnded,
    /// A control command.
    Command,
    /// A person took over.
    Takeover,
    /// Its worker gave it back.
    HandedBack,
    /// A newer message stopped it; what it had written is kept for the next one.
    Interrupted,
    /// A newer message stopped it, as if it never ran.
    RolledBack,
    /// An evaluator said that newer messages made its answer wrong.
    Judged,
}

impl TurnLoss {
    /// The stable word under which the reason is counted and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LeaseEnded => "lease_ended",
            Self::Command => "command",
            Self::Takeover => "takeover",
            Self::HandedBack => "handed_back",
            Self::Interrupted => "interrupted",
            Self::RolledBack => "rolled_back",
            Self::Judged => "judged",
        }
    }

    /// Whether newer messages stopped the turn, so that its own are answered together with them.
    #[must_use]
    pub const fn is_by_newer_messages(self) -> bool {
        matches!(self, Self::Interrupted | Self::RolledBack | Self::Judged)
    }
}

/// What cancelled a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelledBy {
    /// The verdict of an evaluator, made true by the commit that brought the new answer.
    #[default]
    Verdict,
    /// A control command of the user.
    Command,
    /// It is what an interrupted turn had written, never meant to be sent.
    Interrupt,
}

/// How it is known that a reply was delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveredBy {
    /// The channel accepted it.
    Channel,
    /// The channel reported it later.
    Report,
    /// An operator said so.
    Operator,
}

/// How a lock ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnlockReason {
    /// Its holder removed it.
    Holder,
    /// An operator removed it.
    Operator,
    /// Its time to live ran out.
    Ttl,
}

impl Event {
    /// The stable word under which the event is stored and shown.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Arrived { .. } => "arrived",
            Self::Edited { .. } => "edited",
            Self::Rejected { .. } => "rejected",
            Self::Queued { .. } => "queued",
            Self::Dropped { .. } => "dropped",
            Self::Controlled { .. } => "controlled",
            Self::Judged { .. } => "judged",
            Self::TurnJudged { .. } => "turn_judged",
            Self::VerdictNoted { .. } => "verdict_noted",
            Self::Released { .. } => "released",
            Self::Taken { .. } => "taken",
            Self::Renewed { .. } => "renewed",
            Self::EffectReserved { .. } => "effect_reserved",
            Self::Stopping { .. } => "stopping",
            Self::Committed { .. } => "committed",
            Self::TurnFailed { .. } => "turn_failed",
            Self::TurnLost { .. } => "turn_lost",
            Self::Replied { .. } => "replied",
            Self::Cancelled { .. } => "cancelled",
            Self::Superseded { .. } => "superseded",
            Self::VerdictLate { .. } => "verdict_late",
            Self::Cut { .. } => "cut",
            Self::Claimed { .. } => "claimed",
            Self::PartAccepted { .. } => "part_accepted",
            Self::Delivered { .. } => "delivered",
            Self::NotSent { .. } => "not_sent",
            Self::AttemptFailed { .. } => "attempt_failed",
            Self::AttemptBlocked { .. } => "attempt_blocked",
            Self::OutcomeUnknown { .. } => "outcome_unknown",
            Self::RepetitionEnded { .. } => "repetition_ended",
            Self::Parked { .. } => "parked",
            Self::Expired { .. } => "expired",
            Self::Requeued { .. } => "requeued",
            Self::RerunRequested { .. } => "rerun_requested",
            Self::RerunEnded { .. } => "rerun_ended",
            Self::Discarded { .. } => "discarded",
            Self::Locked { .. } => "locked",
            Self::Unlocked { .. } => "unlocked",
            Self::TakenOver { .. } => "taken_over",
            Self::HandedBack => "handed_back",
        }
    }
}
