//! What a channel does with messages that come while a session is busy, known as double texting. Must never know what a
//! message says: only triage reads.

use crate::command::Judgement;
use crate::rules::Rules;
use crate::session::{Reply, Session};
use crate::status::{Author, Decision, words};
use crate::usage::Usage;

words! {
    /// What happens to a message that comes while a turn runs or its replies are on their way. `triage` unless set: it alone
    /// reads the messages, so that under it nothing is ever undone blindly.
    #[derive(Default)]
    Strategy, "strategy", {
        /// An evaluator judges what is on its way against the newer messages.
        #[default]
        Triage = "triage",
        /// It waits until the turn and its replies are over; what is on its way is not held.
        Enqueue = "enqueue",
        /// It is refused, and the refusal recorded.
        Reject = "reject",
        /// The turn is stopped; what it wrote is kept for the next one, which answers the old and the new messages together.
        Interrupt = "interrupt",
        /// The turn is stopped and forgotten; the next one answers the old and the new messages as if it never ran.
        Rollback = "rollback",
    }
}

/// The source under which a strategy's own verdicts are recorded.
const SOURCE: &str = "policy";

impl Strategy {
    /// Whether newer messages cannot take this reply back, so that they wait for it: its turn changed the outside world,
    /// a person wrote it, or the user has or may have some of it. What was sent can be cut short by an interrupt, but
    /// never rolled back.
    #[must_use]
    pub fn lets_stand(self, reply: &Reply) -> bool {
        match self {
            Self::Triage | Self::Enqueue | Self::Reject => true,
            Self::Interrupt | Self::Rollback => {
                reply.effects
                    || reply.author == Author::Person
                    || reply.maybe_sent
                    || (self == Self::Rollback && reply.sent > 0)
            }
        }
    }

    /// The strategy's own verdict on a reply that it takes back: the next answer takes its place and covers its messages.
    pub(crate) fn takes_back(self, reply: &Reply) -> Judgement {
        Judgement {
            reply: reply.id,
            decision: Decision::Merge,
            confidence: 1.0,
            reason: self.as_str().to_owned(),
            source: SOURCE.to_owned(),
            took_ms: 0,
            usage: Usage::default(),
        }
    }
}

/// The verdicts under which a turn answers that begins now, where they follow from the strategy alone; empty under
/// `triage`, which asks an evaluator, and wherever nothing is taken back.
#[must_use]
pub fn strategy_verdicts(session: &Session, rules: &Rules) -> Vec<Judgement> {
    let strategy = rules.strategy;
    session
        .undelivered()
        .filter(|reply| {
            session.is_held(reply) && !reply.is_withdrawn() && !strategy.lets_stand(reply)
        })
        .map(|reply| strategy.takes_back(reply))
        .collect()
}
