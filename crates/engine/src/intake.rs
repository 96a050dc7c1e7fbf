//! Messages coming in: known or new, command or not, then one durable step. Must never acknowledge what is not stored.

mod reaction;

use std::time::Duration;

use replygate_gate::control::{self, Control};
use replygate_gate::debounce::{MessageKind, Sample, Signal, classify};
use replygate_gate::text::Languages;
use replygate_gate::{
    Admission, Arrival, Command, Event, MessageId, ReplyId, Sender, SessionId, Strategy, TurnId,
};
use replygate_ports::channel::Inbound;
use replygate_ports::store::{DedupeKey, HistoryEntry, NewMessage};

use crate::board::Live;
use crate::desk::{Cause, Made, StepError};
use crate::engine::Inner;
use crate::notice::acknowledgement;

/// So many entries of the history are looked through for the customer's language.
const LAST_ENTRIES: u32 = 30;

/// What became of a message that came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// Its id; that of the first time when it came before.
    pub message: MessageId,
    /// Its session.
    pub session: SessionId,
    /// Whether it came before.
    pub duplicate: bool,
    /// Set when the session was busy and the channel's strategy is to reject.
    pub rejected: Option<Rejection>,
}

/// A message that was refused because the session was busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The turn that runs.
    pub turn: Option<TurnId>,
    /// The replies that are on their way.
    pub replies: Vec<ReplyId>,
    /// Whether its sender is to be told; otherwise the message was accepted and dropped on record.
    pub sender: Sender,
}

impl Inner {
    /// Stores a message durably and sees to what follows from it.
    pub(crate) async fn receive(&self, inbound: Inbound) -> Result<Received, StepError> {
        let live = self.desk.live(&inbound.key)?;
        let session = inbound.key.session();
        let id = MessageId(self.mint());
        match self.admit(&inbound, id, &live).await {
            Ok(rejected) => Ok(Received {
                message: id,
                session,
                duplicate: false,
                rejected,
            }),
            Err(StepError::Duplicate { message }) => {
                metrics::counter!("replygate_messages_duplicate_total").increment(1);
                Ok(Received {
                    message,
                    session,
                    duplicate: true,
                    rejected: None,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// Stores the message, unless it is refused. A message that was accepted before is never refused: the one that is
    /// being answered may itself be what keeps the session busy.
    async fn admit(
        &self,
        inbound: &Inbound,
        id: MessageId,
        live: &Live,
    ) -> Result<Option<Rejection>, StepError> {
        if live.rules.strategy != Strategy::Reject {
            return self.store_message(inbound, id, live).await;
        }
        self.refuse_known(inbound).await?;
        let rejected = self.store_message(inbound, id, live).await?;
        if rejected
            .as_ref()
            .is_some_and(|rejection| rejection.sender == Sender::Reads)
        {
            // It may have been accepted from another request in the meantime.
            self.refuse_known(inbound).await?;
        }
        Ok(rejected)
    }

    async fn refuse_known(&self, inbound: &Inbound) -> Result<(), StepError> {
        match self.parts.store.find_message(&dedupe(inbound)).await? {
            Some(message) => Err(StepError::Duplicate { message }),
            None => Ok(()),
        }
    }

    async fn store_message(
        &self,
        inbound: &Inbound,
        id: MessageId,
        live: &Live,
    ) -> Result<Option<Rejection>, StepError> {
        let edit_of = self.edited(inbound).await?;
        let cause = Cause {
            message: Some(self.new_message(inbound, id, edit_of)),
            ..Cause::by("customer")
        };
        let languages = Languages::all();
        if let Some(control) = command(inbound, live, languages) {
            self.obey(inbound, id, control, cause).await?;
            return Ok(None);
        }
        let arrival = Arrival {
            message: id,
            signal: signal(inbound, live, languages),
            edit_of,
            awaits_ms: inbound.awaits_ms,
            admission: self.admission(inbound, live).await?,
            sender: live.wired.channel.sender(),
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
        Ok(rejection(&made.events, arrival.sender))
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

fn rejection(events: &[Event], sender: Sender) -> Option<Rejection> {
    events.iter().find_map(|event| match event {
        Event::Rejected { turn, replies, .. } => Some(Rejection {
            turn: *turn,
            replies: replies.clone(),
            sender,
        }),
        _ => None,
    })
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
