//! The pure domain of Replygate: what decides whether a generated reply may reach a person. It never does I/O, reads no
//! clock and spawns nothing, so that production, the model checker, the simulator and the browser run the same code.
//!
//! [`decide`] turns a [`Command`] into [`Event`]s or a [`Refusal`]; [`evolve`] applies an event to a [`Session`].

mod command;
pub mod control;
pub mod debounce;
mod decide;
mod event;
mod evolve;
mod ids;
mod key;
mod refusal;
mod rules;
mod session;
mod status;
mod strategy;
pub mod text;
pub mod tools;
pub mod triage;
mod usage;

pub use command::{
    Admission, AnsweredElsewhere, Arrival, Command, Commit, Draft, Judgement, Late, Neighbours,
    Outcome, Scene, Sender, Target, TurnJudgement,
};
pub use decide::{decide, effective};
pub use event::{CancelledBy, DeliveredBy, Event, TurnLoss, UnlockReason};
pub use evolve::evolve;
pub use ids::{
    ActionId, At, BadId, ClaimToken, ConversationId, DuplicateId, MessageId, OperationId, ReplyId,
    SessionId, TurnId,
};
pub use key::SessionKey;
pub use refusal::Refusal;
pub use rules::Rules;
pub use session::{Claim, Noted, OutsideLock, Owner, Reply, Session, Takeover, Waiting, Window};
pub use status::{
    Author, Decision, DropReason, Guarantee, ParkReason, QueueReason, ReplyStatus, UnknownWord,
};
pub use strategy::{Strategy, strategy_verdicts};
pub use usage::Usage;
