//! The one writer: it takes whatever waits, commits it in one transaction, and answers only then. While a commit is on its
//! way to the disk the next batch gathers. Must never answer before the commit, and never let one bad append hurt another.

mod batch;
mod bulk;
mod checkpoint;
mod facts;
mod rows;
mod side;

use std::sync::Arc;

use replygate_gate::Event;

use replygate_ports::store::{Append, AppendError, StoreError};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::cache::Cache;
use crate::codec::blob;
use crate::error::{Closed, Shared, corrupt, unavailable};
use batch::Batch;
use facts::Facts;

pub(crate) use side::WriteSide;

/// Appends that may wait; beyond that `append` itself waits.
const QUEUE: usize = 4_096;
/// Appends in one transaction at most.
const MOST: usize = 512;
/// Bytes of texts in one transaction at most, unless one append alone is larger.
const MOST_BYTES: usize = 1 << 20;
/// About so many bytes an append adds to the write-ahead log besides its texts: three or four pages.
const PAGES: usize = 12 << 10;

/// The numbers given last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub session: i64,
    pub step: i64,
    /// Of messages and replies together.
    pub entry: i64,
}

/// An append with everything encoded, and who waits for it.
struct Pending {
    append: Append,
    state: Arc<str>,
    events: Arc<str>,
    dedupe: Option<Vec<u8>>,
    bytes: usize,
    answer: oneshot::Sender<Result<u64, AppendError>>,
}

enum Job {
    Append(Box<Pending>),
    End,
}

/// The way to the writer's task.
pub(crate) struct Writer {
    queue: mpsc::Sender<Job>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    pub fn start(side: Arc<WriteSide>, cache: Arc<Cache>, numbers: Numbers) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let checkpoints = checkpoint::start(Arc::clone(&side));
        let committer = Committer {
            side,
            cache,
            numbers,
            checkpoints,
            unsaved: 0,
        };
        let task = tokio::spawn(committer.run(jobs));
        Self {
            queue,
            task: Mutex::new(Some(task)),
        }
    }

    /// Stores the append with whatever else waits; returns when that is durable.
    pub async fn append(&self, append: Append) -> Result<u64, AppendError> {
        let (answer, answered) = oneshot::channel();
        let pending = encode(append, answer)?;
        let closed = || AppendError::Store(unavailable(Closed));
        self.queue
            .send(Job::Append(Box::new(pending)))
            .await
            .map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Ends the task after what waits is stored.
    pub async fn end(&self) {
        let Some(task) = self.task.lock().await.take() else {
            return;
        };
        // Both fail only when the task is gone already.
        let _ = self.queue.send(Job::End).await;
        let _ = task.await;
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a judgement's confidence is not a number")]
struct NoNumber;

/// Encodes in the caller's task, so that the writer has little to do and what cannot be encoded fails alone.
fn encode(
    append: Append,
    answer: oneshot::Sender<Result<u64, AppendError>>,
) -> Result<Pending, StoreError> {
    let what = || format!("step of {}", append.id);
    let unreadable = |event: &Event| matches!(event, Event::Judged { judgement, .. } if !judgement.confidence.is_finite());
    if append.events.iter().any(unreadable) {
        return Err(corrupt(what(), NoNumber));
    }
    let state = serde_json::to_string(&append.session).map_err(|error| corrupt(what(), error))?;
    let events = serde_json::to_string(&append.events).map_err(|error| corrupt(what(), error))?;
    let text = append
        .message
        .as_ref()
        .map_or(0, |message| message.text.len());
    let parts: usize = append
        .reply
        .iter()
        .flat_map(|reply| &reply.parts)
        .map(String::len)
        .sum();
    let bytes = state.len() + events.len() + text + parts;
    let dedupe = append
        .message
        .as_ref()
        .map(|message| blob(message.dedupe.digest()));
    Ok(Pending {
        append,
        state: state.into(),
        events: events.into(),
        dedupe,
        bytes,
        answer,
    })
}

struct Committer {
    side: Arc<WriteSide>,
    cache: Arc<Cache>,
    numbers: Numbers,
    checkpoints: mpsc::Sender<()>,
    /// About so many bytes were written since a checkpoint was asked for.
    unsaved: usize,
}

/// What became of a batch: an answer to each append, in order.
type Answers = Vec<Result<u64, AppendError>>;

impl Committer {
    async fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut ended = false;
        while !ended {
            let Some(Job::Append(first)) = jobs.recv().await else {
                return;
            };
            // Whoever was answered just now gets the chance to join.
            tokio::task::yield_now().await;
            let (batch, end) = gather(*first, &mut jobs);
            ended = end;
            self.commit(batch).await;
        }
    }

    async fn commit(&mut self, batch: Vec<Pending>) {
        match self.store(&batch).await {
            Ok(answers) => {
                for (pending, answer) in batch.into_iter().zip(answers) {
                    // Whoever went away meanwhile finds the step when loading again.
                    let _ = pending.answer.send(answer);
                }
            }
            Err(fault) => {
                self.cache
                    .distrust(batch.iter().map(|pending| pending.append.id));
                self.recover(batch, fault).await;
            }
        }
    }

    /// A fault of the file fails everybody; a fault of the content fails only whose it is.
    async fn recover(&mut self, batch: Vec<Pending>, fault: Fault) {
        if fault.is_of_content() && batch.len() > 1 {
            for pending in batch {
                Box::pin(self.commit(vec![pending])).await;
            }
            return;
        }
        tracing::error!(error = %fault, appends = batch.len(), "a batch was not stored");
        let shared = fault.share();
        for pending in batch {
            let _ = pending.answer.send(Err(shared.again().into()));
        }
    }

    async fn store(&mut self, batch: &[Pending]) -> Result<Answers, Fault> {
        let side = Arc::clone(&self.side);
        let mut write = side.begin().await.map_err(Fault::Store)?;
        let facts = Facts::read(write.connection(), &self.cache, batch).await?;
        let mut draft = Batch::new(facts, self.numbers);
        let answers: Answers = batch.iter().map(|pending| draft.judge(pending)).collect();
        if draft.is_empty() {
            write.rollback().await;
            return Ok(answers);
        }
        let (numbers, rows, committed) = draft.finish();
        rows.write(write.connection()).await.map_err(Fault::Sql)?;
        write.commit().await.map_err(Fault::Sql)?;
        self.numbers = numbers;
        self.cache.committed(committed);
        self.note_written(batch);
        Ok(answers)
    }

    fn note_written(&mut self, batch: &[Pending]) {
        self.unsaved += batch
            .iter()
            .map(|pending| pending.bytes + PAGES)
            .sum::<usize>();
        if self.unsaved >= checkpoint::AFTER_BYTES && self.checkpoints.try_send(()).is_ok() {
            self.unsaved = 0;
        }
    }
}

/// What waits, up to the limits, in order; and whether it is the last.
fn gather(first: Pending, jobs: &mut mpsc::Receiver<Job>) -> (Vec<Pending>, bool) {
    let mut bytes = first.bytes;
    let mut batch = vec![first];
    while batch.len() < MOST && bytes < MOST_BYTES {
        match jobs.try_recv() {
            Ok(Job::Append(pending)) => {
                bytes += pending.bytes;
                batch.push(*pending);
            }
            Ok(Job::End) => return (batch, true),
            Err(_) => break,
        }
    }
    (batch, false)
}

/// Why a batch was not stored.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(transparent)]
    Sql(sqlx::Error),
    #[error(transparent)]
    Store(StoreError),
}

impl Fault {
    /// Whether something in the batch is to blame, not the file.
    fn is_of_content(&self) -> bool {
        match self {
            Self::Sql(sqlx::Error::Database(error)) => {
                error.is_unique_violation()
                    || error.is_check_violation()
                    || error.is_foreign_key_violation()
                    || matches!(error.kind(), sqlx::error::ErrorKind::NotNullViolation)
            }
            Self::Sql(_) | Self::Store(StoreError::Unavailable(_)) => false,
            Self::Store(StoreError::Corrupt { .. }) => true,
        }
    }

    fn share(self) -> SharedFault {
        match self {
            Self::Sql(error) => SharedFault::Sql(Shared(Arc::new(error))),
            Self::Store(error) => SharedFault::Store(Arc::new(error)),
        }
    }
}

enum SharedFault {
    Sql(Shared),
    Store(Arc<StoreError>),
}

impl SharedFault {
    fn again(&self) -> StoreError {
        match self {
            Self::Sql(shared) => unavailable(shared.clone()),
            Self::Store(error) => match error.as_ref() {
                StoreError::Corrupt { what, .. } => corrupt(what.clone(), Told(Arc::clone(error))),
                StoreError::Unavailable(_) => unavailable(Told(Arc::clone(error))),
            },
        }
    }
}

/// A fault that was told to several.
#[derive(Debug, thiserror::Error)]
#[error("the batch was not stored")]
struct Told(#[source] Arc<StoreError>);
