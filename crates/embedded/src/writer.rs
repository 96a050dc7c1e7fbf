//! The one writer: it takes whatever waits, commits it in one transaction, and answers only then. While a commit is on its
//! way to the disk the next batch gathers. It is a thread of its own that speaks to SQLite directly: a commit is some
//! hundred small statements, and a hop to another thread would cost more than most of them. Must never answer before the
//! commit, and never let one bad append hurt another.

mod batch;
mod checkpoint;
mod facts;
mod fault;
mod link;
mod rows;
mod side;

use std::path::PathBuf;
use std::sync::Arc;

use replygate_gate::Event;
use replygate_ports::draft::Draft;
use replygate_ports::store::{Append, AppendError, StoreError};
use rusqlite::TransactionBehavior;
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::cache::Cache;
use crate::error::{Closed, corrupt, unavailable};
use batch::Batch;
use fault::Fault;
use link::Link;

pub(crate) use side::WriteSide;
use side::{Asked, Held, PAGES};

/// Appends that may wait; beyond that `append` itself waits.
const QUEUE: usize = 4_096;
/// Appends in one transaction at most.
const MOST: usize = 512;
/// Bytes of texts in one transaction at most, unless one append alone is larger.
const MOST_BYTES: usize = 1 << 20;

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
    state: String,
    events: String,
    /// What makes its message the same message.
    dedupe: Option<u128>,
    bytes: usize,
    asked: Asked,
    answer: oneshot::Sender<Result<u64, AppendError>>,
}

impl AsRef<Append> for Pending {
    fn as_ref(&self) -> &Append {
        &self.append
    }
}

enum Job {
    Append(Box<Pending>),
    End,
}

/// The way to the writer's thread.
pub(crate) struct Writer {
    queue: mpsc::Sender<Job>,
    side: Arc<WriteSide>,
    /// Resolves when the thread has ended and its connection is closed.
    ended: Mutex<Option<oneshot::Receiver<()>>>,
}

impl Writer {
    /// Starts the thread; it ends with [`Writer::end`], or when nobody can append any more.
    pub fn start(
        file: PathBuf,
        side: Arc<WriteSide>,
        cache: Arc<Cache>,
        numbers: Numbers,
    ) -> std::io::Result<Self> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let (end, ended) = oneshot::channel();
        checkpoint::start(&side);
        let committer = Committer {
            link: Link::new(file),
            side: Arc::clone(&side),
            cache,
            numbers,
        };
        std::thread::Builder::new()
            .name("replygate-writer".to_owned())
            .spawn(move || {
                committer.run(jobs);
                drop(end);
            })?;
        Ok(Self {
            queue,
            side,
            ended: Mutex::new(Some(ended)),
        })
    }

    /// Stores the append with whatever else waits; returns when that is durable.
    pub async fn append(&self, append: Append) -> Result<u64, AppendError> {
        let (answer, answered) = oneshot::channel();
        let pending = encode(append, self.side.asked(), answer)?;
        let closed = || AppendError::Store(unavailable(Closed));
        self.queue
            .send(Job::Append(Box::new(pending)))
            .await
            .map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Ends the thread after what waits is stored.
    pub async fn end(&self) {
        let Some(ended) = self.ended.lock().await.take() else {
            return;
        };
        // Both fail only when the thread is gone already.
        let _ = self.queue.send(Job::End).await;
        let _ = ended.await;
    }
}

#[derive(Debug, thiserror::Error)]
#[error("a judgement's confidence is not a number")]
struct NoNumber;

/// Encodes in the caller's task, so that the writer has little to do and what cannot be encoded fails alone.
fn encode(
    append: Append,
    asked: Asked,
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
        .map(|message| message.dedupe.digest());
    Ok(Pending {
        append,
        state,
        events,
        dedupe,
        bytes,
        asked,
        answer,
    })
}

struct Committer {
    link: Link,
    side: Arc<WriteSide>,
    cache: Arc<Cache>,
    numbers: Numbers,
}

/// What became of a batch: an answer to each append, in order.
type Answers = Vec<Result<u64, AppendError>>;

impl Committer {
    fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut ended = false;
        while !ended {
            let Some(Job::Append(first)) = jobs.blocking_recv() else {
                return;
            };
            // Whoever was answered just now gets the chance to join.
            std::thread::yield_now();
            let (batch, end) = gather(*first, &mut jobs);
            ended = end;
            self.commit(batch);
        }
    }

    fn commit(&mut self, batch: Vec<Pending>) {
        match self.store(&batch) {
            Ok(answers) => {
                for (pending, answer) in batch.into_iter().zip(answers) {
                    // Whoever went away meanwhile finds the step when loading again.
                    let _ = pending.answer.send(answer);
                }
            }
            Err(Fault::Held(held)) => self.pass_over(batch, held),
            Err(fault) => {
                // Whatever state it is in, another one is in order.
                self.link.cut();
                self.cache
                    .distrust(batch.iter().map(|pending| pending.append.id));
                self.recover(batch, fault);
            }
        }
    }

    /// A fault of the file fails everybody; a fault of the content fails only whose it is.
    fn recover(&mut self, batch: Vec<Pending>, fault: Fault) {
        if fault.is_of_content() && batch.len() > 1 {
            for pending in batch {
                self.commit(vec![pending]);
            }
            return;
        }
        tracing::error!(error = %fault, appends = batch.len(), "a batch was not stored");
        fail(batch, fault);
    }

    /// Fails who waited behind a transaction that could not begin, and goes on with who came later: nobody waits for a held
    /// file twice.
    fn pass_over(&mut self, batch: Vec<Pending>, held: Held) {
        let side = Arc::clone(&self.side);
        let waited = |pending: &Pending| side.was_held_since(pending.asked);
        let (behind, later): (Vec<_>, Vec<_>) = batch.into_iter().partition(waited);
        fail(behind, Fault::Held(held));
        if !later.is_empty() {
            self.commit(later);
        }
    }

    fn store(&mut self, batch: &[Pending]) -> Result<Answers, Fault> {
        // Kept until the cache is told, so that nobody else writes in between.
        let side = Arc::clone(&self.side);
        let _turn = side.turn().map_err(Fault::Store)?;
        if batch
            .iter()
            .any(|pending| side.was_held_since(pending.asked))
        {
            return Err(Held.into());
        }
        let connection = self.link.connection()?;
        let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let transaction = begun.inspect_err(|_| side.found_held())?;
        let facts = facts::read(&transaction, &self.cache, batch)?;
        let mut draft = Draft::new(facts);
        let answers: Answers = batch.iter().map(|pending| draft.judge(pending)).collect();
        if draft.is_empty() {
            transaction.rollback()?;
            return Ok(answers);
        }
        let drafted = Batch::new(draft.finish(), self.numbers);
        drafted.write(&transaction)?;
        transaction.commit()?;
        self.numbers = drafted.numbers();
        self.cache.committed(drafted.committed());
        let written = batch.iter().map(|pending| pending.bytes + PAGES);
        side.wrote(written.sum());
        Ok(answers)
    }
}

/// Tells everybody why nothing was stored.
fn fail(batch: Vec<Pending>, fault: Fault) {
    let shared = fault.share();
    for pending in batch {
        let _ = pending.answer.send(Err(shared.again().into()));
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
