//! The ledger's writer: it takes whatever waits and commits it in one transaction, on the one connection that writes.
//! Must never answer before the commit.

use std::collections::BTreeSet;
use std::sync::Arc;

use replygate_gate::ActionId;
use replygate_gate::tools::{Fingerprint, Moment, Settled};
use replygate_ports::ledger::{By, LedgerError, NewCall, NewDuplicate, Reserved, Settlement};
use replygate_ports::store::StoreError;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::batch::Batch;
use super::bulk::Cell;
use super::facts::Facts;
use super::rows::{self, Texts};
use crate::error::{Closed, unavailable};
use crate::writer::WriteSide;

/// Steps that may wait; beyond that whoever asks waits.
const QUEUE: usize = 4_096;
/// Steps in one transaction at most.
const MOST: usize = 256;

type Answer<T> = oneshot::Sender<T>;
type Outcome = Result<Settled, LedgerError>;

enum Step {
    Reserve(
        Box<NewCall>,
        Texts,
        Moment,
        Answer<Result<Reserved, StoreError>>,
    ),
    Settle(ActionId, Settlement, Option<By>, Moment, Answer<Outcome>),
    Avoid(Vec<Cell>, Answer<Result<(), StoreError>>),
    End,
}

/// An answer that waits for the commit.
enum Ready {
    Reserved(Reserved, Answer<Result<Reserved, StoreError>>),
    Settled(Outcome, Answer<Outcome>),
    Avoided(Answer<Result<(), StoreError>>),
}

impl Ready {
    // Whoever went away meanwhile asks again, or finds the call in the ledger.
    fn tell(self) {
        match self {
            Self::Reserved(answer, sender) => drop(sender.send(Ok(answer))),
            Self::Settled(answer, sender) => drop(sender.send(answer)),
            Self::Avoided(sender) => drop(sender.send(Ok(()))),
        }
    }

    fn fail(self, error: StoreError) {
        match self {
            Self::Reserved(_, sender) => drop(sender.send(Err(error))),
            Self::Settled(_, sender) => drop(sender.send(Err(error.into()))),
            Self::Avoided(sender) => drop(sender.send(Err(error))),
        }
    }
}

/// The way to the writer's task.
pub(crate) struct LedgerWriter {
    queue: mpsc::Sender<Step>,
    task: Mutex<Option<JoinHandle<()>>>,
}

fn closed() -> StoreError {
    unavailable(Closed)
}

impl LedgerWriter {
    pub fn start(side: Arc<WriteSide>) -> Self {
        let (queue, steps) = mpsc::channel(QUEUE);
        Self {
            queue,
            task: Mutex::new(Some(tokio::spawn(run(side, steps)))),
        }
    }

    pub async fn reserve(&self, call: NewCall, moment: Moment) -> Result<Reserved, StoreError> {
        let texts = Texts::of(&call)?;
        let (answer, answered) = oneshot::channel();
        self.ask(Step::Reserve(Box::new(call), texts, moment, answer))
            .await?;
        answered.await.map_err(|_| closed())?
    }

    pub async fn settle(
        &self,
        action: ActionId,
        settlement: Settlement,
        by: Option<By>,
        moment: Moment,
    ) -> Outcome {
        let (answer, answered) = oneshot::channel();
        self.ask(Step::Settle(action, settlement, by, moment, answer))
            .await?;
        answered.await.map_err(|_| closed())?
    }

    pub async fn avoid(&self, duplicate: NewDuplicate) -> Result<(), StoreError> {
        let record = rows::new_record(&duplicate)?;
        let (answer, answered) = oneshot::channel();
        self.ask(Step::Avoid(record, answer)).await?;
        answered.await.map_err(|_| closed())?
    }

    /// Ends the task after what waits is stored.
    pub async fn end(&self) {
        let Some(task) = self.task.lock().await.take() else {
            return;
        };
        // Both fail only when the task is gone already.
        let _ = self.queue.send(Step::End).await;
        let _ = task.await;
    }

    async fn ask(&self, step: Step) -> Result<(), StoreError> {
        self.queue.send(step).await.map_err(|_| closed())
    }
}

async fn run(side: Arc<WriteSide>, mut steps: mpsc::Receiver<Step>) {
    loop {
        let Some(first) = steps.recv().await else {
            return;
        };
        // Whoever was answered just now gets the chance to join.
        tokio::task::yield_now().await;
        let (batch, end) = gather(first, &mut steps);
        commit(&side, batch).await;
        if end {
            return;
        }
    }
}

/// What waits, up to the limit, in order; and whether it is the last.
fn gather(first: Step, steps: &mut mpsc::Receiver<Step>) -> (Vec<Step>, bool) {
    let mut batch = Vec::new();
    let mut next = Some(first);
    while let Some(step) = next {
        if matches!(step, Step::End) {
            return (batch, true);
        }
        batch.push(step);
        next = if batch.len() < MOST {
            steps.try_recv().ok()
        } else {
            None
        };
    }
    (batch, false)
}

async fn commit(side: &WriteSide, batch: Vec<Step>) {
    let mut ready = Vec::with_capacity(batch.len());
    let mut waiting = Some(batch);
    match store(side, &mut waiting, &mut ready).await {
        Ok(()) => ready.into_iter().for_each(Ready::tell),
        Err(error) => {
            tracing::error!(%error, "a batch of the ledger was not stored");
            fail(waiting.into_iter().flatten(), ready);
        }
    }
}

async fn store(
    side: &WriteSide,
    waiting: &mut Option<Vec<Step>>,
    ready: &mut Vec<Ready>,
) -> Result<(), StoreError> {
    let mut write = side.begin().await?;
    let (prints, actions) = named(waiting.iter().flatten());
    let facts = Facts::read(write.connection(), &prints, &actions).await?;
    let mut draft = Batch::new(facts);
    let steps = waiting.as_ref().map_or(0, Vec::len);
    for step in waiting.take().into_iter().flatten() {
        ready.extend(decide(&mut draft, step));
    }
    if draft.is_empty() {
        write.rollback().await;
        return Ok(());
    }
    draft.write(write.connection()).await?;
    write.is_of(steps);
    write.commit().await.map_err(unavailable)
}

fn named<'a>(batch: impl Iterator<Item = &'a Step>) -> (BTreeSet<Fingerprint>, BTreeSet<ActionId>) {
    let (mut prints, mut actions) = (BTreeSet::new(), BTreeSet::new());
    for step in batch {
        match step {
            Step::Reserve(call, ..) => drop(prints.insert(call.fingerprint)),
            Step::Settle(action, ..) => drop(actions.insert(*action)),
            Step::Avoid(..) | Step::End => {}
        }
    }
    (prints, actions)
}

fn decide(draft: &mut Batch, step: Step) -> Option<Ready> {
    match step {
        Step::Reserve(call, texts, moment, answer) => Some(Ready::Reserved(
            draft.reserve(*call, texts, &moment),
            answer,
        )),
        Step::Settle(action, settlement, by, moment, answer) => Some(Ready::Settled(
            draft.settle(action, settlement, by, &moment),
            answer,
        )),
        Step::Avoid(record, answer) => {
            draft.avoid(record);
            Some(Ready::Avoided(answer))
        }
        Step::End => None,
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the batch was not stored")]
struct NotStored;

fn fail(waiting: impl Iterator<Item = Step>, ready: Vec<Ready>) {
    for step in waiting {
        match step {
            Step::Reserve(.., answer) => drop(answer.send(Err(unavailable(NotStored)))),
            Step::Settle(.., answer) => drop(answer.send(Err(unavailable(NotStored).into()))),
            Step::Avoid(_, answer) => drop(answer.send(Err(unavailable(NotStored)))),
            Step::End => {}
        }
    }
    for ready in ready {
        ready.fail(unavailable(NotStored));
    }
}
