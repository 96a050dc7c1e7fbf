//! What other processes and this one tell: settings saved, turns taken away. Must never be needed: what is missed here,
//! leases and the sweeper find later.

use futures::StreamExt;
use replygate_gate::{Event, Owner, SessionId};
use replygate_ports::feed::News;

use super::Inner;

/// The name of the event by which a turn loses its session.
const LOST_TURN: &str = "turn_lost";

impl Inner {
    /// Takes settings into force that another process saved, and ends turns that another process took away.
    pub(super) async fn follow_news(&self) {
        let mut news = self.parts.feed.subscribe();
        while let Some(news) = news.next().await {
            match news {
                News::Session {
                    session, events, ..
                } if events.iter().any(|event| event == LOST_TURN) => {
                    self.see_whose_turn(session).await;
                }
                News::Session { .. }
                | News::Duplicate { .. }
                | News::Operation { .. }
                | News::Page { .. } => {}
                News::Settings { .. } => self.reload_channels().await,
                News::Tool { .. } => self.reload_tools().await,
                News::Skipped => {
                    self.reload_channels().await;
                    self.reload_tools().await;
                }
            }
        }
    }

    async fn reload_channels(&self) {
        if let Err(error) = self.board.reload().await {
            tracing::warn!(%error, "settings could not be read again");
        }
    }

    async fn reload_tools(&self) {
        if let Err(error) = self.toolbox.reload().await {
            tracing::warn!(%error, "tools could not be read again");
        }
    }

    /// Ends this process's turn of that session if the store says that it is not the present one.
    pub(crate) async fn see_whose_turn(&self, session: SessionId) {
        let runs = self
            .running
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .contains_key(&session);
        if !runs {
            return;
        }
        // Without an answer the lease tells it a little later.
        if let Ok(stored) = self.desk.load(session).await {
            self.end_turn_of_another(session, stored.session.owner.as_ref());
        }
    }

    /// Ends this process's turn of that session if another one, or nobody, owns the session now.
    pub(super) fn end_turn_of_another(&self, session: SessionId, owner: Option<&Owner>) {
        let running = self
            .running
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(own) = running.get(&session)
            && owner.is_none_or(|owner| owner.turn != own.turn)
        {
            own.lost.cancel();
        }
    }
}

/// Whether a turn lost its session.
pub(super) fn has_lost_turn(events: &[Event]) -> bool {
    events.iter().any(|event| event.name() == LOST_TURN)
}
