//! Everything that can be asked of a session. Must never carry texts: those travel beside a command, not in it.

use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::debounce::Signal;
use crate::ids::{ActionId, At, ClaimToken, MessageId, ReplyId, TurnId};
use crate::rules::Rules;
use crate::status::{Decision, ReplyStatus};
use crate::usage::Usage;

/// What a decision may know besides the session: the time, the rules, and facts about neighbours that can only become
/// truer, so that they need no lock.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The present instant.
    pub now: At,
    /// The channel's numbers.
    pub rules: &'a Rules,
    /// What other sessions of the same conversation have open.
    pub neighbours: Neighbours,
}

/// What other sessions of a group conversation have open; empty in a direct chat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbours {
    /// The highest sequence number that another session of the conversation has given.
    pub last_seq: u64,
    /// The lowest sequence number that another session has undelivered.
    pub first_open: Option<u64>,
}

/// Whether an arriving message starts a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Admission {
    /// It joins the burst.
    Turn,
    /// It is recorded only: the channel delivered it later than the settings allow.
    Late,
    /// It is recorded only: a reaction that answers no open question.
    Reaction,
}

/// What the sender of a message makes of the answer it gets, should the strategy be to reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sender {
    /// It reads the status code: a message that it is refused stays with it.
    Reads,
    /// It delivers again whatever is not accepted: a message is accepted and dropped on record.
    Redelivers,
}

/// An inbound message's features.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrival {
    /// Its id, new.
    pub message: MessageId,
    /// How its text ends.
    pub signal: Signal,
    /// The earlier message of the same sender whose text it replaces.
    pub edit_of: Option<MessageId>,
    /// Within so many milliseconds its transcript comes, which is an edit of it; none where none is on its way.
    pub awaits_ms: Option<u64>,
    /// Whether it may start a turn.
    pub admission: Admission,
    /// Whether its sender can be told no.
    pub sender: Sender,
}

/// A judgement of one reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The reply that was judged.
    pub reply: ReplyId,
    /// The verdict.
    pub decision: Decision,
    /// 0 to 1.
    pub confidence: f32,
    /// A short stable phrase or rule name; never a user's words.
    pub reason: String,
    /// The evaluator that gave it, such as `rules`.
    pub source: String,
    /// How long the evaluator took.
    pub took_ms: u64,
    /// What a model was asked for it; of an evaluation of several replies the first judgement holds all.
    #[serde(default, skip_serializing_if = "Usage::is_none")]
    pub usage: Usage,
}

/// A judgement of the running turn, before it has a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnJudgement {
    /// The turn that was judged.
    pub turn: TurnId,
    /// The verdict on the answer that it would give.
    pub decision: Decision,
    /// 0 to 1.
    pub confidence: f32,
    /// A short stable phrase or rule name; never a user's words.
    pub reason: String,
    /// The evaluator that gave it, such as `rules`.
    pub source: String,
    /// How long the evaluator took.
    pub took_ms: u64,
    /// What a model was asked for it.
    #[serde(default)]
    pub usage: Usage,
}

/// What to do when a cancel or merge finds its reply already being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Late {
    /// Refuse the commit and name the replies, so that the agent may word its answer again.
    Refuse,
    /// Commit all the same; the verdict stays with the reply.
    Accept,
}

/// The answer that a turn brings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Draft {
    /// The new reply's id.
    pub reply: ReplyId,
    /// How many parts it has, at least 1.
    pub parts: u16,
}

/// What a finished turn brings.
#[derive(Clone, Debug, PartialEq)]
pub struct Commit {
    /// The turn's fencing token.
    pub fence: u64,
    /// The verdicts the agent answered under.
    pub verdicts: Vec<Judgement>,
    /// The answer; `None` when the agent says nothing.
    pub draft: Option<Draft>,
    /// Whether the agent reports outside effects of its own.
    pub effects: bool,
    /// How long evaluator and agent ran, in milliseconds: the delay counts from the window's close plus this.
    pub run_ms: u64,
    /// What a model was asked for the answer.
    pub usage: Usage,
    /// What to do about verdicts that came too late.
    pub late: Late,
}

/// How a hand-over ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// The channel accepted the part that was being sent; more parts follow unless it was the last.
    Accepted {
        /// The channel's own id of what it accepted.
        receipt: Option<String>,
    },
    /// It certainly did not leave: newer messages were seen in time, or no connection was made.
    NotSent,
    /// The channel certainly refused it for now.
    Failed {
        /// Short stable word such as `http_503`.
        code: String,
        /// Not earlier than this many milliseconds from now, as the channel asked.
        retry_after_ms: Option<u64>,
    },
    /// The channel certainly refused it for good.
    Refused {
        /// Short stable word such as `http_403`.
        code: String,
    },
    /// It may have left.
    Unknown {
        /// Short stable word such as `timeout`.
        code: String,
    },
    /// It certainly did not leave, and never will: what is stored of it cannot be read. No fault of the channel.
    Unreadable,
}

/// What an operator names when acting on a reply: acting on another generation than the one seen is refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Target {
    /// The reply.
    pub reply: ReplyId,
    /// The generation that was on the screen.
    pub generation: u32,
}

/// A message of the reply's own that another reply has answered too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AnsweredElsewhere {
    /// The message.
    pub message: MessageId,
    /// The other reply.
    pub by: ReplyId,
    /// `DELIVERED` or `UNKNOWN`.
    pub status: ReplyStatus,
}

/// Everything that can be asked of a session.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A message came in.
    Arrive(Arrival),
    /// A control command came in.
    Control {
        /// Which.
        control: Control,
        /// The message that carried it.
        message: MessageId,
    },
    /// Early verdicts, of nobody in particular.
    Judge {
        /// The epoch that the evaluator read.
        epoch: u64,
        /// One per judged reply.
        verdicts: Vec<Judgement>,
    },
    /// A worker wants the ripe burst.
    Take {
        /// The new turn's id.
        turn: TurnId,
    },
    /// A worker is still at it.
    Renew {
        /// Its fencing token.
        fence: u64,
    },
    /// A tool with an outside effect is about to run.
    ReserveEffect {
        /// The tool.
        tool: Option<String>,
        /// The call in the ledger; none when the agent acts on its own.
        action: Option<ActionId>,
        /// The turn's fencing token.
        fence: u64,
    },
    /// An evaluator says that the running turn answers what is not asked any more.
    Abort {
        /// The epoch that the evaluator read.
        epoch: u64,
        /// What it says.
        judgement: TurnJudgement,
    },
    /// What an interrupted turn had written, for the next one to read.
    KeepPartial {
        /// The turn.
        turn: TurnId,
        /// The text, as a reply that is never sent.
        draft: Draft,
    },
    /// A turn is done.
    Commit(Commit),
    /// A turn failed for good.
    Fail {
        /// Its fencing token.
        fence: u64,
        /// The id of the empty reply that is parked in its place.
        reply: ReplyId,
        /// Verdicts whose answer now does not come.
        verdicts: Vec<Judgement>,
        /// What a model was asked all the same.
        usage: Usage,
        /// Short stable word such as `timeout`.
        code: String,
    },
    /// A worker gives its turn back unfinished, as at shutdown.
    HandBackTurn {
        /// Its fencing token.
        fence: u64,
    },
    /// A consumer wants to hand a reply over.
    Claim {
        /// The reply.
        reply: ReplyId,
        /// The new claim's token.
        token: ClaimToken,
    },
    /// A hand-over ended, for the part that was being sent.
    Settle {
        /// The claim's token.
        token: ClaimToken,
        /// How.
        outcome: Outcome,
    },
    /// The channel itself reports that it has the reply.
    Report {
        /// The reply.
        reply: ReplyId,
    },
    /// A person lets held replies go.
    ReleaseHold,
    /// Another system locks the session, or renews its lock.
    Lock {
        /// Who.
        holder: String,
        /// Life of the lease that it must renew.
        lease_ms: u64,
        /// After this time the lock is gone.
        ttl_ms: u64,
    },
    /// Another system unlocks the session.
    Unlock {
        /// Who; `None` is an operator, who may remove anybody's lock.
        holder: Option<String>,
    },
    /// A person answers from now on.
    TakeOver {
        /// Who.
        by: String,
    },
    /// The person who took over writes to the user.
    Say {
        /// Who.
        by: String,
        /// The message.
        draft: Draft,
    },
    /// The agent answers again.
    HandBack,
    /// An operator sends a parked or unknown reply as it was written.
    Reprocess(Target),
    /// An operator has a parked or unknown reply's messages answered anew.
    Rerun {
        /// Which.
        target: Target,
        /// Other replies that answered the same messages.
        answered: Vec<AnsweredElsewhere>,
        /// Why it is done all the same.
        override_reason: Option<String>,
    },
    /// An operator drops a parked or unknown reply.
    Discard(Target),
    /// An operator knows that an unknown reply reached the user.
    MarkDelivered(Target),
    /// Time passed: end what is over.
    Expire,
    /// The only process that could hold leases and claims here died: end them now.
    Recover,
}
