//! Retention and erasure.

use std::collections::BTreeSet;

use async_trait::async_trait;
use replygate_gate::{At, SessionId};
use replygate_ports::store::StoreError;
use replygate_ports::upkeep::{Cutoffs, Forgotten, Pruned, Upkeep};

use super::MemoryStore;
use super::tables::{Tables, at_most};

#[async_trait]
impl Upkeep for MemoryStore {
    async fn prune(&self, before: &Cutoffs, limit: u32) -> Result<Pruned, StoreError> {
        let mut tables = self.tables();
        let limit = at_most(limit);
        Ok(Pruned {
            texts: tables.prune_texts(before.texts, limit),
            dedupe_keys: tables.prune_dedupe(before.dedupe_keys, limit),
            steps: tables.prune_steps(before.steps, limit),
            credentials: tables.prune_credentials(before.credentials, limit),
        })
    }

    async fn forget(&self, channel: Option<&str>, contact: &str) -> Result<Forgotten, StoreError> {
        Ok(self.tables().forget(channel, contact))
    }
}

impl Tables {
    fn at_rest(&self) -> BTreeSet<SessionId> {
        let closed = self
            .sessions
            .iter()
            .filter(|(_, row)| !row.stored.session.is_open());
        closed.map(|(id, _)| *id).collect()
    }

    fn prune_texts(&mut self, before: At, limit: usize) -> u64 {
        let rest = self.at_rest();
        let messages = self
            .messages
            .values_mut()
            .map(|row| &mut row.view)
            .filter(|view| {
                rest.contains(&view.session) && view.received_at < before && !view.text.is_empty()
            });
        let mut emptied = 0;
        for message in messages.take(limit) {
            message.text.clear();
            emptied += 1;
        }
        let replies = self
            .replies
            .values_mut()
            .map(|row| &mut row.view)
            .filter(|view| {
                rest.contains(&view.session) && view.created_at < before && !view.parts.is_empty()
            });
        for reply in replies.take(limit - emptied) {
            reply.parts.clear();
            emptied += 1;
        }
        emptied as u64
    }

    fn prune_dedupe(&mut self, before: At, limit: usize) -> u64 {
        let rest = self.at_rest();
        let old = self
            .dedupe
            .iter()
            .filter(|(_, received)| received.at < before && rest.contains(&received.session));
        let old: Vec<_> = old.take(limit).map(|(key, _)| key.clone()).collect();
        for key in &old {
            self.dedupe.remove(key);
        }
        old.len() as u64
    }

    fn prune_steps(&mut self, before: At, limit: usize) -> u64 {
        let rest = self.at_rest();
        let old = self
            .steps
            .iter()
            .filter(|((session, _), step)| step.at < before && rest.contains(session));
        let old: Vec<_> = old.take(limit).map(|(key, _)| *key).collect();
        for key in &old {
            self.steps.remove(key);
        }
        old.len() as u64
    }

    fn prune_credentials(&mut self, before: At, limit: usize) -> u64 {
        let sign_ins = self.sign_ins.values();
        let ended = sign_ins.filter(|sign_in| sign_in.expires_at < before);
        let sign_ins: Vec<_> = ended.take(limit).map(|one| one.id.clone()).collect();
        let tokens = self.tokens.values();
        let ended = tokens.filter(|token| token.expires_at.is_some_and(|end| end < before));
        let left = limit - sign_ins.len();
        let tokens: Vec<_> = ended.take(left).map(|one| one.hash.clone()).collect();
        for id in &sign_ins {
            self.sign_ins.remove(id);
        }
        self.reveals
            .retain(|reveal| !sign_ins.contains(&reveal.sign_in));
        for hash in &tokens {
            self.tokens.remove(hash);
        }
        (sign_ins.len() + tokens.len()) as u64
    }

    fn forget(&mut self, channel: Option<&str>, contact: &str) -> Forgotten {
        let theirs = self.sessions.iter().filter(|(_, row)| {
            let key = &row.stored.key;
            key.contact == contact && channel.is_none_or(|channel| channel == key.channel)
        });
        let sessions: BTreeSet<SessionId> = theirs.map(|(id, _)| *id).collect();
        let (messages, replies) = (self.messages.len(), self.replies.len());

        self.sessions.retain(|id, _| !sessions.contains(id));
        self.scheduled.retain(|(_, id)| !sessions.contains(id));
        self.steps.retain(|(id, _), _| !sessions.contains(id));
        self.messages
            .retain(|_, row| !sessions.contains(&row.view.session));
        self.replies
            .retain(|_, row| !sessions.contains(&row.view.session));
        self.dedupe
            .retain(|_, received| !sessions.contains(&received.session));
        self.actions
            .retain(|_, record| !sessions.contains(&record.session));
        self.forget_calls(channel, contact);
        Forgotten {
            sessions: sessions.len() as u64,
            messages: (messages - self.messages.len()) as u64,
            replies: (replies - self.replies.len()) as u64,
        }
    }
}
