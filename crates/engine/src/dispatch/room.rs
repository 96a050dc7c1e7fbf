//! Room for a hand-over: on its channel, and in its chat's budget. Must never lose a reply that finds none: its ticket comes
//! again.

use std::sync::Arc;
use std::time::Duration;

use replygate_gate::SessionKey;
use replygate_ports::budgets::Room;
use replygate_ports::tickets::Ticket;
use tokio::sync::OwnedSemaphorePermit;

use super::{CLAIM_MARGIN, Hold};
use crate::board::Live;
use crate::engine::Inner;

/// A reply whose channel has all its room taken is tried again after this many milliseconds.
const FULL_RETRY_MS: u64 = 200;

impl Inner {
    /// Room on the reply's channel and in its chat's budget; without any the ticket comes again a little later.
    pub(super) async fn slot(&self, ticket: Ticket) -> Option<(Arc<Live>, OwnedSemaphorePermit)> {
        let stored = match self.desk.load(ticket.session).await {
            Ok(stored) => self.desk.live(&stored.key).map(|live| (live, stored)),
            Err(error) => Err(error),
        };
        let (live, stored) = match stored {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(reply = %ticket.reply, %error, "a ticket leads nowhere for now");
                return None;
            }
        };
        let channel = &live.settings.id;
        let Ok(slot) = live.slots.clone().try_acquire_owned() else {
            metrics::counter!("replygate_channel_full_total", "channel" => channel.clone())
                .increment(1);
            self.come_again(ticket, FULL_RETRY_MS).await;
            return None;
        };
        let wants_room = stored
            .session
            .next_dispatch()
            .is_some_and(|(reply, _)| reply == ticket.reply);
        if wants_room && let Some(wait) = self.chat_is_full(&live, &stored.key).await {
            metrics::counter!("replygate_rate_waits_total", "channel" => channel.clone())
                .increment(1);
            self.come_again(ticket, wait.as_millis() as u64 + 1).await;
            return None;
        }
        Some((live, slot))
    }

    /// How long the chat's budget has no room; takes room when there is some.
    async fn chat_is_full(&self, live: &Live, key: &SessionKey) -> Option<Duration> {
        let rate = live.settings.rate?;
        match self.parts.budgets.take(key.conversation_id(), rate).await {
            Room::Now => None,
            Room::In(wait) => Some(wait),
        }
    }

    async fn come_again(&self, ticket: Ticket, wait_ms: u64) {
        let at = self.parts.clock.now().plus(wait_ms);
        // The sweeper publishes what could not be published now.
        let _ = self.publish(ticket, at).await;
    }

    /// Waits until the chat's budget has room for another part; whether it had while the claim lives.
    pub(super) async fn waits_for_room(&self, hold: &Hold) -> bool {
        while let Some(wait) = self.chat_is_full(&hold.made.live, &hold.made.key).await {
            if self.parts.clock.elapsed() + wait + CLAIM_MARGIN >= hold.deadline {
                return false;
            }
            self.parts.clock.sleep(wait).await;
        }
        true
    }
}
