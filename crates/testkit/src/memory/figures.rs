//! Figures of what happened in a stretch of time.

use std::collections::BTreeMap;

use async_trait::async_trait;
use replygate_gate::{At, ReplyStatus};
use replygate_ports::figures::{Figures, Outcomes, ReplyTime, Stretch};
use replygate_ports::store::StoreError;
use replygate_ports::views::{MessageQuery, ReplyView};

use super::MemoryStore;
use super::tables::{Tables, at_most};

#[async_trait]
impl Figures for MemoryStore {
    async fn outcomes(&self, stretch: &Stretch, step_ms: u64) -> Result<Vec<Outcomes>, StoreError> {
        let tables = self.tables();
        let step = step_ms.max(1);
        let mut counts: BTreeMap<(At, ReplyStatus), u64> = BTreeMap::new();
        for reply in tables.replies_in(stretch) {
            let part = reply.changed_at.since(stretch.from) / step;
            let at = stretch.from.plus(part * step);
            *counts.entry((at, reply.status)).or_insert(0) += 1;
        }
        let outcome = |((at, status), count)| Outcomes { at, status, count };
        Ok(counts.into_iter().map(outcome).collect())
    }

    async fn reply_times(
        &self,
        stretch: &Stretch,
        limit: u32,
    ) -> Result<Vec<ReplyTime>, StoreError> {
        let tables = self.tables();
        let mut times: Vec<ReplyTime> = tables
            .replies_in(stretch)
            .filter(|reply| reply.status == ReplyStatus::Delivered && reply.generation == 0)
            .filter_map(|reply| {
                let newest = tables.messages.get(reply.covers.last()?)?;
                Some(ReplyTime {
                    at: reply.changed_at,
                    waited_ms: reply.changed_at.since(newest.view.received_at),
                })
            })
            .collect();
        times.sort_by_key(|time| std::cmp::Reverse(time.at));
        times.truncate(at_most(limit));
        Ok(times)
    }

    async fn count_sessions(
        &self,
        channel: Option<&str>,
        open_only: bool,
        most: u32,
    ) -> Result<u32, StoreError> {
        let tables = self.tables();
        let wanted = tables.sessions.values().filter(|row| {
            let has_channel = channel.is_none_or(|own| own == row.stored.key.channel);
            has_channel && (!open_only || row.stored.session.is_open())
        });
        Ok(wanted.take(at_most(most)).count() as u32)
    }

    async fn count_messages(&self, query: &MessageQuery, most: u32) -> Result<u32, StoreError> {
        let tables = self.tables();
        let wanted = tables.messages.values().filter(|row| {
            let view = &row.view;
            let channel = tables.channel_of(view.session);
            let has_channel = query.channel.is_none() || query.channel.as_deref() == channel;
            let has_session = query.session.is_none_or(|own| own == view.session);
            let is_after = query.from.is_none_or(|from| view.received_at >= from);
            let is_before = query.to.is_none_or(|to| view.received_at < to);
            has_channel && has_session && is_after && is_before
        });
        Ok(wanted.take(at_most(most)).count() as u32)
    }
}

impl Tables {
    fn replies_in<'a>(&'a self, stretch: &'a Stretch) -> impl Iterator<Item = &'a ReplyView> {
        let in_time =
            |view: &ReplyView| view.changed_at >= stretch.from && view.changed_at < stretch.to;
        self.replies
            .values()
            .map(|row| &row.view)
            .filter(move |view| {
                let channel = self.channel_of(view.session);
                let has_channel =
                    stretch.channel.is_none() || stretch.channel.as_deref() == channel;
                has_channel && in_time(view)
            })
    }
}
