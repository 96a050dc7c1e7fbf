//! A storm: many customers who write in bursts, with duplicates and messages out of order, against agents and evaluators
//! that take their time; afterwards every session's log and every hand-over are held against the invariants. Must never
//! slow down because the server does: messages go out when the script says.

mod oracle;
mod print;
mod run;
mod script;

use std::collections::BTreeMap;

use replygate_gate::ReplyStatus;
use serde::Serialize;

use super::stats::Spread;

pub use oracle::{Breaches, Record, Tally};
pub use print::print;
pub use run::{Channels, Storm, run};
pub use script::{Plan, Shot, script};

/// What a storm showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// No breach, nothing lost, nothing left open.
    pub ok: bool,
    /// Messages that were acknowledged, duplicates not counted.
    pub sent: usize,
    /// Replies that the deliver address got.
    pub delivered: usize,
    /// Acknowledged messages that are neither covered nor dropped by record.
    pub lost: usize,
    /// Breaches of each invariant.
    pub breaches: Breaches,
    /// Delivered minus (last message received + window + the agent's run + delay), of the replies that nothing else kept.
    pub over_ideal_ms: Spread,
    /// The same of the others, counted from the end of what kept them: newer messages, the turn or the reply before.
    pub over_hold_ms: Spread,
    /// Messages that the server did not acknowledge.
    pub refused: usize,
    /// Requests with a message that were not acknowledged, by their answer's status; 0 where no answer came.
    pub refusals: BTreeMap<u16, usize>,
    /// Messages that were sent again and recognised.
    pub duplicates: usize,
    /// Messages that were sent again and taken for new ones.
    pub unrecognised: usize,
    /// Hand-overs of replies that no log knows.
    pub unlogged: usize,
    /// Replies that have not ended.
    pub open: usize,
    /// How the replies ended.
    pub ends: BTreeMap<ReplyStatus, usize>,
    /// Sessions that took part.
    pub sessions: usize,
    /// From the first message to the last one's acknowledgement, in seconds.
    pub seconds: f64,
}
