//! Load, decide, append: the one way in which anything happens to a session. Must never hold a session between steps:
//! every step starts from what the store has.

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
    /// Others were always faster.
    #[error("the session changes too fast")]
    Busy,
    /// A fault of the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The one place where sessions change.
pub struct Desk {
    parts: Parts,
    board: Arc<Board>,
}

impl Desk {
    /// A desk over these ports.
    #[must_use]
    pub fn new(parts: Parts, board: Arc<Board>) -> Self {
        Self { parts, board }
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
        let start = self.load(id).await?;
        self.steps(id, start, cause, command).await
    }

    /// Makes one step on the session of that key, which need not exist yet.
    pub async fn first_step(
        &self,
        key: &SessionKey,
        cause: Cause,
        command: impl Fn(&Session) -> Result<Command, Refusal> + Send + Sync,
    ) -> Result<Made, StepError> {
        let id = key.session();
        let start = self.store().load(id).await?;
        let start = start.unwrap_or_else(|| Stored {
            key: key.clone(),
            version: 0,
            session: Session::default(),
        });
        self.steps(id, start, cause, command).await
    }

    async fn steps(
        &self,
        id: SessionId,
        start: Stored,
        cause: Cause,
        command: impl Fn(&Session) -> Result<Command, Refusal> + Send + Sync,
    ) -> Result<Made, StepError> {
        let mut stored = start;
        for _ in 0..MOST_CONFLICTS {
            let live = self.live(&stored.key)?;
            let append = self.decided(id, &stored, &live, &cause, &command).await?;
            let next_at = append.next_at;
            let (events, after) = (append.events.clone(), append.session.clone());
            match self.store().append(append).await {
                Ok(version) => {
                    let made = Made {
                        id,
                        key: stored.key,
                        live,
                        events,
                        before: stored.session,
                        after,
                        version,
                    };
                    self.tell(&made, next_at).await;
                    return Ok(made);
                }
                Err(AppendError::Conflict { .. }) => {
                    metrics::counter!("replygate_conflicts_total").increment(1);
                    stored = self.again(id, stored).await?;
                }
                Err(AppendError::Duplicate { message }) => {
                    return Err(StepError::Duplicate { message });
                }
                Err(AppendError::Repeated(record)) => return Err(StepError::Repeated(record)),
                Err(AppendError::Store(error)) => return Err(error.into()),
            }
        }
        Err(StepError::Busy)
    }

    /// The session as it is now, after somebody else was faster.
    async fn again(&self, id: SessionId, old: Stored) -> Result<Stored, StepError> {
        let fresh = self.store().load(id).await?;
        Ok(fresh.unwrap_or(Stored {
            version: 0,
            session: Session::default(),
            ..old
        }))
    }

    async fn decided(
        &self,
        id: SessionId,
        stored: &Stored,
        live: &Live,
        cause: &Cause,
        command: &(impl Fn(&Session) -> Result<Command, Refusal> + Send + Sync),
    ) -> Result<Append, StepError> {
        let neighbours = self.neighbours(&stored.key, id).await?;
        let scene = Scene {
            now: self.parts.clock.now(),
            rules: &live.rules,
            neighbours,
        };
        let command = command(&stored.session)?;
        let events = decide(&stored.session, &command, &scene)?;
        let after = events.iter().fold(stored.session.clone(), evolve);
        Ok(Append {
            key: stored.key.clone(),
            id,
            expected: stored.version,
            at: scene.now,
            actor: cause.actor.clone(),
            next_at: after.next_deadline(&live.rules),
            events,
            session: after,
            message: cause.message.clone(),
            reply: cause.reply.clone(),
            action: cause.action.clone(),
        })
    }

    async fn neighbours(&self, key: &SessionKey, id: SessionId) -> Result<Neighbours, StepError> {
        if !key.is_group() {
            return Ok(Neighbours::default());
        }
        Ok(self.store().neighbours(key.conversation_id(), id).await?)
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
