//! The channel half of the webchat. A part counts as accepted once it is stored: the page shows what is stored, now if
//! it is open, else when it opens. Must never fail.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::{Outcome, ReplyId, Sender, SessionKey};
use replygate_ports::channel::{Channel, Outbound, Show, Typing};
use replygate_ports::clock::Clock;

use super::event::Event;
use super::hub::Hub;

/// Hands parts to open pages; the store has them already for pages that open later.
pub struct WebchatChannel {
    hub: Hub,
    clock: Arc<dyn Clock>,
}

impl WebchatChannel {
    /// A channel whose pages listen at `hub`.
    #[must_use]
    pub fn new(hub: Hub, clock: Arc<dyn Clock>) -> Self {
        Self { hub, clock }
    }

    fn tell(&self, to: &SessionKey, event: Event) -> Outcome {
        self.hub.publish(&to.channel, &to.contact, event);
        Outcome::Accepted { receipt: None }
    }
}

#[async_trait]
impl Channel for WebchatChannel {
    async fn send(&self, part: &Outbound, _limit: Duration) -> Outcome {
        let event = Event::Reply {
            reply: part.reply,
            part: part.part,
            text: part.text.clone(),
            at: self.clock.now(),
        };
        self.tell(&part.key, event)
    }

    async fn typing(&self, to: &SessionKey, show: Show) {
        self.tell(
            to,
            Event::Typing {
                on: show == Show::On,
            },
        );
    }

    async fn notice(&self, to: &SessionKey, id: ReplyId, text: &str, _limit: Duration) -> Outcome {
        self.tell(
            to,
            Event::Notice {
                id,
                text: text.to_owned(),
                at: self.clock.now(),
            },
        )
    }

    fn typing_style(&self) -> Typing {
        Typing::OnOff
    }

    fn sender(&self) -> Sender {
        Sender::Reads
    }
}
