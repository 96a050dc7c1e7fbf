//! Plays a life on the model and on the adapter, step by step.

use std::sync::Arc;

use proptest::sample::Index;
use replygate_gate::debounce::Signal;
use replygate_gate::{Admission, Command, MessageId, SessionKey};
use replygate_ports::store::{Append, AppendError, NewMessage, Store};
use replygate_ports::upkeep::{Cutoffs, Upkeep};

use super::moves::{Ask, Move, What, arrival, command, operation};
use super::observed::{Known, observe_all, observe_one};
use crate::contract::UpkeepHarness;
use crate::contract::stage::{Beside, Stage, author, direct, key};
use crate::memory::MemoryStore;

struct Play<'h, H> {
    harness: &'h H,
    adapter: Arc<dyn Store>,
    model: MemoryStore,
    /// Decides on the model's state; both stores get what it decides.
    stage: Stage,
    keys: Vec<SessionKey>,
    known: Known,
    received: Vec<(SessionKey, NewMessage)>,
    held: Option<Append>,
}

/// Plays a life; the first difference is the error.
pub(super) async fn play<H: UpkeepHarness>(harness: &H, life: &[Move]) -> Result<(), String> {
    let model = MemoryStore::new();
    let mut play = Play {
        harness,
        adapter: harness.store(),
        stage: Stage::new(Arc::new(model.clone())),
        model,
        keys: vec![
            direct("ana"),
            author("g", "ana"),
            author("g", "rui"),
            key("zoo", "eva", "eva"),
        ],
        known: Known::default(),
        received: Vec::new(),
        held: None,
    };
    for (number, step) in life.iter().enumerate() {
        play.step(step)
            .await
            .map_err(|difference| format!("after move {number}, {step:?}: {difference}"))?;
    }
    let adapter = observe_all(&*play.adapter, &*harness.views(), &play.keys, &play.known).await;
    let model = observe_all(&play.model, &play.model, &play.keys, &play.known).await;
    same(adapter, model)
}

fn same(adapter: Vec<(String, String)>, model: Vec<(String, String)>) -> Result<(), String> {
    for ((what, ours), (_, expected)) in adapter.into_iter().zip(model) {
        if ours != expected {
            return Err(format!(
                "{what} differs\n  adapter: {ours}\n  model:   {expected}"
            ));
        }
    }
    Ok(())
}

impl<H: UpkeepHarness> Play<'_, H> {
    async fn step(&mut self, step: &Move) -> Result<(), String> {
        self.stage.later(step.pause);
        let key = step.who.get(&self.keys).clone();
        match &step.what {
            What::Arrive {
                signal,
                sent_before,
                admission,
            } => {
                let mut message = self.stage.message(&key, &format!("text of {step:?} 🙂"));
                message.sent_at = sent_before.map(|ago| self.stage.now.minus(ago));
                let command = arrival(message.id, *signal, None, *admission);
                self.received.push((key.clone(), message.clone()));
                self.receive(&key, &command, message).await?;
            }
            What::Edit(which) => self.edit(&key, *which).await?,
            What::Again(which) => self.again(*which).await?,
            What::Strategy(strategy) => self.stage.rules.strategy = *strategy,
            What::Control(control) => {
                let message = self.stage.message(&key, control.as_str());
                let command = Command::Control {
                    control: *control,
                    message: message.id,
                };
                self.receive(&key, &command, message).await?;
            }
            What::Command(ask) => {
                if let Some(append) = self.decided(&key, ask).await {
                    self.append(append).await?;
                }
            }
            What::Hold(ask) => {
                self.held = self.decided(&key, ask).await.or(self.held.take());
            }
            What::LetGo => {
                if let Some(append) = self.held.take() {
                    self.append(append).await?;
                }
            }
            What::Operate {
                verb,
                which,
                request,
            } => {
                let session = self.stage.load(&key).await.session;
                let asked = operation(&self.stage, &key, &session, (*verb, *which, *request)).await;
                if let Some((command, beside)) = asked {
                    self.act(&key, &command, beside).await?;
                }
            }
            What::Prune { age } => self.prune(*age).await?,
            What::Forget => self.forget(&key).await?,
        }
        self.stage.later(1);
        let adapter = observe_one(&*self.adapter, &key).await;
        same(adapter, observe_one(&self.model, &key).await)
    }

    async fn edit(&mut self, key: &SessionKey, which: Index) -> Result<(), String> {
        let own: Vec<MessageId> = self
            .received
            .iter()
            .filter(|(place, _)| place == key)
            .map(|(_, message)| message.id)
            .collect();
        if own.is_empty() {
            return Ok(());
        }
        let mut message = self.stage.message(key, "edited");
        message.edit_of = Some(*which.get(&own));
        let command = arrival(message.id, Signal::Closed, message.edit_of, Admission::Turn);
        self.receive(key, &command, message).await
    }

    /// A message comes once more under the same key, with another id of ours.
    async fn again(&mut self, which: Index) -> Result<(), String> {
        if self.received.is_empty() {
            return Ok(());
        }
        let (key, mut message) = which.get(&self.received).clone();
        message.id = MessageId(self.stage.id());
        let command = arrival(message.id, Signal::Closed, None, Admission::Turn);
        self.receive(&key, &command, message).await
    }

    async fn receive(
        &mut self,
        key: &SessionKey,
        command: &Command,
        message: NewMessage,
    ) -> Result<(), String> {
        self.known.messages.push(message.id);
        self.known.dedupe.push(message.dedupe.clone());
        self.act(
            key,
            command,
            Beside {
                message: Some(message),
                ..Beside::default()
            },
        )
        .await
    }

    async fn decided(&mut self, key: &SessionKey, ask: &Ask) -> Option<Append> {
        let session = self.stage.load(key).await.session;
        let (command, beside) = command(&mut self.stage, &session, ask)?;
        self.known
            .replies
            .extend(beside.reply.as_ref().map(|reply| reply.id));
        self.stage.step(key, &command, beside).await.ok()
    }

    async fn act(
        &mut self,
        key: &SessionKey,
        command: &Command,
        beside: Beside,
    ) -> Result<(), String> {
        match self.stage.step(key, command, beside).await {
            Ok(append) => self.append(append).await,
            // A refusal is the decider's business; no store is asked.
            Err(_) => Ok(()),
        }
    }

    async fn append(&mut self, append: Append) -> Result<(), String> {
        let adapter = told(self.adapter.append(append.clone()).await);
        let model = told(self.model.append(append).await);
        same(
            vec![("append".to_owned(), adapter)],
            vec![(String::new(), model)],
        )
    }

    async fn prune(&mut self, age: u64) -> Result<(), String> {
        let before = self.stage.now.minus(age);
        let before = Cutoffs {
            texts: before,
            dedupe_keys: before,
            steps: before,
            credentials: before,
        };
        let adapter = self.harness.upkeep().prune(&before, 10_000).await.unwrap();
        let model = self.model.prune(&before, 10_000).await.unwrap();
        same(
            vec![("prune".to_owned(), format!("{adapter:?}"))],
            vec![(String::new(), format!("{model:?}"))],
        )
    }

    async fn forget(&mut self, key: &SessionKey) -> Result<(), String> {
        let adapter = self
            .harness
            .upkeep()
            .forget(Some(&key.channel), &key.contact)
            .await
            .unwrap();
        let model = self
            .model
            .forget(Some(&key.channel), &key.contact)
            .await
            .unwrap();
        same(
            vec![("forget".to_owned(), format!("{adapter:?}"))],
            vec![(String::new(), format!("{model:?}"))],
        )
    }
}

/// An append's result as far as a caller can act on it.
fn told(result: Result<u64, AppendError>) -> String {
    match result {
        Ok(version) => format!("version {version}"),
        Err(AppendError::Store(fault)) => format!("a fault: {fault:?}"),
        Err(refused) => format!("{refused:?}"),
    }
}
