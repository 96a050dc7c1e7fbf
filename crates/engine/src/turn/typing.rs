//! Typing around turns. Must never outlive the turn: whatever ends it ends the typing.

use std::sync::Arc;
use std::time::Duration;

use replygate_gate::{Event, TurnLoss};
use replygate_ports::channel::{Show, Typing};
use tokio_util::sync::CancellationToken;

use super::Running;
use crate::desk::Made;
use crate::engine::Inner;

impl Inner {
    /// A turn whose process died cannot stop its typing any more: whoever ends its lease does.
    pub(crate) fn end_typing_of_the_dead(&self, made: &Made) {
        let ended = |event: &Event| {
            let Event::TurnLost { reason, .. } = event else {
                return false;
            };
            *reason == TurnLoss::LeaseEnded
        };
        let died = made.events.iter().any(ended);
        let channel = made.live.wired.channel.clone();
        if !died || channel.typing_style() == Typing::None {
            return;
        }
        let key = made.key.clone();
        self.crew
            .start(async move { channel.typing(&key, Show::Off).await });
    }

    /// Shows typing while the turn runs, in the channel's own manner; a turn that is over at once shows none.
    pub(super) fn show_typing(&self, running: &Arc<Running>, ended: &CancellationToken) {
        let style = running.made.live.wired.channel.typing_style();
        if style == Typing::None {
            return;
        }
        let (inner, running, ended) = (self.clone(), running.clone(), ended.clone());
        self.crew.start(async move {
            let channel = &running.made.live.wired.channel;
            let first = Duration::from_millis(inner.tuning.typing_after_ms);
            if ended_within(&inner, &ended, first).await {
                return;
            }
            channel.typing(&running.made.key, Show::On).await;
            let every = match style {
                Typing::Renewed { every } => every,
                _ => Duration::MAX,
            };
            while !ended_within(&inner, &ended, every).await {
                channel.typing(&running.made.key, Show::On).await;
            }
            channel.typing(&running.made.key, Show::Off).await;
        });
    }
}

async fn ended_within(inner: &Inner, ended: &CancellationToken, wait: Duration) -> bool {
    if wait == Duration::MAX {
        ended.cancelled().await;
        return true;
    }
    tokio::select! {
        biased;
        () = ended.cancelled() => true,
        () = inner.parts.clock.sleep(wait) => false,
    }
}
