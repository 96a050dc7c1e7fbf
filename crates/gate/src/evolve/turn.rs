//! What a turn's events do to its session.

use crate::event::{Event, TurnLoss};
use crate::session::{Owner, Session, Window};

impl Session {
    pub(super) fn turn_event(&mut self, event: &Event) {
        match event {
            Event::Taken {
                turn,
                fence,
                until,
                base,
                burst,
                rerun,
                effects,
                stopping,
            } => {
                self.last_fence = *fence;
                self.owner = Some(Owner {
                    turn: *turn,
                    fence: *fence,
                    until: *until,
                    base: *base,
                    epoch: self.epoch,
                    burst: burst.clone(),
                    rerun: *rerun,
                    effects: *effects,
                    stopping: *stopping,
                    partial: self.partial.take(),
                });
                self.interrupted = None;
                self.window = None;
                self.rerun = None;
                self.orphan_effects = false;
                self.orphan_stop = false;
            }
            Event::Committed { burst, .. } | Event::TurnFailed { burst, .. } => {
                self.owner = None;
                self.uncovered
                    .retain(|waiting| !burst.contains(&waiting.id));
                self.settle_holds(None);
            }
            Event::TurnLost {
                effects,
                due,
                reason,
                ..
            } => {
                self.orphan_effects |= effects;
                if let Some(owner) = self.owner.take() {
                    self.turn_lost(&owner, *reason);
                }
                if let Some(due) = due {
                    self.window = Some(Window { due: *due });
                }
            }
            _ => self.owner_event(event),
        }
    }

    /// What a turn leaves to the next one that takes its messages.
    fn turn_lost(&mut self, owner: &Owner, reason: TurnLoss) {
        if matches!(reason, TurnLoss::Command | TurnLoss::Takeover) {
            return;
        }
        let rerun = owner.rerun.filter(|id| self.reply(*id).is_some());
        self.rerun = self.rerun.or(rerun);
        self.orphan_stop |= owner.stopping;
        self.partial = owner.partial.filter(|_| reason != TurnLoss::RolledBack);
        self.interrupted = (reason == TurnLoss::Interrupted).then_some(owner.turn);
        if reason.is_by_newer_messages() {
            for waiting in &mut self.uncovered {
                waiting.reopened |= owner.burst.contains(&waiting.id);
            }
        }
    }

    fn owner_event(&mut self, event: &Event) {
        let Some(owner) = &mut self.owner else { return };
        match event {
            Event::Renewed { until, .. } => owner.until = *until,
            Event::EffectReserved { .. } => owner.effects = true,
            Event::Stopping { .. } => owner.stopping = true,
            _ => {}
        }
    }
}
