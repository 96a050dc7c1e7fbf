//! The writers: each takes whatever waits for it, stores it in one transaction, and answers only then. While a commit is on
//! its way to the disk the next batch gathers. Must never answer before the commit, and never let one step that cannot be
//! stored hurt another.

mod batch;
mod facts;
mod rows;

use std::sync::Arc;

use replygate_gate::Event;
use replygate_ports::store::{Append, AppendError, StoreError};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::PostgresOptions;
use super::cache::Cache;
use super::connect::Connector;
use super::error::{Trouble, corrupt};
use batch::Committer;

/// Appends that may wait for a writer; beyond that `append` itself waits.
const QUEUE: usize = 4_096;
/// Bytes of texts in one transaction at most, unless one append alone is larger.
const MOST_BYTES: usize = 1 << 20;

/// An append with everything encoded, and who waits for it.
struct Pending {
    append: Append,
    state: String,
    events: String,
    bytes: usize,
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

struct Writer {
    queue: mpsc::Sender<Job>,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// The way to the writers' tasks. A session's appends always go to the same one, in order.
pub(super) struct Writers(Vec<Writer>);

impl Writers {
    pub fn start(
        connector: &Arc<Connector>,
        options: &PostgresOptions,
        cache: &Arc<Cache>,
    ) -> Self {
        let writer = |_| {
            let (queue, jobs) = mpsc::channel(QUEUE);
            let committer = Committer::new(Arc::clone(connector), Arc::clone(cache));
            let task = tokio::spawn(run(committer, jobs, options.batch));
            Writer {
                queue,
                task: Mutex::new(Some(task)),
            }
        };
        Self((0..options.writers).map(writer).collect())
    }

    /// Stores the append with whatever else waits; returns when that is durable.
    pub async fn append(&self, append: Append) -> Result<u64, AppendError> {
        // Session ids are hashes, so any of their bits spread evenly.
        let writer = &self.0[append.id.0 as usize % self.0.len()];
        let (answer, answered) = oneshot::channel();
        let pending = encode(append, answer)?;
        let closed = || AppendError::Store(Trouble::Closed.into());
        let job = Job::Append(Box::new(pending));
        writer.queue.send(job).await.map_err(|_| closed())?;
        answered.await.map_err(|_| closed())?
    }

    /// Ends the tasks after what waits is stored.
    pub async fn end(&self) {
        for writer in &self.0 {
            let Some(task) = writer.task.lock().await.take() else {
                continue;
            };
            // Both fail only when the task is gone already.
            let _ = writer.queue.send(Job::End).await;
            let _ = task.await;
        }
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
    let parts = append.reply.iter().flat_map(|reply| &reply.parts);
    let bytes = state.len() + events.len() + text + parts.map(String::len).sum::<usize>();
    Ok(Pending {
        append,
        state,
        events,
        bytes,
        answer,
    })
}

async fn run(mut committer: Committer, mut jobs: mpsc::Receiver<Job>, most: usize) {
    let mut ended = false;
    while !ended {
        let Some(Job::Append(first)) = jobs.recv().await else {
            break;
        };
        // Whoever was answered just now gets the chance to join.
        tokio::task::yield_now().await;
        let (batch, end) = gather(*first, &mut jobs, most);
        ended = end;
        committer.commit(batch).await;
    }
    committer.close().await;
}

/// What waits, up to the limits, in order; and whether it is the last.
fn gather(first: Pending, jobs: &mut mpsc::Receiver<Job>, most: usize) -> (Vec<Pending>, bool) {
    let mut bytes = first.bytes;
    let mut batch = vec![first];
    while batch.len() < most && bytes < MOST_BYTES {
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
