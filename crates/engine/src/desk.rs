//! Load, decide, append: the one way in which anything happens to a session. Must never hold a session between steps:
//! every step starts from what the store has, or just had when the step before it was stored.

mod attempt;
mod errand;
mod patience;
mod queue;

use std::sync::Arc;

use replygate_gate::{
    Command, Event, MessageId, Neighbours, Refusal, Scene, Session, SessionId, SessionKey, decide,
    evolve,
};
use replygate_ports::feed::News;
use replygate_ports::store::{
    ActionRecord, Append, AppendError, NewAction, NewMessage, NewReply, Store, StoreError, Stored,
};

use crate::board::{Board, Live};
use crate::parts::Parts;
use attempt::{Attempt, Seen};
use errand::{Errand, Start};
use queue::Queues;

pub use patience::Patience;

/// How often a step is decided again when others were faster. A session is one person's conversation: a step that loses
/// more often than this meets a fault, not a crowd.
const MOST_CONFLICTS: u32 = 64;

/// Who causes a step, and with what texts.
#[derive(Clone, Debug, Default)]
pub struct Cause {
    /// `customer`, `worker`, `dispatch`, `sweeper`, `channel`, or `user:` and a name.
    pub actor: String,
    /// The message that comes with it.
    pub message: Option<NewMessage>,
    /// The reply that comes with it.
    pub reply: Option<NewReply>,
    /// The operator's deed behind it.
    pub action: Option<NewAction>,
}

impl Cause {
    /// A cause without texts.
    #[must_use]
    pub fn by(actor: &str) -> Self {
        Self {
            actor: actor.to_owned(),
            ..Self::default()
        }
    }
}

/// A step that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// The session.
    pub id: SessionId,
    /// Its natural key.
    pub key: SessionKey,
    /// The channel's settings at that moment.
    pub live: Arc<Live>,
    /// What happened.
    pub events: Vec<Event>,
    /// The state before.
    pub before: Session,
    /// The state after.
    pub after: Session,
    /// The version after.
    pub version: u64,
}

/// Why no step was made.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The protocol says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Nobody ever wrote there.
    #[error("there is no such session")]
    NoSession,
    /// The session's channel is not configured any more.
    #[error("channel `{channel}` is not configured")]
    NoChannel {
        /// Its id.
        channel: String,
    },
    /// The message is known.
    #[error("the message was received before")]
    Duplicate {
        /// The id it got then.
        message: MessageId,
    },
    /// The operator's request was carried out before.
    #[error("the request was carried out before")]
    Repeated(Box<ActionRecord>),
    /// Others were always faster, or too many messages wait for the session.
    #[error("the session changes too fast")]
    Busy,
    /// A fault of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AppendError> for StepError {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Conflict { .. } => Self::Busy,
            AppendError::Duplicate { message } => Self::Duplicate { message },
            AppendError::Repeated(record) => Self::Repeated(record),
            AppendError::Store(fault) => Self::Store(fault),
        }
    }
}

/// The one place where sessions change.
pub struct Desk {
    parts: Parts,
    board: Arc<Board>,
    queues: Arc<Queues>,
}

impl Desk {
    /// A desk over these ports.
    #[must_use]
    pub fn new(parts: Parts, board: Arc<Board>) -> Self {
        Self {
            parts,
            board,
            queues: Arc::default(),
        }
    }

    fn store(&self) -> &dyn Store {
        self.parts.store.as_ref()
    }

    /// The session as the store has it.
    pub async fn load(&self, id: SessionId) -> Result<Stored, StepError> {
        self.store().load(id).await?.ok_or(StepError::NoSession)
    }

    /// The settings of a session's channel.
    pub fn live(&self, key: &SessionKey) -> Result<Arc<Live>, StepError> {
        self.board
            .live(&key.channel)
            .ok_or_else(|| StepError::NoChannel {
                channel: key.channel.clone(),
            })
    }

    /// Makes one step on an existing session. `command` is asked again whenever somebody else was faster.
    pub async fn step(
        &self,
        id: SessionId,
        cause: Cause,
        command: impl Fn(&Session) -> Result<Command, Refusal> + Send + Sync,
    ) -> Result<Made, StepError> {
        self.insist(id, cause, Patience::NONE, command).await
    }

    /// The same, again and again while the store does not answer, as long as the patience lasts.
    pub async fn insist(
        &self,
        id: SessionId,
        cause: Cause,
        patience: Patience,
        command: impl Fn(&Session) -> Result<Command, Refusal> + Send + Sync,
    ) -> Result<Made, StepError> {
        let errand = self.errand(id, &cause, patience).await?;
        let start = self.start(&errand).await?.ok_or(StepError::NoSession)?;
        self.steps(start, &errand, command).await
    }

    /// Makes one step on the session of that key, which need not exist yet.
    pub async fn first_step(
        &self,
        key: &SessionKey,
        cause: Cause,
        command: impl Fn(&Session) -> Result<Command, Refusal> + Send + Sync,
    ) -> Result<Made, StepError> {
        let errand = self.errand_in_crowd(key.session(), &cause).await?;
        let start = self.start(&errand).await?.unwrap_or_else(|| Start {
            stored: unwritten(key),
            is_left: false,
        });
        self.steps(start, &errand, command).await
    }

    async fn steps(
        &self,
        start: Start,
        errand: &Errand<'_>,
        command: impl Fn(&Session) -> Result<Command, Refusal> + Send + Sync,
    ) -> Result<Made, StepError> {
        let Start {
            mut stored,
            mut is_left,
        } = start;
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut conflicts = 0;
        while conflicts < MOST_CONFLICTS {
            let live = self.live(&stored.key)?;
            let append = match self.decided(&stored, &live, errand, &command).await {
                Err(StepError::Refused(_)) if is_left => {
                    stored = self.fresh(errand, &stored.key).await?;
                    is_left = false;
                    continue;
                }
                decided => decided?,
            };
            let attempt = Attempt::new(&append, stored.session, live);
            let Err(error) = self.store().append(append).await else {
                errand.is_done(|| attempt.led_to(&stored.key));
                return Ok(self.made(stored.key, attempt).await);
            };
            match &error {
                AppendError::Conflict { .. } => {
                    conflicts += 1;
                    self.back_off(conflicts).await;
                }
                AppendError::Store(fault) if fault.may_pass() => errand.is_stuck(),
                _ => {}
            }
            attempts.push(attempt);
            match self.see(&stored.key, error, &attempts, errand).await? {
                Seen::OnRecord(index) => {
                    let attempt = attempts.swap_remove(index);
                    errand.is_done(|| attempt.led_to(&stored.key));
                    return Ok(self.made(stored.key, attempt).await);
                }
                Seen::Changed(fresh) => {
                    stored = *fresh;
                    is_left = false;
                }
            }
        }
        Err(StepError::Busy)
    }

    async fn decided(
        &self,
        stored: &Stored,
        live: &Live,
        errand: &Errand<'_>,
        command: &(impl Fn(&Session) -> Result<Command, Refusal> + Send + Sync),
    ) -> Result<Append, StepError> {
        let neighbours = self.neighbours(&stored.key, errand).await?;
        let scene = Scene {
            now: self.parts.clock.now(),
            rules: &live.rules,
            neighbours,
        };
        let command = command(&stored.session)?;
        let events = decide(&stored.session, &command, &scene)?;
        let after = events.iter().fold(stored.session.clone(), evolve);
        let taken_in = !is_refused(&events);
        let cause = errand.cause;
        Ok(Append {
            key: stored.key.clone(),
            id: errand.id,
            expected: stored.version,
            at: scene.now,
            actor: cause.actor.clone(),
            next_at: after.next_deadline(&live.rules),
            events,
            session: after,
            message: cause.message.clone().filter(|_| taken_in),
            reply: cause.reply.clone(),
            action: cause.action.clone(),
        })
    }

    async fn neighbours(
        &self,
        key: &SessionKey,
        errand: &Errand<'_>,
    ) -> Result<Neighbours, StepError> {
        if !key.is_group() {
            return Ok(Neighbours::default());
        }
        let conversation = key.conversation_id();
        Ok(self
            .ask_for(errand, || self.store().neighbours(conversation, errand.id))
            .await?)
    }

    /// The step is durable: tells whoever follows the session.
    async fn made(&self, key: SessionKey, attempt: Attempt) -> Made {
        let made = Made {
            id: attempt.id,
            key,
            live: attempt.live,
            events: attempt.events,
            before: attempt.before,
            after: attempt.after,
            version: attempt.expected + 1,
        };
        self.tell(&made, attempt.next_at).await;
        made
    }

    async fn tell(&self, made: &Made, next_at: Option<replygate_gate::At>) {
        self.parts
            .feed
            .publish(News::Session {
                session: made.id,
                channel: made.key.channel.clone(),
                version: made.version,
                at: self.parts.clock.now(),
                events: made
                    .events
                    .iter()
                    .map(|event| event.name().to_owned())
                    .collect(),
                next_at,
            })
            .await;
    }
}

/// A session to which nobody wrote yet.
fn unwritten(key: &SessionKey) -> Stored {
    Stored {
        key: key.clone(),
        version: 0,
        session: Session::default(),
    }
}

/// Whether the message was refused to its sender, who still has it: neither its text nor its dedupe key is kept, so that
/// it may come again.
fn is_refused(events: &[Event]) -> bool {
    let rejected = |event: &Event| matches!(event, Event::Rejected { .. });
    let dropped = |event: &Event| matches!(event, Event::Dropped { .. });
    events.iter().any(rejected) && !events.iter().any(dropped)
}
