//! Faults in front of the store and the settings.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::{
    AnsweredElsewhere, At, ConversationId, Event, MessageId, Neighbours, ReplyId, SessionId,
};
use replygate_ports::settings::{
    ChannelSettings, Kept, SettingsStore, SettingsVersion, StaleSettings,
};
use replygate_ports::store::{
    ActionRecord, Append, AppendError, DedupeKey, HistoryEntry, MessageText, ReplyText, Step,
    Store, StoreError, Stored,
};

use super::Life;
use super::life::injection;

/// A store as one life of a process meets it.
pub struct FaultyStore {
    store: Arc<dyn Store>,
    life: Life,
}

impl FaultyStore {
    /// That store with faults in front.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, life: Life) -> Self {
        Self { store, life }
    }
}

fn unavailable() -> StoreError {
    StoreError::Unavailable(injection())
}

#[async_trait]
impl Store for FaultyStore {
    async fn load(&self, session: SessionId) -> Result<Option<Stored>, StoreError> {
        self.life
            .call("store.load", || self.store.load(session), unavailable)
            .await
    }

    async fn neighbours(
        &self,
        conversation: ConversationId,
        session: SessionId,
    ) -> Result<Neighbours, StoreError> {
        self.life
            .call(
                "store.neighbours",
                || self.store.neighbours(conversation, session),
                unavailable,
            )
            .await
    }

    async fn append(&self, append: Append) -> Result<u64, AppendError> {
        let events: Vec<&str> = append.events.iter().map(Event::name).collect();
        self.life
            .call_about(
                "store.append",
                &events,
                || self.store.append(append.clone()),
                || unavailable().into(),
            )
            .await
    }

    async fn scheduled(
        &self,
        until: At,
        after: Option<(At, SessionId)>,
        limit: u32,
    ) -> Result<Vec<(At, SessionId)>, StoreError> {
        self.life
            .call(
                "store.scheduled",
                || self.store.scheduled(until, after, limit),
                unavailable,
            )
            .await
    }

    async fn find_message(&self, key: &DedupeKey) -> Result<Option<MessageId>, StoreError> {
        self.life
            .call(
                "store.find_message",
                || self.store.find_message(key),
                unavailable,
            )
            .await
    }

    async fn find_reply(&self, reply: ReplyId) -> Result<Option<SessionId>, StoreError> {
        self.life
            .call(
                "store.find_reply",
                || self.store.find_reply(reply),
                unavailable,
            )
            .await
    }

    async fn answered(
        &self,
        session: SessionId,
        messages: &[MessageId],
        except: ReplyId,
    ) -> Result<Vec<AnsweredElsewhere>, StoreError> {
        self.life
            .call(
                "store.answered",
                || self.store.answered(session, messages, except),
                unavailable,
            )
            .await
    }

    async fn texts(&self, messages: &[MessageId]) -> Result<Vec<MessageText>, StoreError> {
        self.life
            .call("store.texts", || self.store.texts(messages), unavailable)
            .await
    }

    async fn replies(&self, replies: &[ReplyId]) -> Result<Vec<ReplyText>, StoreError> {
        self.life
            .call("store.replies", || self.store.replies(replies), unavailable)
            .await
    }

    async fn history(
        &self,
        session: SessionId,
        except: &[MessageId],
        limit: u32,
    ) -> Result<Vec<HistoryEntry>, StoreError> {
        self.life
            .call(
                "store.history",
                || self.store.history(session, except, limit),
                unavailable,
            )
            .await
    }

    async fn events(
        &self,
        session: SessionId,
        after_version: u64,
        limit: u32,
    ) -> Result<Vec<Step>, StoreError> {
        self.life
            .call(
                "store.events",
                || self.store.events(session, after_version, limit),
                unavailable,
            )
            .await
    }

    async fn action(&self, request_id: &str) -> Result<Option<ActionRecord>, StoreError> {
        self.life
            .call(
                "store.action",
                || self.store.action(request_id),
                unavailable,
            )
            .await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.life
            .call("store.ping", || self.store.ping(), unavailable)
            .await
    }
}

/// A settings store as one life of a process meets it.
pub struct FaultySettings<S: Kept = ChannelSettings> {
    settings: Arc<dyn SettingsStore<S>>,
    life: Life,
}

impl<S: Kept> FaultySettings<S> {
    /// That store with faults in front.
    #[must_use]
    pub fn new(settings: Arc<dyn SettingsStore<S>>, life: Life) -> Self {
        Self { settings, life }
    }
}

#[async_trait]
impl<S: Kept> SettingsStore<S> for FaultySettings<S> {
    async fn all(&self) -> Result<Vec<SettingsVersion<S>>, StoreError> {
        self.life
            .call("settings.all", || self.settings.all(), unavailable)
            .await
    }

    async fn version(
        &self,
        channel: &str,
        version: Option<u64>,
    ) -> Result<Option<SettingsVersion<S>>, StoreError> {
        self.life
            .call(
                "settings.version",
                || self.settings.version(channel, version),
                unavailable,
            )
            .await
    }

    async fn versions(
        &self,
        channel: &str,
        before: Option<u64>,
        limit: u32,
    ) -> Result<Vec<SettingsVersion<S>>, StoreError> {
        self.life
            .call(
                "settings.versions",
                || self.settings.versions(channel, before, limit),
                unavailable,
            )
            .await
    }

    async fn save(&self, next: SettingsVersion<S>) -> Result<(), StaleSettings<S>> {
        self.life
            .call(
                "settings.save",
                || self.settings.save(next.clone()),
                || unavailable().into(),
            )
            .await
    }
}
