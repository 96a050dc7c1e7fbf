//! Hand-overs: claim, look again, send, settle, and what keeps or ends them.

use replygate_gate::{ClaimToken, Command, DeliveredBy, Event, Outcome, Refusal, ReplyId};

use crate::mutant::Mutant;
use crate::steps::{Gate, NOW, Spent, spend};
use crate::world::{Consumer, World};

/// The token of a claim until [`Gate::forget`] gives it its reply's.
const NEW_TOKEN: ClaimToken = ClaimToken(u128::MAX);

impl Gate {
    pub fn claim(&self, world: &mut World, consumer: usize, reply: ReplyId) -> Option<()> {
        let token = NEW_TOKEN;
        let mut seen = world.session.clone();
        if self.is(Mutant::NoFifo) {
            seen.replies.retain(|other| other.id == reply);
        }
        let events = self
            .ask_of(&seen, world.strategy, &Command::Claim { reply, token })
            .ok()?;
        let claimed = events
            .iter()
            .any(|event| matches!(event, Event::Claimed { .. }));
        if !(self.is(Mutant::CheckThenSend) && claimed) {
            self.apply(world, events);
        }
        if claimed {
            world.consumers[consumer] = Consumer::Claimed {
                reply,
                token,
                epoch: world.session.epoch,
            };
        }
        Some(())
    }

    /// Just before it sends, the consumer sees a newer epoch and gives the claim back.
    pub fn look_again(&self, world: &mut World, consumer: usize) -> Option<()> {
        let Consumer::Claimed { token, epoch, .. } = std::mem::take(&mut world.consumers[consumer])
        else {
            return None;
        };
        if epoch == world.session.epoch {
            return None;
        }
        self.tell(world, token, Outcome::NotSent);
        Some(())
    }

    pub fn channel_refuses(&self, world: &mut World, consumer: usize) -> Option<()> {
        let Consumer::Claimed { token, .. } = std::mem::take(&mut world.consumers[consumer]) else {
            return None;
        };
        world.left.refusals -= 1;
        let outcome = Outcome::Failed {
            code: String::new(),
            retry_after_ms: None,
        };
        self.tell(world, token, outcome);
        Some(())
    }

    pub fn settle(&self, world: &mut World, consumer: usize) -> Option<()> {
        let Consumer::Sent { reply, token } = std::mem::take(&mut world.consumers[consumer]) else {
            return None;
        };
        if self.is(Mutant::CheckThenSend) {
            if world.session.reply(reply).is_some() {
                let how = DeliveredBy::Channel;
                let receipt = None;
                self.apply(
                    world,
                    vec![Event::Delivered {
                        reply,
                        receipt,
                        how,
                    }],
                );
            }
            return Some(());
        }
        self.tell(world, token, Outcome::Accepted { receipt: None });
        Some(())
    }

    fn tell(&self, world: &mut World, token: ClaimToken, outcome: Outcome) {
        match self.ask(world, &Command::Settle { token, outcome }) {
            Ok(events) => self.apply(world, events),
            Err(Refusal::StaleClaim) => {}
            Err(other) => panic!("a settle is only ever stale: {other}"),
        }
    }

    pub fn claim_ends(&self, world: &mut World, reply: ReplyId) -> Option<()> {
        let token = world.session.reply(reply)?.claim.as_ref()?.token;
        let holder = world
            .consumers
            .iter()
            .position(|consumer| consumer.token() == Some(token));
        spend(&mut world.left.expiries, Spent::if_lives(holder))?;
        let mut over = world.session.clone();
        let found = over.replies.iter_mut().find(|open| open.id == reply)?;
        found.claim.as_mut()?.until = NOW;
        let events = self.ask_of(&over, world.strategy, &Command::Expire).ok()?;
        self.apply(world, events);
        // Its own deadline ends before the claim does: it sends nothing any more.
        let gives_up = holder.filter(|consumer| {
            matches!(world.consumers[*consumer], Consumer::Claimed { .. })
                && !self.is(Mutant::NoDeadline)
        });
        if let Some(consumer) = gives_up {
            world.consumers[consumer] = Consumer::Idle;
        }
        Some(())
    }

    pub fn hold_ends(&self, world: &mut World, reply: ReplyId) -> Option<()> {
        let mut over = world.session.clone();
        let found = over.replies.iter_mut().find(|open| open.id == reply)?;
        found.held_since = Some(NOW.minus(self.rules.max_hold_ms));
        let events = self.ask_of(&over, world.strategy, &Command::Expire).ok()?;
        self.apply(world, events);
        Some(())
    }

    pub fn lock_ends(&self, world: &mut World) -> Option<()> {
        let mut over = world.session.clone();
        over.lock.as_mut()?.expires = NOW;
        let events = self.ask_of(&over, world.strategy, &Command::Expire).ok()?;
        self.apply(world, events);
        Some(())
    }
}

pub fn send(world: &mut World, consumer: usize) -> Option<()> {
    let Consumer::Claimed { reply, token, .. } = world.consumers[consumer] else {
        return None;
    };
    world.hands_over(reply);
    world.consumers[consumer] = Consumer::Sent { reply, token };
    Some(())
}
