//! The guard: asks the ledger before a call with an effect, waits where the same call is running, and records what was
//! not carried out. Must never answer "run" twice for one meaning.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use replygate_gate::tools::{self, Avoided, CallState, Moment, Note, Settled};
use replygate_gate::{ActionId, DuplicateId, ReplyId, TurnId};
use replygate_ports::clock::{Clock, Entropy};
use replygate_ports::feed::{Feed, News};
use replygate_ports::ledger::{
    Call, Ledger, LedgerError, NewCall, NewDuplicate, Reserved, Settlement,
};
use replygate_ports::store::StoreError;

use super::running::Running;
use super::wish::Wish;
use crate::mint::Mint;

/// How soon a call that another process carries out is looked at again; twice as long each time. Milliseconds.
const FIRST_LOOK_MS: u64 = 50;
const LAST_LOOK_MS: u64 = 500;
/// How soon an outcome that could not be written down is written again; twice as long each time. Milliseconds.
const FIRST_TRY_MS: u64 = 100;
const LAST_TRY_MS: u64 = 2_000;
/// Leases that end in one round.
const ROUND: u32 = 200;

/// What a call may do.
#[derive(Clone, Debug, PartialEq)]
pub enum Leave {
    /// It may run now, and its outcome must be told before its lease is over.
    Run {
        /// The call.
        action: ActionId,
        /// What the tool's own service is to know it by.
        key: ActionId,
    },
    /// Its work was done.
    Duplicate {
        /// The record of it.
        duplicate: DuplicateId,
        /// The call that did the work.
        first: Box<Call>,
        /// How long ago, in milliseconds.
        age_ms: u64,
        /// What the agent is to be told.
        note: String,
    },
    /// Nobody knows whether its work was done.
    Unknown {
        /// The record of it.
        duplicate: DuplicateId,
        /// The call that may have done the work.
        first: Box<Call>,
        /// How long ago, in milliseconds.
        age_ms: u64,
        /// What the agent is to be told.
        note: String,
    },
    /// The same call is running.
    InProgress {
        /// That call.
        first: ActionId,
        /// So many milliseconds more, at most.
        left_ms: u64,
        /// What the agent is to be told.
        note: String,
    },
}

/// How long to wait for the same call that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Until it has ended, or its lease has.
    ToTheEnd,
    /// So many milliseconds; 0 is not at all.
    Ms(u64),
}

/// The guard of one process. Clones share it.
#[derive(Clone)]
pub struct Guard {
    ledger: Arc<dyn Ledger>,
    feed: Arc<dyn Feed>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    mint: Arc<Mint>,
    running: Arc<Running>,
    steadied: Arc<Mutex<tools::Steadied>>,
}

impl Guard {
    pub(crate) fn new(
        ledger: Arc<dyn Ledger>,
        feed: Arc<dyn Feed>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        mint: Arc<Mint>,
    ) -> Self {
        Self {
            ledger,
            feed,
            clock,
            entropy,
            mint,
            running: Arc::default(),
            steadied: Arc::default(),
        }
    }

    /// The ledger behind it.
    #[must_use]
    pub fn ledger(&self) -> &Arc<dyn Ledger> {
        &self.ledger
    }

    /// Now, with the steps that the wall clock made.
    #[must_use]
    pub fn moment(&self) -> Moment {
        let mut steadied = self.steadied.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = u64::try_from(self.clock.elapsed().as_millis()).unwrap_or(u64::MAX);
        steadied.observe(self.clock.now(), elapsed)
    }

    /// Asks whether a call may run. Waits for the same call if that is running; if it fails meanwhile, this one may run.
    /// What is not carried out is recorded.
    pub async fn ask(&self, wish: &Wish, wait: Wait) -> Result<Leave, StoreError> {
        let action = ActionId(self.mint());
        let call = wish.call(action);
        let began = self.clock.elapsed();
        let mut avoided = Avoided::Repeated;
        loop {
            let moment = self.moment();
            match self.ledger.reserve(call.clone(), &moment).await? {
                Reserved::Run { key } => {
                    self.running.begin(action);
                    count(wish, "reserved");
                    return Ok(Leave::Run { action, key });
                }
                Reserved::Duplicate { first, age_ms } => {
                    let note = match avoided {
                        Avoided::Joined => Note::Joined,
                        _ => Note::Duplicate { age_ms },
                    };
                    let note = note.text(wish.tongue);
                    let duplicate = self.record(&call, &first, avoided, age_ms, &note).await;
                    return Ok(Leave::Duplicate {
                        duplicate,
                        first,
                        age_ms,
                        note,
                    });
                }
                Reserved::Unknown { first, age_ms } => {
                    let note = Note::Unknown { age_ms }.text(wish.tongue);
                    let duplicate = self
                        .record(&call, &first, Avoided::Unknown, age_ms, &note)
                        .await;
                    return Ok(Leave::Unknown {
                        duplicate,
                        first,
                        age_ms,
                        note,
                    });
                }
                Reserved::InProgress { first, left_ms } => {
                    let waited = self.clock.elapsed().saturating_sub(began).as_millis() as u64;
                    let wait_ms = match wait {
                        Wait::ToTheEnd => left_ms,
                        Wait::Ms(ms) => left_ms.min(ms.saturating_sub(waited)),
                    };
                    if wait_ms == 0 {
                        let note = Note::InProgress.text(wish.tongue);
                        return Ok(Leave::InProgress {
                            first,
                            left_ms,
                            note,
                        });
                    }
                    self.wait(first, wait_ms).await?;
                    avoided = Avoided::Joined;
                }
            }
        }
    }

    /// Waits until a call has ended, its lease is over, or so many milliseconds have passed.
    async fn wait(&self, action: ActionId, most_ms: u64) -> Result<(), StoreError> {
        let limit = Duration::from_millis(most_ms);
        if let Some(ended) = self.running.ended(action) {
            tokio::select! {
                biased;
                () = ended => {}
                () = self.clock.sleep(limit) => {}
            }
            return Ok(());
        }
        let until = self.clock.elapsed() + limit;
        let mut look = FIRST_LOOK_MS;
        loop {
            let runs = self.ledger.call(action).await?.is_some_and(|call| {
                call.entry.state == CallState::Running
                    && !tools::is_dead(&call.entry, &self.moment())
            });
            let left = until.saturating_sub(self.clock.elapsed());
            if !runs || left.is_zero() {
                return Ok(());
            }
            self.clock
                .sleep(left.min(Duration::from_millis(look)))
                .await;
            look = (look * 2).min(LAST_LOOK_MS);
        }
    }

    /// Records a call that is not carried out. Without the record the answer stands all the same.
    async fn record(
        &self,
        call: &NewCall,
        first: &Call,
        avoided: Avoided,
        age_ms: u64,
        note: &str,
    ) -> DuplicateId {
        let id = DuplicateId(self.mint());
        let record = NewDuplicate {
            id,
            first: first.entry.action,
            fingerprint: call.fingerprint,
            avoided,
            tool: call.tool.clone(),
            whom: call.whom.clone(),
            turn: call.turn,
            arguments: call.arguments.clone(),
            comparison: call.comparison.clone(),
            age_ms,
            note: note.to_owned(),
            at: self.clock.now(),
        };
        let news = News::Duplicate {
            duplicate: id,
            session: call.whom.session(),
            channel: call.whom.channel.clone(),
            at: record.at,
        };
        metrics::counter!("replygate_duplicates_avoided_total", "tool" => call.tool.clone(), "why" => avoided.as_str())
            .increment(1);
        tracing::info!(duplicate = %id, first = %first.entry.action, tool = call.tool, why = %avoided, "duplicate avoided");
        if let Err(error) = self.ledger.avoid(record).await {
            tracing::warn!(duplicate = %id, %error, "a duplicate could not be recorded");
        }
        self.feed.publish(news).await;
        id
    }

    /// Records how a call ended, durably, before it returns; whoever waited for it goes on.
    ///
    /// # Errors
    /// As [`Ledger::settle`].
    pub async fn settle(
        &self,
        action: ActionId,
        settlement: Settlement,
    ) -> Result<Settled, LedgerError> {
        let outcome = settlement.outcome();
        let settled = self.ledger.settle(action, settlement, &self.moment()).await;
        self.running.end(action);
        metrics::counter!("replygate_tool_outcomes_total", "outcome" => word(outcome)).increment(1);
        settled
    }

    /// As [`Guard::settle`], again and again for so many milliseconds while the ledger cannot be reached: what is not
    /// written down by then is unknown.
    pub async fn settle_surely(&self, action: ActionId, settlement: Settlement, within_ms: u64) {
        let until = self.clock.elapsed() + Duration::from_millis(within_ms);
        let mut wait = FIRST_TRY_MS;
        loop {
            match self.settle(action, settlement.clone()).await {
                Ok(_) => return,
                Err(LedgerError::Store(error)) if self.clock.elapsed() < until => {
                    tracing::warn!(%action, %error, "an outcome is written down again");
                }
                Err(error) => {
                    tracing::warn!(%action, %error, "an outcome could not be written down");
                    return;
                }
            }
            self.clock.sleep(Duration::from_millis(wait)).await;
            wait = (wait * 2).min(LAST_TRY_MS);
        }
    }

    /// Adds the reply in which an agent went on to its turn's records.
    pub(crate) async fn said(&self, turn: TurnId, reply: ReplyId) {
        if let Err(error) = self.ledger.said(turn, reply).await {
            tracing::warn!(%turn, %error, "what an agent said after a duplicate could not be recorded");
        }
    }

    /// Ends what a dead process of this installation ran. Only for a process that is the only one.
    pub(crate) async fn recover(&self) -> Result<(), StoreError> {
        let lost = self.ledger.recover(&self.moment()).await?;
        if lost > 0 {
            tracing::warn!(
                calls = lost,
                "tool calls of a process that died have an unknown outcome"
            );
        }
        Ok(())
    }

    /// Makes calls unknown whose lease is over.
    pub(crate) async fn expire(&self) {
        match self.ledger.expire(&self.moment(), ROUND).await {
            Ok(gone) => {
                for action in gone {
                    self.running.end(action);
                    tracing::warn!(%action, "a tool call's outcome is unknown: its lease is over");
                }
            }
            Err(error) => tracing::warn!(%error, "leases of tool calls could not be ended"),
        }
    }

    fn mint(&self) -> u128 {
        self.mint.next(&*self.clock, &*self.entropy)
    }
}

fn word(outcome: tools::Outcome) -> &'static str {
    match outcome {
        tools::Outcome::Done => "done",
        tools::Outcome::Failed => "failed",
        tools::Outcome::Unknown => "unknown",
    }
}

fn count(wish: &Wish, state: &'static str) {
    metrics::counter!("replygate_tool_calls_total", "tool" => wish.tool.clone(), "state" => state)
        .increment(1);
}
