//! What people and other systems do: one deed, one step, recorded with who and why. Must never act on anything but what
//! the operator saw.

use replygate_gate::{AnsweredElsewhere, Command, Draft, ReplyId, SessionId, Target};
use replygate_ports::feed::News;
use replygate_ports::settings::SettingsVersion;
use replygate_ports::store::{NewAction, NewReply};
use replygate_ports::tools::Tool;

use crate::board::SaveError;
use crate::desk::{Cause, Made, StepError};
use crate::engine::Engine;
use crate::tools::ToolSaveError;

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Send a parked or unknown reply as it was written.
    Reprocess(Target),
    /// Have its messages answered anew; `overrule` goes on although another reply answered some of them.
    Rerun {
        /// Which.
        target: Target,
        /// Why it is done although another reply answered some of the messages.
        overrule: Option<String>,
    },
    /// Drop it.
    Discard(Target),
    /// It is known that the user has it.
    MarkDelivered(Target),
    /// Let held replies go.
    ReleaseHold,
    /// Lock the session from outside, or renew that lock.
    Lock {
        /// Who.
        holder: String,
        /// Life of the lease that the holder must renew, in milliseconds.
        lease_ms: u64,
        /// Life of the lock, in milliseconds.
        ttl_ms: u64,
    },
    /// Remove the holder's lock, or whoever's when `None`.
    Unlock {
        /// Whose.
        holder: Option<String>,
    },
    /// Answer instead of the agent.
    TakeOver,
    /// Write to the customer while having taken over.
    Say {
        /// The parts of the message.
        parts: Vec<String>,
    },
    /// Let the agent answer again.
    HandBack,
}

impl Verb {
    /// The word under which the deed is recorded.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Reprocess(_) => "reprocess",
            Self::Rerun { .. } => "rerun",
            Self::Discard(_) => "discard",
            Self::MarkDelivered(_) => "mark_delivered",
            Self::ReleaseHold => "release_hold",
            Self::Lock { .. } => "lock",
            Self::Unlock { .. } => "unlock",
            Self::TakeOver => "take_over",
            Self::Say { .. } => "say",
            Self::HandBack => "hand_back",
        }
    }

    const fn target(&self) -> Option<&Target> {
        match self {
            Self::Reprocess(target)
            | Self::Rerun { target, .. }
            | Self::Discard(target)
            | Self::MarkDelivered(target) => Some(target),
            _ => None,
        }
    }
}

/// One deed of one operator or outside system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// What.
    pub verb: Verb,
    /// Who.
    pub by: String,
    /// Why.
    pub reason: Option<String>,
    /// Minted with the form; the same one again does nothing and returns what was done.
    pub request_id: Option<String>,
}

impl Engine {
    /// Does one deed on a session, durably, before it returns.
    ///
    /// # Errors
    /// `Refused` when the protocol says no, `Repeated` with the first record for a request that was carried out before.
    pub async fn act(&self, session: SessionId, deed: Deed) -> Result<Made, StepError> {
        let inner = &self.inner;
        if let Some(record) = self.repeated(&deed).await? {
            return Err(record);
        }
        let answered = self.answered(session, &deed.verb).await?;
        let reply = ReplyId(inner.mint());
        let cause = Cause {
            actor: format!("user:{}", deed.by),
            message: None,
            reply: match &deed.verb {
                Verb::Say { parts } => Some(NewReply {
                    id: reply,
                    parts: parts.clone(),
                }),
                _ => None,
            },
            action: deed.request_id.clone().map(|request_id| NewAction {
                request_id,
                by: deed.by.clone(),
                verb: deed.verb.word().to_owned(),
                reply: deed.verb.target().map(|target| target.reply),
                reason: deed.reason.clone(),
            }),
        };
        let command = command(&deed, reply, answered);
        let made = inner
            .desk
            .step(session, cause, |_| Ok(command.clone()))
            .await?;
        inner.after(&made).await;
        Ok(made)
    }

    /// The session that a reply belongs to.
    ///
    /// # Errors
    /// `NoSession` when there is no such reply.
    pub async fn session_of(&self, reply: ReplyId) -> Result<SessionId, StepError> {
        let found = self.inner.parts.store.find_reply(reply).await?;
        found.ok_or(StepError::NoSession)
    }

    /// Checks and saves settings, and takes them into force for the next message.
    ///
    /// # Errors
    /// `Invalid` names every value that is not allowed, `Stale` when somebody else saved first.
    pub async fn save_settings(&self, next: SettingsVersion) -> Result<(), SaveError> {
        let (channel, version) = (next.settings.id.clone(), next.version);
        self.inner.board.save(next).await?;
        self.inner
            .parts
            .feed
            .publish(News::Settings { channel, version })
            .await;
        Ok(())
    }

    /// Checks and saves a tool's settings, and takes them into force for the next run of an agent.
    ///
    /// # Errors
    /// `Invalid` names every value that is not allowed, `Stale` when somebody else saved first.
    pub async fn save_tool(&self, next: SettingsVersion<Tool>) -> Result<(), ToolSaveError> {
        let (tool, version) = (next.settings.name.clone(), next.version);
        self.inner.toolbox.save(next).await?;
        self.inner
            .parts
            .feed
            .publish(News::Tool { tool, version })
            .await;
        Ok(())
    }

    async fn repeated(&self, deed: &Deed) -> Result<Option<StepError>, StepError> {
        let Some(request_id) = &deed.request_id else {
            return Ok(None);
        };
        let found = self.inner.parts.store.action(request_id).await?;
        Ok(found.map(|record| StepError::Repeated(Box::new(record))))
    }

    async fn answered(
        &self,
        session: SessionId,
        verb: &Verb,
    ) -> Result<Vec<AnsweredElsewhere>, StepError> {
        let Verb::Rerun { target, .. } = verb else {
            return Ok(Vec::new());
        };
        let stored = self.inner.desk.load(session).await?;
        let Some(reply) = stored.session.reply(target.reply) else {
            return Ok(Vec::new());
        };
        let found = self
            .inner
            .parts
            .store
            .answered(session, &reply.covers, reply.id)
            .await?;
        Ok(found)
    }
}

fn command(deed: &Deed, reply: ReplyId, answered: Vec<AnsweredElsewhere>) -> Command {
    let by = deed.by.clone();
    match &deed.verb {
        Verb::Reprocess(target) => Command::Reprocess(target.clone()),
        Verb::Rerun { target, overrule } => Command::Rerun {
            target: target.clone(),
            answered,
            override_reason: overrule.clone(),
        },
        Verb::Discard(target) => Command::Discard(target.clone()),
        Verb::MarkDelivered(target) => Command::MarkDelivered(target.clone()),
        Verb::ReleaseHold => Command::ReleaseHold,
        Verb::Lock {
            holder,
            lease_ms,
            ttl_ms,
        } => Command::Lock {
            holder: holder.clone(),
            lease_ms: *lease_ms,
            ttl_ms: *ttl_ms,
        },
        Verb::Unlock { holder } => Command::Unlock {
            holder: holder.clone(),
        },
        Verb::TakeOver => Command::TakeOver { by },
        Verb::Say { parts } => Command::Say {
            by,
            draft: Draft {
                reply,
                parts: parts.len() as u16,
            },
        },
        Verb::HandBack => Command::HandBack,
    }
}
