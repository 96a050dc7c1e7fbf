//! Messages coming in: known or new, command or not, then one durable step. Must never acknowledge what is not stored.

use replygate_gate::control;
use replygate_gate::debounce::{Sample, Signal, classify};
use replygate_gate::text::Languages;
use replygate_gate::{Admission, Arrival, Command, MessageId, ReplyId, SessionId};
use replygate_ports::channel::Inbound;
use replygate_ports::store::{DedupeKey, NewMessage};

use crate::board::Live;
use crate::desk::{Cause, StepError};
use crate::engine::Inner;
use crate::notice;

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
        if let Some(control) = control::parse(&inbound.text, &live.settings.commands, languages) {
            let made = self
                .desk
                .first_step(&inbound.key, cause, |_| {
                    Ok(Command::Control {
                        control,
                        message: id,
                    })
                })
                .await?;
            let notice = ReplyId(self.mint());
            let text = notice::acknowledgement(control);
            self.after(&made).await;
            self.give_notice(&made, notice, text);
            return Ok(());
        }
        let arrival = Arrival {
            message: id,
            signal: signal(inbound, live, languages),
            edit_of,
            admission: self.admission(inbound, live),
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

    fn admission(&self, inbound: &Inbound, live: &Live) -> Admission {
        let age = inbound
            .sent_at
            .map_or(0, |sent| self.parts.clock.now().since(sent));
        if age > live.settings.late_after_ms {
            return Admission::Late;
        }
        Admission::Turn
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

    fn give_notice(&self, made: &crate::desk::Made, id: ReplyId, text: &'static str) {
        let (channel, key) = (made.live.wired.channel.clone(), made.key.clone());
        let limit = std::time::Duration::from_millis(made.live.settings.send_timeout_ms);
        self.crew.start(async move {
            let outcome = channel.notice(&key, id, text, limit).await;
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
