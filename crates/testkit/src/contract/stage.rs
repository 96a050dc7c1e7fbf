//! A stage on which sessions are played through the real decider, so that a store is tested with steps as the pipeline
//! makes them.

use std::sync::Arc;

use replygate_gate::control::Control;
use replygate_gate::debounce::{MessageKind, Signal};
use replygate_gate::{
    Admission, Arrival, At, ClaimToken, Command, Commit, Decision, Draft, Judgement, Late,
    MessageId, Neighbours, Outcome, Refusal, ReplyId, Rules, Scene, Sender, Session, SessionKey,
    Target, TurnId, Usage, decide, evolve,
};
use replygate_ports::store::{
    Append, AppendError, DedupeKey, NewAction, NewMessage, NewReply, Store, Stored,
};

use crate::clock::EPOCH;

/// What travels beside a command.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    pub message: Option<NewMessage>,
    pub reply: Option<NewReply>,
    pub action: Option<NewAction>,
}

/// A store with a clock that only the case moves, and ids that grow.
pub struct Stage {
    pub store: Arc<dyn Store>,
    pub rules: Rules,
    pub now: At,
    drawn: u128,
}

/// What every turn and verdict of a stage asked a model for.
pub const SPENT: Usage = Usage {
    input: 812,
    cached: 640,
    output: 36,
    estimated: true,
};

/// A direct chat on the channel `shop`.
#[must_use]
pub fn direct(contact: &str) -> SessionKey {
    key("shop", contact, contact)
}

/// An author of a group on the channel `shop`.
#[must_use]
pub fn author(group: &str, contact: &str) -> SessionKey {
    key("shop", group, contact)
}

/// Any session of the account `main`.
#[must_use]
pub fn key(channel: &str, conversation: &str, contact: &str) -> SessionKey {
    SessionKey {
        channel: channel.to_owned(),
        account: "main".to_owned(),
        conversation: conversation.to_owned(),
        contact: contact.to_owned(),
    }
}

/// What makes a message of this chat the same message.
#[must_use]
pub fn dedupe(key: &SessionKey, provider_id: &str, edit: Option<i64>) -> DedupeKey {
    DedupeKey {
        channel: key.channel.clone(),
        account: key.account.clone(),
        conversation: key.conversation.clone(),
        provider_id: provider_id.to_owned(),
        edit,
    }
}

/// A sure verdict of an evaluator.
#[must_use]
pub fn verdict(reply: ReplyId, decision: Decision) -> Judgement {
    Judgement {
        reply,
        decision,
        confidence: 0.9,
        reason: "a_test_says_so".to_owned(),
        source: "stage".to_owned(),
        took_ms: 3,
        usage: SPENT,
    }
}

/// A channel's yes.
#[must_use]
pub fn accepted() -> Outcome {
    Outcome::Accepted {
        receipt: Some("receipt-1".to_owned()),
    }
}

/// A channel's no for now.
#[must_use]
pub fn busy() -> Outcome {
    Outcome::Failed {
        code: "http_503".to_owned(),
        retry_after_ms: None,
    }
}

/// A channel's silence.
#[must_use]
pub fn silence() -> Outcome {
    Outcome::Unknown {
        code: "timeout".to_owned(),
    }
}

/// An operator's deed.
#[must_use]
pub fn deed(request_id: &str, verb: &str, reply: Option<ReplyId>) -> NewAction {
    NewAction {
        request_id: request_id.to_owned(),
        by: "ana".to_owned(),
        verb: verb.to_owned(),
        reply,
        reason: Some("a customer called".to_owned()),
    }
}

impl Stage {
    /// A stage with the default rules, at the tests' epoch.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            rules: Rules::default(),
            now: EPOCH,
            drawn: 0,
        }
    }

    /// Lets `ms` milliseconds pass.
    pub fn later(&mut self, ms: u64) {
        self.now = self.now.plus(ms);
    }

    /// Lets ids go on behind `drawn`, so that two stages on one store do not draw the same.
    pub fn drawn_from(&mut self, drawn: u128) {
        self.drawn = drawn;
    }

    /// A new id, later than all before.
    pub fn id(&mut self) -> u128 {
        self.drawn += 1;
        (u128::from(self.now.0.unsigned_abs()) << 80) | self.drawn
    }

    /// The session as stored; version 0 when it is new.
    pub async fn load(&self, key: &SessionKey) -> Stored {
        let stored = self.store.load(key.session()).await.unwrap();
        stored.unwrap_or_else(|| Stored {
            key: key.clone(),
            version: 0,
            session: Session::default(),
        })
    }

    /// The step that a command comes to now, not appended yet.
    pub async fn step(
        &self,
        key: &SessionKey,
        command: &Command,
        beside: Beside,
    ) -> Result<Append, Refusal> {
        let before = self.load(key).await;
        let neighbours = if key.is_group() {
            let asked = self.store.neighbours(key.conversation_id(), key.session());
            asked.await.unwrap()
        } else {
            Neighbours::default()
        };
        let scene = Scene {
            now: self.now,
            rules: &self.rules,
            neighbours,
        };
        let events = decide(&before.session, command, &scene)?;
        let session = events.iter().fold(before.session, evolve);
        Ok(Append {
            key: key.clone(),
            id: key.session(),
            expected: before.version,
            at: self.now,
            actor: "stage".to_owned(),
            events,
            next_at: session.next_deadline(&self.rules),
            session,
            message: beside.message,
            reply: beside.reply,
            action: beside.action,
        })
    }

    /// Appends what a command comes to; whatever the store says is the answer.
    pub async fn try_act(
        &self,
        key: &SessionKey,
        command: &Command,
        beside: Beside,
    ) -> Result<u64, AppendError> {
        let append = self.step(key, command, beside).await.unwrap();
        self.store.append(append).await
    }

    /// Appends what a command comes to and returns the new version.
    pub async fn act(&self, key: &SessionKey, command: Command) -> u64 {
        self.try_act(key, &command, Beside::default())
            .await
            .unwrap()
    }

    /// A message with a provider id of its own.
    pub fn message(&mut self, key: &SessionKey, text: &str) -> NewMessage {
        let id = MessageId(self.id());
        self.message_as(key, &format!("provider-{id}"), None, text, id)
    }

    fn message_as(
        &self,
        key: &SessionKey,
        provider_id: &str,
        edit: Option<i64>,
        text: &str,
        id: MessageId,
    ) -> NewMessage {
        NewMessage {
            id,
            dedupe: dedupe(key, provider_id, edit),
            kind: MessageKind::Text,
            text: text.to_owned(),
            sent_at: Some(self.now.minus(1)),
            edit_of: None,
        }
    }

    /// A message under this provider id, an edit with `edit`.
    pub fn message_under(
        &mut self,
        key: &SessionKey,
        provider_id: &str,
        edit: Option<i64>,
        text: &str,
    ) -> NewMessage {
        let id = MessageId(self.id());
        self.message_as(key, provider_id, edit, text, id)
    }

    /// The step of an arrival, not appended yet.
    pub async fn arrival(&self, key: &SessionKey, message: NewMessage) -> Append {
        let arrival = Arrival {
            message: message.id,
            signal: Signal::Closed,
            edit_of: message.edit_of,
            awaits_ms: None,
            admission: Admission::Turn,
            sender: Sender::Reads,
        };
        let beside = Beside {
            message: Some(message),
            ..Beside::default()
        };
        self.step(key, &Command::Arrive(arrival), beside)
            .await
            .unwrap()
    }

    /// A message comes in; whatever the store says is the answer.
    pub async fn try_receive(
        &self,
        key: &SessionKey,
        message: NewMessage,
    ) -> Result<u64, AppendError> {
        let append = self.arrival(key, message).await;
        self.store.append(append).await
    }

    /// A message comes in.
    pub async fn arrive(&mut self, key: &SessionKey, text: &str) -> MessageId {
        let message = self.message(key, text);
        let id = message.id;
        self.try_receive(key, message).await.unwrap();
        id
    }

    /// A control command comes in.
    pub async fn control(&mut self, key: &SessionKey, control: Control) -> MessageId {
        let message = self.message(key, control.as_str());
        let id = message.id;
        let beside = Beside {
            message: Some(message),
            ..Beside::default()
        };
        self.try_act(
            key,
            &Command::Control {
                control,
                message: id,
            },
            beside,
        )
        .await
        .unwrap();
        id
    }

    /// The window closes and a worker takes the burst; returns the fencing token.
    pub async fn take(&mut self, key: &SessionKey) -> u64 {
        let due = self.load(key).await.session.window.unwrap().due;
        self.now = self.now.max(due);
        let turn = TurnId(self.id());
        self.act(key, Command::Take { turn }).await;
        self.load(key).await.session.owner.unwrap().fence
    }

    /// The turn ends with these parts; with none it stays silent.
    pub async fn commit(
        &mut self,
        key: &SessionKey,
        fence: u64,
        verdicts: Vec<Judgement>,
        parts: &[&str],
    ) -> Option<ReplyId> {
        let (reply, append) = self.commit_step(key, fence, verdicts, parts).await;
        self.store.append(append).await.unwrap();
        reply
    }

    /// The step of a turn's end, decided now and not appended yet.
    pub async fn commit_step(
        &mut self,
        key: &SessionKey,
        fence: u64,
        verdicts: Vec<Judgement>,
        parts: &[&str],
    ) -> (Option<ReplyId>, Append) {
        let reply = (!parts.is_empty()).then(|| ReplyId(self.id()));
        let commit = Commit {
            fence,
            verdicts,
            draft: reply.map(|reply| Draft {
                reply,
                parts: parts.len() as u16,
            }),
            effects: false,
            run_ms: 20,
            usage: SPENT,
            late: Late::Accept,
        };
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        let content = reply.map(|id| NewReply { id, parts });
        let beside = Beside {
            reply: content,
            ..Beside::default()
        };
        let step = self.step(key, &Command::Commit(commit), beside).await;
        (reply, step.unwrap())
    }

    /// The agent fails for good; returns the empty reply that is parked.
    pub async fn fail(&mut self, key: &SessionKey, fence: u64) -> ReplyId {
        let reply = ReplyId(self.id());
        let command = Command::Fail {
            fence,
            reply,
            usage: SPENT,
            verdicts: Vec::new(),
            code: "timeout".to_owned(),
        };
        let beside = Beside {
            reply: Some(NewReply {
                id: reply,
                parts: Vec::new(),
            }),
            ..Beside::default()
        };
        self.try_act(key, &command, beside).await.unwrap();
        reply
    }

    /// The burst is answered with one part.
    pub async fn answer(&mut self, key: &SessionKey, text: &str) -> ReplyId {
        let fence = self.take(key).await;
        self.commit(key, fence, Vec::new(), &[text]).await.unwrap()
    }

    /// A message comes in and is answered.
    pub async fn exchange(
        &mut self,
        key: &SessionKey,
        asked: &str,
        said: &str,
    ) -> (MessageId, ReplyId) {
        let message = self.arrive(key, asked).await;
        (message, self.answer(key, said).await)
    }

    /// The reply comes due and is claimed.
    pub async fn claim(&mut self, key: &SessionKey, reply: ReplyId) -> ClaimToken {
        let due = self
            .load(key)
            .await
            .session
            .reply(reply)
            .unwrap()
            .not_before;
        self.now = self.now.max(due);
        let token = ClaimToken(self.id());
        self.act(key, Command::Claim { reply, token }).await;
        token
    }

    /// The reply is claimed and the hand-over ends like this.
    pub async fn hand_over(&mut self, key: &SessionKey, reply: ReplyId, outcome: Outcome) {
        let token = self.claim(key, reply).await;
        self.act(key, Command::Settle { token, outcome }).await;
    }

    /// What an operator sees of a reply.
    pub async fn target(&self, key: &SessionKey, reply: ReplyId) -> Target {
        let generation = self
            .load(key)
            .await
            .session
            .reply(reply)
            .unwrap()
            .generation;
        Target { reply, generation }
    }
}
