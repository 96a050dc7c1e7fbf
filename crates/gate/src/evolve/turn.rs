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
                });
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
                let lost = self.owner.take();
                self.orphan_effects |= effects;
                if matches!(reason, TurnLoss::LeaseEnded | TurnLoss::HandedBack) {
                    let rerun = lost.as_ref().and_then(|owner| owner.rerun);
                    let rerun = rerun.filter(|id| self.reply(*id).is_some());
                    self.rerun = self.rerun.or(rerun);
                    self.orphan_stop |= lost.is_some_and(|owner| owner.stopping);
                }
                if let Some(due) = due {
                    self.window = Some(Window { due: *due });
                }
            }
            _ => self.owner_event(event),
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
