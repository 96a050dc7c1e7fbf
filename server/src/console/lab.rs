//! The area of the debounce lab: reads what was recorded, bounded, and replays it.

use async_trait::async_trait;
use replygate_app::console::Lab;
use replygate_app::view::{
    Caller, ChannelId, ConsoleError, LabSetting, Permission, Replay, ReplayAsked, ReplayRange,
};
use replygate_gate::debounce::{MessageKind, Sample, classify};
use replygate_gate::text::Languages;
use replygate_gate::{At, ReplyStatus, SessionId};
use replygate_ports::changes::MessageState;
use replygate_ports::views::{MessageQuery, MessageView, ReplyQuery};

use super::channels::numbered;
use super::replay::{Recorded, Recording, replay};
use super::{ServerConsole, channel, not_found, unavailable};

/// At most so many messages are replayed, newest first.
const MOST: usize = 5_000;
/// The range of the newest ones.
const NEWEST: usize = 1_000;
/// So many rows are read at once.
const STRETCH: u32 = 200;
const HOUR_MS: u64 = 3_600_000;

#[async_trait]
impl Lab for ServerConsole {
    async fn lab(&self, who: &Caller, id: ChannelId) -> Result<LabSetting, ConsoleError> {
        who.need(Permission::Lab)?;
        let versions = &self.service.stores.settings;
        let found = versions.versions(id.as_str(), None, 2).await;
        let found = found.map_err(unavailable)?;
        let present = found.first().ok_or_else(|| not_found("channel"))?;
        Ok(LabSetting {
            channel: channel(&present.settings.id),
            version: numbered(present),
            windows: present.settings.debounce,
            commands: present.settings.commands.clone(),
            earlier: found.get(1).map(|earlier| earlier.version as u32),
        })
    }

    async fn replay(&self, who: &Caller, asked: ReplayAsked) -> Result<Replay, ConsoleError> {
        let setting = self.lab(who, asked.channel.clone()).await?;
        let now = self.service.stores.clock.now();
        let (from, most) = match asked.range {
            ReplayRange::Day => (Some(now.minus(24 * HOUR_MS)), MOST),
            ReplayRange::Week => (Some(now.minus(7 * 24 * HOUR_MS)), MOST),
            ReplayRange::Newest => (None, NEWEST),
        };
        let (messages, is_cut) = self.recorded(&asked.channel, from, most).await?;
        let oldest = messages.last().map(|message| message.received_at);
        let delivered = match oldest {
            Some(oldest) => self.delivered(&asked.channel, oldest).await?,
            None => Vec::new(),
        };
        let mut recording = Recording {
            delivered,
            is_cut,
            ..Recording::default()
        };
        for message in messages.iter().filter(|message| is_words(message)) {
            if message.text.is_empty() && message.kind == MessageKind::Text {
                recording.pruned += 1;
                continue;
            }
            let sample = Sample {
                text: &message.text,
                kind: message.kind,
            };
            recording.messages.push(Recorded {
                session: message.session,
                at: message.received_at,
                signal: classify(sample, &setting.commands, Languages::all()),
            });
        }
        Ok(replay(recording, &setting.windows, &asked.windows))
    }
}

impl ServerConsole {
    /// The newest messages of a channel since `from`, newest first, and whether there are more.
    async fn recorded(
        &self,
        id: &ChannelId,
        from: Option<At>,
        most: usize,
    ) -> Result<(Vec<MessageView>, bool), ConsoleError> {
        let mut query = MessageQuery {
            channel: Some(id.as_str().to_owned()),
            from,
            limit: STRETCH,
            ..MessageQuery::default()
        };
        let mut found: Vec<MessageView> = Vec::new();
        while found.len() < most {
            let stretch = self.service.stores.views.messages(&query).await;
            let stretch = stretch.map_err(unavailable)?;
            let is_last = stretch.len() < STRETCH as usize;
            query.after = stretch.last().map(|last| (last.received_at, last.id));
            found.extend(stretch);
            if is_last {
                return Ok((found, false));
            }
        }
        found.truncate(most);
        Ok((found, from.is_some()))
    }

    /// When replies of a channel were delivered since `oldest`, by session; the newest ones where there are many.
    async fn delivered(
        &self,
        id: &ChannelId,
        oldest: At,
    ) -> Result<Vec<(SessionId, At)>, ConsoleError> {
        let mut query = ReplyQuery {
            channel: Some(id.as_str().to_owned()),
            statuses: vec![ReplyStatus::Delivered],
            limit: STRETCH,
            ..ReplyQuery::default()
        };
        let mut found = Vec::new();
        while found.len() < MOST {
            let stretch = self.service.stores.views.reply_list(&query).await;
            let stretch = stretch.map_err(unavailable)?;
            let is_last = stretch.len() < STRETCH as usize;
            query.after = stretch.last().map(|last| (last.changed_at, last.id));
            let is_over = stretch.last().is_none_or(|last| last.changed_at < oldest);
            found.extend(
                stretch
                    .iter()
                    .map(|reply| (reply.session, reply.changed_at)),
            );
            if is_last || is_over {
                break;
            }
        }
        Ok(found)
    }
}

/// Whether the debounce looked at it: reactions, changed texts and what came too late start no window.
fn is_words(message: &MessageView) -> bool {
    let is_dropped = matches!(
        message.state,
        MessageState::Dropped(
            replygate_gate::DropReason::Late | replygate_gate::DropReason::Reaction
        )
    );
    message.kind != MessageKind::Reaction && message.edit_of.is_none() && !is_dropped
}
