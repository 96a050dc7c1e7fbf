//! What makes no difference any more. Forgetting it makes states one that behave alike.

use replygate_gate::{ClaimToken, ReplyId, TurnId};

use crate::mutant::Mutant;
use crate::steps::Gate;
use crate::world::{Consumer, Worker, World};

/// The fencing token of the present turn; all that matters of an older one is that it is another.
const LIVE_FENCE: u64 = 1;
const LOST_FENCE: u64 = 0;

impl Gate {
    /// Forgets what can make no difference any more, so that states that behave alike are one: the numbers of tokens as far
    /// as they are not the present ones, and what a worker knows that lost its turn.
    pub fn forget(&self, world: &mut World) {
        let live = world.turn.take();
        world.turn = live.map(|_| LIVE_FENCE);
        world.session.last_fence = LIVE_FENCE;
        if let Some(owner) = &mut world.session.owner {
            owner.fence = LIVE_FENCE;
            owner.turn = TurnId(0);
        }
        // A turn that was interrupted is the last one, and has no number any more.
        world.session.interrupted = world.session.interrupted.map(|_| TurnId(0));
        for worker in &mut world.workers {
            let Worker::Running { fence, verdicts } = worker else {
                continue;
            };
            let lost = Some(*fence) != live;
            *fence = if lost { LOST_FENCE } else { LIVE_FENCE };
            if lost && !self.is(Mutant::NoFence) {
                verdicts.clear();
            }
        }
        for reply in &mut world.session.replies {
            // Only operators read it.
            reply.generation = 0;
        }
        if !self.is(Mutant::CheckThenSend) {
            forget_claims(world);
        }
    }
}

/// Gives each live claim its reply's own token, and every lost one the same.
fn forget_claims(world: &mut World) {
    for consumer in &mut world.consumers {
        let lives = |reply: ReplyId, token: ClaimToken| {
            let claim = world
                .session
                .reply(reply)
                .and_then(|open| open.claim.as_ref());
            claim.is_some_and(|claim| claim.token == token)
        };
        match consumer {
            Consumer::Idle => {}
            Consumer::Claimed { reply, token, .. } => {
                let kept = if lives(*reply, *token) { reply.0 } else { 0 };
                *token = ClaimToken(kept);
            }
            Consumer::Sent { reply, token } if lives(*reply, *token) => {
                *token = ClaimToken(reply.0);
            }
            Consumer::Sent { reply, token } => {
                *reply = ReplyId(0);
                *token = ClaimToken(0);
            }
        }
    }
    for reply in &mut world.session.replies {
        let id = reply.id;
        if let Some(claim) = &mut reply.claim {
            claim.token = ClaimToken(id.0);
        }
    }
}
