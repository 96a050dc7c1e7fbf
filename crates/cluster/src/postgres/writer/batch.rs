//! One batch: drafted in memory on what this process believes, stored by one statement that sees for itself, in the
//! database, which sessions are as they were believed to be. Who was believed wrongly is judged again on what the database
//! says. So a batch costs one round trip and one wait for the disk, however many processes write.

use std::sync::Arc;
use std::time::Duration;

use replygate_ports::draft::Draft;
use replygate_ports::store::{AppendError, StoreError};
use sqlx::Connection;
use sqlx::postgres::PgConnection;

use super::Pending;
use super::facts::{self, Belief};
use super::rows::{Written, store};
use crate::postgres::cache::Cache;
use crate::postgres::connect::{Connector, Manner};
use crate::postgres::error::{Remedy, Shared, Trouble};
use crate::postgres::lines::RESTED;

/// So often a batch is judged again when others change its sessions between the look and the store.
const TRIES: usize = 16;
/// So often a batch that met a key of somebody else's is tried again: then nobody was faster, and the key is the trouble.
const RACES: usize = 2;

type Answer = Result<u64, AppendError>;

pub(super) struct Committer {
    connector: Arc<Connector>,
    cache: Arc<Cache>,
    connection: Option<PgConnection>,
    /// When the connection was last used.
    used: Duration,
}

impl Committer {
    pub fn new(connector: Arc<Connector>, cache: Arc<Cache>) -> Self {
        Self {
            connector,
            cache,
            connection: None,
            used: Duration::ZERO,
        }
    }

    /// Stores a batch and answers everybody in it.
    pub async fn commit(&mut self, batch: Vec<Pending>) {
        let mut parts = vec![batch];
        while let Some(part) = parts.pop() {
            if let Some((first, second)) = self.commit_part(part).await {
                parts.extend([second, first]);
            }
        }
    }

    pub async fn close(&mut self) {
        if let Some(connection) = self.connection.take() {
            // It only tells the server; the connection ends anyway.
            let closed = connection.close();
            let _ = self.connector.within(Manner::Write, closed).await;
        }
    }

    /// Answers everybody in the part, or returns it in halves because something in it cannot be stored.
    async fn commit_part(&mut self, part: Vec<Pending>) -> Option<(Vec<Pending>, Vec<Pending>)> {
        let (mut waiting, mut belief, mut troubles) = (part, Belief::Memory, 0);
        for _ in 0..TRIES {
            match self.round(&waiting, belief).await {
                Ok(answers) => waiting = answer(waiting, answers),
                Err(trouble) => {
                    self.distrust(&waiting);
                    troubles += 1;
                    match trouble.remedy() {
                        Remedy::Again if troubles <= RACES => {}
                        Remedy::Again | Remedy::Divide if waiting.len() > 1 => {
                            return Some(halves(waiting));
                        }
                        _ => {
                            fail(waiting, trouble);
                            return None;
                        }
                    }
                }
            }
            if waiting.is_empty() {
                return None;
            }
            belief = Belief::Database;
        }
        fail(waiting, Trouble::Outrun);
        None
    }

    /// Judges the steps and stores those that are accepted. Returns what is certain; who gets nothing is judged again.
    async fn round(
        &mut self,
        batch: &[Pending],
        belief: Belief,
    ) -> Result<Vec<Option<Answer>>, Trouble> {
        let connector = Arc::clone(&self.connector);
        let cache = Arc::clone(&self.cache);
        let connection = self.connected().await?;
        let work = async {
            let facts = facts::look(connection, &cache, batch, belief).await?;
            let mut draft = Draft::new(facts);
            let judged: Vec<Answer> = batch.iter().map(|step| draft.judge(step)).collect();
            let written = if draft.is_empty() {
                Written::default()
            } else {
                store(connection, &draft.finish()).await?
            };
            Ok((judged, written))
        };
        let worked = flatten(
            connector
                .within(Manner::Write, async { Ok(work.await) })
                .await,
        );
        self.used = connector.clock().elapsed();
        let (judged, written) = match worked {
            Ok(worked) => worked,
            Err(trouble) => {
                if trouble.remedy() == Remedy::Reconnect {
                    self.connection = None;
                }
                return Err(trouble);
            }
        };

        for (id, known) in &written.kept {
            self.cache.keep(*id, Arc::clone(known));
        }
        for id in &written.lost {
            self.cache.forget(*id);
        }
        let refusals_count = belief == Belief::Database && written.lost.is_empty();
        let certain = |(answer, step): (Answer, &Pending)| match answer {
            Ok(version) => (!written.lost.contains(&step.append.id)).then_some(Ok(version)),
            Err(refusal) => refusals_count.then_some(Err(refusal)),
        };
        Ok(judged.into_iter().zip(batch).map(certain).collect())
    }

    async fn connected(&mut self) -> Result<&mut PgConnection, Trouble> {
        let now = self.connector.clock().elapsed();
        let rested = now.saturating_sub(self.used) >= RESTED;
        if let Some(connection) = self.connection.as_mut().filter(|_| rested) {
            let there = self
                .connector
                .within(Manner::Write, connection.ping())
                .await;
            if there.is_err() {
                self.connection = None;
            }
        }
        if self.connection.is_none() {
            self.connection = Some(self.connector.connect(Manner::Write).await?);
        }
        self.connection.as_mut().ok_or(Trouble::Closed)
    }

    fn distrust(&self, batch: &[Pending]) {
        for pending in batch {
            self.cache.forget(pending.append.id);
        }
    }
}

fn flatten<T>(answer: Result<Result<T, Trouble>, Trouble>) -> Result<T, Trouble> {
    answer.and_then(|answer| answer)
}

/// Tells those whose answer is certain; returns the others, in order.
fn answer(batch: Vec<Pending>, answers: Vec<Option<Answer>>) -> Vec<Pending> {
    let mut waiting = Vec::new();
    for (pending, answer) in batch.into_iter().zip(answers) {
        match answer {
            // Whoever went away meanwhile finds the step when loading again.
            Some(answer) => drop(pending.answer.send(answer)),
            None => waiting.push(pending),
        }
    }
    waiting
}

fn fail(batch: Vec<Pending>, trouble: Trouble) {
    let error = StoreError::from(trouble);
    let cause = std::error::Error::source(&error).map(ToString::to_string);
    tracing::error!(%error, cause, appends = batch.len(), "a batch was not stored");
    let shared = Shared::new(error);
    for pending in batch {
        let _ = pending.answer.send(Err(shared.again().into()));
    }
}

fn halves(mut batch: Vec<Pending>) -> (Vec<Pending>, Vec<Pending>) {
    let second = batch.split_off(batch.len() / 2);
    (batch, second)
}
