//! The room in which operations are carried out: one reply after the other, at the pace that was set, one operation at a
//! time. What it does is recorded under a request id made of the operation and the place, so that a restart in the middle
//! repeats nothing. Of the processes of an installation one carries operations out. Must never act on a reply that was not in the plan, nor on one that moved on since.

use std::sync::Arc;
use std::time::Duration;

use replygate_engine::{Deed, StepError, Verb};
use replygate_gate::{At, OperationId, ReplyId, ReplyStatus, Target};
use replygate_ports::feed::News;
use replygate_ports::operations::{
    ChangeError, Item, ItemState, Operation, OperationState, OperationVerb, Settled,
};
use replygate_ports::store::StoreError;
use replygate_ports::views::ReplyView;

use super::ServerConsole;
use super::operations::choice;
use crate::http::refusal_word;
use crate::server::Work;

/// Without anything to do the room looks again after this time, in case another process planned something.
pub(crate) const IDLE: Duration = Duration::from_secs(30);
/// While another process carries operations out, this one looks so often whether it still does.
const ANOTHER: Duration = Duration::from_secs(5);
/// A step and a little more: another process goes on when this one was not heard of for so long after its rest.
const HOLD: Duration = Duration::from_secs(15);
/// While outcomes are waited for, it looks so often.
const WATCH: Duration = Duration::from_millis(500);
/// A store that does not answer is left alone for this time.
const AFTER_FAULT: Duration = Duration::from_secs(5);
/// What was acted on and has no outcome after this time is left as it is: fifteen minutes.
const PATIENCE_MS: u64 = 900_000;
/// Outcomes are read in portions.
const PORTION: u32 = 200;
/// It halts only after at least so many came back.
const LEAST_BACK: u32 = 5;

impl ServerConsole {
    /// Carries operations out until the server stops.
    pub(crate) async fn carry_out(self: Arc<Self>) {
        let (clock, stop) = (self.service.stores.clock.clone(), self.service.stop.clone());
        let duty = self.service.duty(Work::Operations);
        loop {
            let woken = self.runs.notified();
            let pause = if duty.is_ours(HOLD).await {
                let pause = self.pause_after_step().await;
                if pause == IDLE {
                    duty.give_up().await;
                } else {
                    duty.is_ours(pause + HOLD).await;
                }
                pause
            } else {
                ANOTHER
            };
            tokio::select! {
                () = stop.cancelled() => return duty.give_up().await,
                () = woken => {}
                () = clock.sleep(pause) => {}
            }
        }
    }

    /// Does the next thing of the operation that was started first, and tells how long to rest; [`IDLE`] without any.
    pub(crate) async fn pause_after_step(&self) -> Duration {
        match self.next_step().await {
            Ok(pause) => pause,
            Err(error) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "an operation cannot be carried out at the moment"
                );
                AFTER_FAULT
            }
        }
    }

    /// Tells everybody that an operation went on.
    pub(super) async fn went_on(&self, operation: OperationId, version: u64) {
        let news = News::Operation { operation, version };
        self.service.stores.feed.publish(news).await;
    }

    /// Tells the room that there is something to do.
    pub(super) fn wake_runs(&self) {
        self.runs.notify_one();
    }

    async fn next_step(&self) -> Result<Duration, StoreError> {
        let active = self.service.stores.operations.active().await?;
        let Some(first) = active.into_iter().next() else {
            return Ok(IDLE);
        };
        self.look_at_outcomes(&first).await?;
        let Some(now) = self.service.stores.operations.operation(first.id).await? else {
            return Ok(IDLE);
        };
        if !now.state.is_active() {
            return Ok(Duration::ZERO);
        }
        match turn(&now) {
            Turn::Change(state) => {
                self.turn_to(now, state).await?;
                Ok(Duration::ZERO)
            }
            Turn::Watch => self.watch(now).await,
            Turn::Act => {
                let rest = rest(&now);
                if self.act_on_next(&now).await? {
                    return Ok(rest);
                }
                self.watch(now).await
            }
        }
    }

    /// Nothing is left to act on, or what was done on trial is waited for.
    async fn watch(&self, operation: Operation) -> Result<Duration, StoreError> {
        let is_done = operation.count(ItemState::Ready) == 0;
        let waits_for = operation.count(ItemState::Queued);
        if is_done && (waits_for == 0 || self.is_out_of_patience(&operation).await?) {
            self.turn_to(operation, OperationState::Finished).await?;
            return Ok(Duration::ZERO);
        }
        Ok(WATCH)
    }

    async fn is_out_of_patience(&self, operation: &Operation) -> Result<bool, StoreError> {
        let stores = &self.service.stores;
        let queued = Some(ItemState::Queued);
        let waiting = stores.operations.items(operation.id, queued, None, PORTION);
        let newest = waiting.await?.iter().map(|item| item.at).max();
        let now = stores.clock.now();
        Ok(newest.is_none_or(|newest| now.since(newest) > PATIENCE_MS))
    }

    /// Changes the state, unless a person was faster: then the next look decides.
    async fn turn_to(&self, operation: Operation, state: OperationState) -> Result<(), StoreError> {
        let id = operation.id;
        let now = self.service.stores.clock.now();
        let next = Operation {
            state,
            ended_at: state.is_over().then_some(now).or(operation.ended_at),
            ..operation
        };
        match self.service.stores.operations.change(next).await {
            Ok(version) => self.went_on(id, version).await,
            Err(ChangeError::Conflict) => {}
            Err(ChangeError::Store(error)) => return Err(error),
        }
        Ok(())
    }

    /// Acts on the next reply of the plan; tells whether there was one.
    async fn act_on_next(&self, operation: &Operation) -> Result<bool, StoreError> {
        let stores = &self.service.stores;
        let ready = Some(ItemState::Ready);
        let next = stores
            .operations
            .items(operation.id, ready, None, 1)
            .await?;
        let Some(item) = next.into_iter().next() else {
            return Ok(false);
        };
        let (state, code) = self.act_on(operation, &item).await?;
        let settled = Settled {
            place: item.place,
            state,
            code,
            at: stores.clock.now(),
        };
        let version = stores
            .operations
            .settle(operation.id, vec![settled])
            .await?;
        self.went_on(operation.id, version).await;
        Ok(true)
    }

    async fn act_on(
        &self,
        operation: &Operation,
        item: &Item,
    ) -> Result<(ItemState, Option<String>), StoreError> {
        let request = format!("{}:{}", operation.id, item.place);
        let stores = &self.service.stores;
        // Before the restart it was acted on, and only the note of it was lost.
        if stores.store.action(&request).await?.is_some() {
            return Ok((ItemState::Queued, None));
        }
        if let Some(code) = self.speaks_against(operation, item).await? {
            return Ok((ItemState::Skipped, Some(code)));
        }
        let target = Target {
            reply: item.reply,
            generation: item.generation,
        };
        let verb = match operation.verb {
            OperationVerb::Reprocess => Verb::Reprocess(target),
            OperationVerb::Rerun => Verb::Rerun {
                target,
                overrule: None,
            },
            OperationVerb::Discard => Verb::Discard(target),
        };
        let deed = Deed {
            verb,
            by: operation.by.clone(),
            reason: operation.reason.clone(),
            request_id: Some(request),
        };
        match self.service.engine.act(item.session, deed).await {
            Ok(_) | Err(StepError::Repeated(_)) => Ok((ItemState::Queued, None)),
            Err(StepError::Refused(refusal)) => {
                let word = refusal_word(&refusal).to_owned();
                Ok((ItemState::Skipped, Some(word)))
            }
            Err(StepError::Store(error)) => Err(error),
            Err(StepError::NoSession) => Ok((ItemState::Failed, Some("no_session".to_owned()))),
            Err(StepError::NoChannel { .. }) => {
                Ok((ItemState::Failed, Some("no_channel".to_owned())))
            }
            Err(StepError::Busy | StepError::Duplicate { .. }) => {
                Ok((ItemState::Failed, Some("busy".to_owned())))
            }
        }
    }

    /// What speaks against acting on it now, although nothing did when it was planned.
    async fn speaks_against(
        &self,
        operation: &Operation,
        item: &Item,
    ) -> Result<Option<String>, StoreError> {
        let views = &self.service.stores.views;
        let found = views.replies_by_id(&[item.reply]).await?;
        let Some(view) = found.first() else {
            return Ok(Some("gone".to_owned()));
        };
        if view.generation != item.generation {
            return Ok(Some("changed".to_owned()));
        }
        match self.standing(choice(operation.verb), view).await {
            Ok((ItemState::Skipped, code)) => Ok(code),
            Ok(_) => Ok(None),
            // Without the checks the deed itself still refuses whatever moved on.
            Err(_) => Err(StoreError::Unavailable("the checks have no answer".into())),
        }
    }

    /// Writes down what became of what was acted on.
    async fn look_at_outcomes(&self, operation: &Operation) -> Result<(), StoreError> {
        let stores = &self.service.stores;
        let mut after = None;
        loop {
            let queued = Some(ItemState::Queued);
            let items = stores
                .operations
                .items(operation.id, queued, after, PORTION);
            let items = items.await?;
            let Some(last) = items.last() else {
                return Ok(());
            };
            after = Some(last.place);
            let settled = self.outcomes(operation, &items).await?;
            if !settled.is_empty() {
                let version = stores.operations.settle(operation.id, settled).await?;
                self.went_on(operation.id, version).await;
            }
        }
    }

    async fn outcomes(
        &self,
        operation: &Operation,
        items: &[Item],
    ) -> Result<Vec<Settled>, StoreError> {
        let stores = &self.service.stores;
        let ids: Vec<ReplyId> = items.iter().map(|item| item.reply).collect();
        let views = stores.views.replies_by_id(&ids).await?;
        let now = stores.clock.now();
        let mut settled = Vec::new();
        for item in items {
            let Some(view) = views.iter().find(|view| view.id == item.reply) else {
                settled.push(known(
                    item,
                    (ItemState::Failed, Some("gone".to_owned())),
                    now,
                ));
                continue;
            };
            let outcome = match operation.verb {
                OperationVerb::Rerun if view.generation == item.generation => {
                    self.rerun_outcome(item, view).await?
                }
                _ => outcome(view),
            };
            settled.extend(outcome.map(|outcome| known(item, outcome, now)));
        }
        Ok(settled)
    }

    /// A reply that is answered anew keeps its generation until the new answer takes its place, or none comes.
    async fn rerun_outcome(
        &self,
        item: &Item,
        view: &ReplyView,
    ) -> Result<Option<(ItemState, Option<String>)>, StoreError> {
        if view.status != ReplyStatus::Parked && view.status != ReplyStatus::Unknown {
            return Ok(outcome(view));
        }
        let stored = self.service.stores.store.load(item.session).await?;
        let runs = stored.is_some_and(|stored| stored.session.is_being_rerun(item.reply));
        Ok((!runs).then(|| (ItemState::CameBack, Some("no_answer".to_owned()))))
    }
}

/// What an operation needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Another state.
    Change(OperationState),
    /// To look what became of what was done.
    Watch,
    /// The next reply.
    Act,
}

fn turn(operation: &Operation) -> Turn {
    let count = |state| operation.count(state);
    let back = count(ItemState::CameBack) + count(ItemState::Failed);
    let known = back + count(ItemState::Delivered) + count(ItemState::Dropped);
    let queued = count(ItemState::Queued);
    let acted = known + queued;
    let halts = back >= LEAST_BACK
        && back * 100 > known * u32::from(operation.pace.halt_percent)
        && operation.pace.halt_percent < 100;
    if halts && count(ItemState::Ready) > 0 {
        return Turn::Change(OperationState::Halted);
    }
    let on_trial = operation.pace.first > 0 && acted == operation.pace.first;
    match (operation.state, on_trial) {
        (OperationState::Waiting, true) if queued > 0 => Turn::Watch,
        (OperationState::Waiting, true) if back > 0 => Turn::Change(OperationState::Halted),
        (OperationState::Waiting, _) => Turn::Change(OperationState::Running),
        (_, true) if queued > 0 && count(ItemState::Ready) > 0 => {
            Turn::Change(OperationState::Waiting)
        }
        (_, true) if back > 0 && count(ItemState::Ready) > 0 => {
            Turn::Change(OperationState::Halted)
        }
        _ => Turn::Act,
    }
}

/// How long to rest between two replies.
fn rest(operation: &Operation) -> Duration {
    Duration::from_millis(60_000 / u64::from(operation.pace.per_minute.max(1)))
}

/// What became of a reply that was put back in line or dropped; nothing while that is not known.
fn outcome(view: &ReplyView) -> Option<(ItemState, Option<String>)> {
    let word = || Some(view.status.as_str().to_lowercase());
    match view.status {
        ReplyStatus::Delivered => Some((ItemState::Delivered, None)),
        ReplyStatus::Superseded => Some((ItemState::Delivered, word())),
        ReplyStatus::Discarded => Some((ItemState::Dropped, None)),
        ReplyStatus::Cancelled | ReplyStatus::Expired => Some((ItemState::Dropped, word())),
        ReplyStatus::Parked | ReplyStatus::Unknown => {
            let why = view.park_reason.map(|reason| reason.as_str().to_owned());
            let code = view.code.clone().or(why).or_else(word);
            Some((ItemState::CameBack, code))
        }
        ReplyStatus::Pending | ReplyStatus::Released | ReplyStatus::Dispatching => None,
    }
}

fn known(item: &Item, (state, code): (ItemState, Option<String>), at: At) -> Settled {
    Settled {
        place: item.place,
        state,
        code,
        at,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use replygate_ports::operations::Pace;

    use super::*;

    fn operation(state: OperationState, counts: &[(ItemState, u32)]) -> Operation {
        Operation {
            id: OperationId(1),
            version: 1,
            request_id: "r".to_owned(),
            verb: OperationVerb::Reprocess,
            state,
            by: "ana".to_owned(),
            reason: None,
            pace: Pace {
                per_minute: 300,
                first: 5,
                halt_percent: 20,
            },
            planned_at: At(0),
            started_at: Some(At(0)),
            ended_at: None,
            counts: counts.iter().copied().collect::<BTreeMap<_, _>>(),
        }
    }

    #[test]
    fn after_the_first_few_it_waits_for_what_comes_of_them() {
        use ItemState::{CameBack, Delivered, Queued, Ready};
        let turns = [
            (
                OperationState::Running,
                vec![(Ready, 20), (Queued, 4)],
                Turn::Act,
            ),
            (
                OperationState::Running,
                vec![(Ready, 20), (Queued, 5)],
                Turn::Change(OperationState::Waiting),
            ),
            (
                OperationState::Waiting,
                vec![(Ready, 20), (Queued, 1), (Delivered, 4)],
                Turn::Watch,
            ),
            (
                OperationState::Waiting,
                vec![(Ready, 20), (Delivered, 5)],
                Turn::Change(OperationState::Running),
            ),
            (
                OperationState::Running,
                vec![(Ready, 20), (Delivered, 5)],
                Turn::Act,
            ),
            (
                OperationState::Waiting,
                vec![(Ready, 20), (Delivered, 4), (CameBack, 1)],
                Turn::Change(OperationState::Halted),
            ),
        ];
        for (state, counts, expected) in turns {
            assert_eq!(
                turn(&operation(state, &counts)),
                expected,
                "{state:?} {counts:?}"
            );
        }
    }

    #[test]
    fn it_halts_when_too_many_come_back_and_not_for_a_few() {
        use ItemState::{CameBack, Delivered, Ready};
        let running = |back, delivered| {
            let counts = [(Ready, 50), (CameBack, back), (Delivered, delivered)];
            turn(&operation(OperationState::Running, &counts))
        };
        assert_eq!(running(4, 2), Turn::Act);
        assert_eq!(running(5, 20), Turn::Act);
        assert_eq!(running(5, 19), Turn::Change(OperationState::Halted));
    }

    #[test]
    fn whoever_goes_on_after_a_halt_is_not_halted_again() {
        let counts = [(ItemState::Ready, 50), (ItemState::CameBack, 30)];
        let mut going_on = operation(OperationState::Running, &counts);
        going_on.pace.halt_percent = 100;
        going_on.pace.first = 0;
        assert_eq!(turn(&going_on), Turn::Act);
    }

    #[test]
    fn the_pace_is_the_rest_between_two_replies() {
        let mut one = operation(OperationState::Running, &[]);
        assert_eq!(rest(&one), Duration::from_millis(200));
        one.pace.per_minute = 1;
        assert_eq!(rest(&one), Duration::from_mins(1));
    }
}
