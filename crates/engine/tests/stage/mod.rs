//! An engine on memory adapters under paused time, with a scripted agent, evaluator and channel: tests read like
//! conversations, and hours pass in milliseconds.

#![allow(dead_code, reason = "each test file uses its own part of the stage")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a stage that breaks has to fail the test"
)]

pub mod cable;
pub mod faltering;
pub mod opinions;
mod setting;
mod sound;
pub mod thorough;
mod world;

use replygate_engine::{Deed, Engine, Made, Received, StepError, Verb};
use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, MessageId, ReplyStatus, SessionId, SessionKey, Target};
use replygate_ports::changes::MessageState;
use replygate_ports::channel::Inbound;
use replygate_ports::clock::Clock;
use replygate_ports::store::Store;
use replygate_ports::views::{MessageView, ReplyQuery, ReplyView, Views};
use replygate_testkit::clock::EPOCH;
use tokio_util::sync::CancellationToken;

pub use setting::Setting;
pub use world::World;

/// One process over a world.
pub struct Stage {
    pub world: World,
    pub engine: Engine,
    stop: CancellationToken,
    run: tokio::task::JoinHandle<()>,
}

pub fn key(channel: &str, contact: &str) -> SessionKey {
    SessionKey {
        channel: channel.to_owned(),
        account: String::new(),
        conversation: contact.to_owned(),
        contact: contact.to_owned(),
    }
}

pub fn inbound(channel: &str, contact: &str, id: &str, text: &str) -> Inbound {
    Inbound {
        key: key(channel, contact),
        provider_id: id.to_owned(),
        kind: MessageKind::Text,
        text: text.to_owned(),
        sent_at: None,
        edit: None,
        reaction_to: None,
        awaits_ms: None,
    }
}

impl Stage {
    pub async fn set(setting: Setting) -> Self {
        World::new(setting).await.open(1).await
    }

    /// Milliseconds since the story began.
    pub fn t(&self) -> i64 {
        self.world.clock.now().0 - EPOCH.0
    }

    /// Lets time pass until `t` milliseconds after the story began.
    pub async fn until(&self, t: i64) {
        self.world.clock.sleep_until(At(EPOCH.0 + t)).await;
        settle().await;
    }

    /// The contact writes on the first channel.
    pub async fn write(&self, contact: &str, id: &str, text: &str) -> Received {
        self.receive(inbound("webchat", contact, id, text)).await
    }

    /// Contacts write on the first channel: when, who, the channel's id, the text.
    pub async fn play(&self, lines: &[(i64, &str, &str, &str)]) {
        for (t, contact, id, text) in lines {
            self.until(*t).await;
            let received = self.write(contact, id, text).await;
            assert!(!received.duplicate, "{id}");
        }
    }

    /// What became of the contact's messages on the first channel, in order of receipt: the channel's id and the state.
    pub async fn fates(&self, contact: &str) -> Vec<(String, MessageState)> {
        let session = key("webchat", contact).session();
        let mut messages = self.all_messages().await;
        messages.retain(|message| message.session == session);
        messages
            .into_iter()
            .map(|message| (message.provider_id, message.state))
            .collect()
    }

    pub async fn receive(&self, inbound: Inbound) -> Received {
        let received = self.engine.receive(inbound).await.unwrap();
        settle().await;
        received
    }

    /// What the contact has on the screen, with the time of each.
    pub fn screen(&self, contact: &str) -> Vec<(i64, String)> {
        let all = self.world.props.channel.hand_overs();
        all.iter()
            .filter(|one| one.reached && one.part.key.contact == contact)
            .map(|one| (one.at.0 - EPOCH.0, one.part.text.clone()))
            .collect()
    }

    pub fn texts(&self, contact: &str) -> Vec<String> {
        self.screen(contact)
            .into_iter()
            .map(|(_, text)| text)
            .collect()
    }

    /// Every reply of the contact's session, oldest first.
    pub async fn replies(&self, contact: &str) -> Vec<ReplyView> {
        let session = key("webchat", contact).session();
        let query = ReplyQuery {
            limit: 1_000,
            ..ReplyQuery::default()
        };
        let mut replies = self.world.store.reply_list(&query).await.unwrap();
        replies.retain(|reply| reply.session == session);
        replies.sort_by_key(|reply| reply.id);
        replies
    }

    pub async fn statuses(&self, contact: &str) -> Vec<ReplyStatus> {
        self.replies(contact)
            .await
            .iter()
            .map(|reply| reply.status)
            .collect()
    }

    pub async fn message(&self, id: MessageId) -> MessageView {
        self.world
            .store
            .messages_by_id(&[id])
            .await
            .unwrap()
            .remove(0)
    }

    pub async fn act(&self, contact: &str, verb: Verb) -> Result<Made, StepError> {
        self.act_as("ana", contact, verb, None).await
    }

    pub async fn act_as(
        &self,
        by: &str,
        contact: &str,
        verb: Verb,
        request: Option<&str>,
    ) -> Result<Made, StepError> {
        let deed = Deed {
            verb,
            by: by.to_owned(),
            reason: None,
            request_id: request.map(str::to_owned),
        };
        let made = self
            .engine
            .act(key("webchat", contact).session(), deed)
            .await;
        settle().await;
        made
    }

    pub async fn target(&self, contact: &str, index: usize) -> Target {
        let reply = &self.replies(contact).await[index];
        Target {
            reply: reply.id,
            generation: reply.generation,
        }
    }

    pub async fn events(&self, contact: &str) -> Vec<String> {
        self.events_of(key("webchat", contact).session()).await
    }

    pub async fn events_of(&self, session: SessionId) -> Vec<String> {
        let steps = self.world.store.events(session, 0, 1_000).await.unwrap();
        steps
            .iter()
            .flat_map(|step| step.events.iter().map(|event| event.name().to_owned()))
            .collect()
    }

    /// When the agent ran, and with which texts.
    pub fn runs(&self) -> Vec<(i64, Vec<String>)> {
        let runs = self.world.props.agent.runs();
        runs.iter()
            .map(|run| {
                let texts = run.turn.messages.iter().map(|message| message.text.clone());
                (run.at.0 - EPOCH.0, texts.collect())
            })
            .collect()
    }

    /// The texts that the agent read in each run for this contact, with the instant of its beginning.
    pub fn runs_for(&self, contact: &str) -> Vec<(i64, Vec<String>)> {
        let runs = self.world.props.agent.runs();
        runs.iter()
            .filter(|run| run.turn.key.contact == contact)
            .map(|run| {
                let texts = run.turn.messages.iter().map(|message| message.text.clone());
                (run.at.0 - EPOCH.0, texts.collect())
            })
            .collect()
    }

    /// Ends the process as `kill -9` does and starts another over the same stores.
    pub async fn crash(self, seed: u64) -> Self {
        let world = self.world.clone();
        self.kill().await;
        world.open(seed).await
    }

    /// Ends the process as `kill -9` does.
    pub async fn kill(self) {
        self.engine.kill();
        self.run.abort();
        settle().await;
    }

    /// Ends the process in order.
    pub async fn close(self) {
        self.stop.cancel();
        self.run.await.unwrap();
    }
}

/// Lets everything that is ready run, without letting time pass.
pub async fn settle() {
    for _ in 0..64 {
        tokio::task::yield_now().await;
    }
}
