//! Messages coming in: known or new, command or not, then one durable step. Must never acknowledge what is not stored.

mod reaction;

use std::time::Duration;

use replygate_gate::control::{self, Control};
use replygate_gate::debounce::{MessageKind, Sample, Signal, classify};
use replygate_gate::text::Languages;
use replygate_gate::{Admission, Arrival, Command, MessageId, ReplyId, SessionId};
use replygate_ports::channel::Inbound;
use replygate_ports::store::{DedupeKey, HistoryEntry, NewMessage};

use crate::board::Live;
use crate::desk::{Cause, Made, StepError};
use crate::engine::Inner;
use crate::notice::acknowledgement;

/// So many entries of the history are looked through for the customer's language.
const LAST_ENTRIES: u32 = 30;

/// What became of a message that came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// Its id; that of the first time when it came before.
    pub message: MessageId,
    /// Its session.
    pub session: SessionId,
    /// Whether it came before.
    pub duplicate: bool,
}

impl Inner {
    /// Stores a message durably and sees to what follows from it.
    pub(crate) async fn receive(&self, inbound: Inbound) -> Result<Received, StepError> {
        let live = self.desk.live(&inbound.key)?;
        let session = inbound.key.session();
        let id = MessageId(self.mint());
        match self.store_message(&inbound, id, &live).await {
            Ok(()) => Ok(Received {
                message: id,
                session,
                duplicate: false,
            }),
            Err(StepError::Duplicate { message }) => {
                metrics::counter!("replygate_messages_duplicate_total").increment(1);
                Ok(Received {
                    message,
                    session,
                    duplicate: true,
                })
            }
            Err(error) => Err(error),
        }
    }

    async fn store_message(
        &self,
        inbound: &Inbound,
        id: MessageId,
        live: &Live,
    ) -> Result<(), StepError> {
        let edit_of = self.edited(inbound).await?;
        let cause = Cause {
            message: Some(self.new_message(inbound, id, edit_of)),
            ..Cause::by("customer")
        };
        let languages = Languages::all();
        if let Some(control) = command(inbound, live, languages) {
            return self.obey(inbound, id, control, cause).await;
        }
        let arrival = Arrival {
            message: id,
            signal: signal(inbound, live, languages),
            edit_of,
            admission: self.admission(inbound, live).await?,
        };
        let made = self
            .desk
            .first_step(&inbound.key, cause, |_| {
                Ok(Command::Arrive(arrival.clone()))
            })
            .await?;
        metrics::counter!("replygate_messages_total").increment(1);
        self.after(&made).await;
        self.triage_early(&made);
        Ok(())
    }

    /// A control command: it acts at once, and is acknowledged outside the order of replies.
    async fn obey(
        &self,
        inbound: &Inbound,
        message: MessageId,
        control: Control,
        cause: Cause,
    ) -> Result<(), StepError> {
        // Before the step, for a reset leaves no history.
        let before = self.last_texts(inbound.key.session()).await;
        let made = self
            .desk
            .first_step(&inbound.key, cause, |_| {
                Ok(Command::Control { control, message })
            })
            .await?;
        self.after(&made).await;
        let before = before.iter().map(String::as_str);
        if let Some(text) = acknowledgement(&made.live.settings.notices, control, before) {
            self.give_notice(&made, message, text.to_owned());
        }
        Ok(())
    }

    /// What the customer wrote last, newest first. Without an answer the command goes on: only its acknowledgement is
    /// worded for somebody unknown.
    async fn last_texts(&self, session: SessionId) -> Vec<String> {
        let history = self.parts.store.history(session, &[], LAST_ENTRIES).await;
        let said = history.unwrap_or_default().into_iter().rev();
        said.filter_map(|entry| match entry {
            HistoryEntry::Customer { text, .. } => Some(text),
            _ => None,
        })
        .collect()
    }

    /// The message that this one edits; `None` also for an edit of a message that never came, which is then a message.
    async fn edited(&self, inbound: &Inbound) -> Result<Option<MessageId>, StepError> {
        if inbound.edit.is_none() {
            return Ok(None);
        }
        let original = DedupeKey {
            edit: None,
            ..dedupe(inbound)
        };
        Ok(self.parts.store.find_message(&original).await?)
    }

    async fn admission(&self, inbound: &Inbound, live: &Live) -> Result<Admission, StepError> {
        let age = inbound
            .sent_at
            .map_or(0, |sent| self.parts.clock.now().since(sent));
        if age > live.settings.late_after_ms {
            return Ok(Admission::Late);
        }
        if inbound.kind == MessageKind::Reaction && !self.is_answer(inbound).await? {
            return Ok(Admission::Reaction);
        }
        Ok(Admission::Turn)
    }

    fn new_message(
        &self,
        inbound: &Inbound,
        id: MessageId,
        edit_of: Option<MessageId>,
    ) -> NewMessage {
        // A channel's clock that runs ahead must not put a question behind its answer.
        let sent_at = inbound.sent_at.map(|sent| sent.min(self.parts.clock.now()));
        NewMessage {
            id,
            dedupe: dedupe(inbound),
            kind: inbound.kind,
            text: inbound.text.clone(),
            sent_at,
            edit_of,
        }
    }

    /// Says something to the sender of `message`. It goes by the message's own number, so that whoever shows the
    /// conversation later can tell it from another.
    fn give_notice(&self, made: &Made, message: MessageId, text: String) {
        let (channel, key) = (made.live.wired.channel.clone(), made.key.clone());
        let limit = Duration::from_millis(made.live.settings.send_timeout_ms);
        self.crew.start(async move {
            let id = ReplyId(message.0);
            let outcome = channel.notice(&key, id, &text, limit).await;
            tracing::debug!(?outcome, "notice given");
        });
    }
}

fn dedupe(inbound: &Inbound) -> DedupeKey {
    DedupeKey {
        channel: inbound.key.channel.clone(),
        account: inbound.key.account.clone(),
        conversation: inbound.key.conversation.clone(),
        provider_id: inbound.provider_id.clone(),
        edit: inbound.edit,
    }
}

/// The control command that a message is. A sign that a channel calls `stop` is none.
fn command(inbound: &Inbound, live: &Live, languages: &Languages) -> Option<Control> {
    (inbound.kind != MessageKind::Reaction)
        .then(|| control::parse(&inbound.text, &live.settings.commands, languages))
        .flatten()
}

fn signal(inbound: &Inbound, live: &Live, languages: &Languages) -> Signal {
    let sample = Sample {
        text: &inbound.text,
        kind: inbound.kind,
    };
    // Commands were told apart before: a message that only looks like one is not.
    match classify(sample, &live.settings.commands, languages) {
        Signal::Command => Signal::Neutral,
        signal => signal,
    }
}
