//! Why a command changes nothing. Must never be used for a fault: a refusal is an ordinary answer.

use crate::command::AnsweredElsewhere;
use crate::ids::{At, ReplyId};
use crate::status::ReplyStatus;

/// Why a command changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The verdict was given for an epoch that has passed.
    #[error("the verdict is for epoch {given}, the session is at {present}")]
    Stale {
        /// The epoch the evaluator read.
        given: u64,
        /// The session's epoch.
        present: u64,
    },
    /// Nothing waits for a turn, or its window is not over.
    #[error("nothing is ripe for a turn")]
    NotRipe,
    /// The fencing token is old: the turn lost the session.
    #[error("the turn's fencing token {given} is not the present one")]
    Fenced {
        /// The token that was given.
        given: u64,
    },
    /// A control command forbids further effects in this turn.
    #[error("a control command stopped the turn, it may start no further effect")]
    Stopping,
    /// A cancel or merge met replies that are already being sent or were sent.
    #[error("verdicts came too late for {} replies", replies.len())]
    TooLate {
        /// Those replies.
        replies: Vec<ReplyId>,
    },
    /// The reply is final, or was never here.
    #[error("the reply is final or not in this session")]
    Final,
    /// Newer messages that nobody judged hold the reply.
    #[error("newer messages hold the reply")]
    Held,
    /// An earlier reply of the conversation goes first.
    #[error("an earlier reply goes first")]
    NotHead,
    /// It is not due yet.
    #[error("not due before {at}")]
    NotDue {
        /// When it is.
        at: At,
    },
    /// An outside lock that is alive keeps it back.
    #[error("locked from outside until {lease_until} at least")]
    Locked {
        /// When the lock's lease ends unless renewed.
        lease_until: At,
    },
    /// It waits for a person.
    #[error("the reply waits for a person")]
    Parked,
    /// Somebody else is handing it over.
    #[error("the reply is being handed over")]
    Claimed,
    /// The claim is over or was never made.
    #[error("the claim is not the present one")]
    StaleClaim,
    /// The reply changed since the operator saw it.
    #[error("the reply is {status} in generation {present}, not in generation {given} any more")]
    Changed {
        /// Its status now.
        status: ReplyStatus,
        /// Its generation now.
        present: u32,
        /// The generation the operator saw.
        given: u32,
    },
    /// Only a parked or unknown reply can be asked for this.
    #[error("the reply is {status}; this needs PARKED or UNKNOWN")]
    NotParked {
        /// Its status.
        status: ReplyStatus,
    },
    /// Another reply already answered some of its messages.
    #[error("{} of its messages are answered by another reply", answered.len())]
    AnsweredElsewhere {
        /// Which.
        answered: Vec<AnsweredElsewhere>,
    },
    /// Its messages are being answered anew.
    #[error("the reply's messages are being answered anew")]
    BeingRerun,
    /// An empty reply has nothing to send.
    #[error("the reply is empty; have it answered anew or discard it")]
    Empty,
    /// Somebody else holds the outside lock.
    #[error("`{holder}` holds the lock")]
    LockHeld {
        /// Who.
        holder: String,
    },
    /// There is no lock of that holder.
    #[error("there is no such lock")]
    NoLock,
    /// A person already answers this session.
    #[error("`{by}` has taken the session over")]
    TakenOver {
        /// Who.
        by: String,
    },
    /// Nobody has taken the session over.
    #[error("nobody has taken the session over")]
    NotTakenOver,
    /// There is nothing to do.
    #[error("nothing to do")]
    Nothing,
}
