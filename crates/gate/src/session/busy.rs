//! What is under way in a session when a newer message comes. Must never look at a window: messages that wait together
//! are one burst, not double texting.

use crate::ids::At;
use crate::session::{Reply, Session};
use crate::status::Author;
use crate::strategy::Strategy;

impl Session {
    /// Whether the agent is at it: a turn runs, or a reply of its own is on its way to the user.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.owner.is_some() || self.on_their_way().next().is_some()
    }

    /// The agent's replies that are on their way: waiting, or being handed over.
    pub fn on_their_way(&self) -> impl Iterator<Item = &Reply> {
        self.undelivered()
            .filter(|reply| reply.author == Author::Agent)
    }

    /// Whether the messages that wait let replies go before their turn, as the strategy says. A reply behind one that is
    /// held never makes them wait: it is the turn that ends that hold.
    #[must_use]
    pub(crate) fn waits_for_replies(&self, strategy: Strategy) -> bool {
        let goes_first = |reply: &Reply| match strategy {
            Strategy::Triage | Strategy::Reject => false,
            Strategy::Enqueue | Strategy::Interrupt | Strategy::Rollback => {
                strategy.lets_stand(reply)
            }
        };
        self.rerun.is_none()
            && self
                .undelivered()
                .take_while(|reply| !self.is_held(reply))
                .any(goes_first)
    }

    /// Since when the message waits that has waited longest: for its turn, or for a reply that newer messages hold back.
    #[must_use]
    pub(crate) fn waits_since(&self) -> Option<At> {
        let held = self.undelivered().filter(|reply| self.is_held(reply));
        let messages = self.uncovered.iter().map(|waiting| waiting.at);
        messages.chain(held.filter_map(|reply| reply.since)).min()
    }
}
