//! The channel half of the webchat. A part counts as accepted once it is stored: the page shows what is stored, now if
//! it is open, else when it opens. Must never fail.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::{Outcome, ReplyId, Sender, SessionKey};
use replygate_ports::channel::{Channel, Outbound, Show, Typing};
use replygate_ports::clock::Clock;
use replygate_ports::feed::{Feed, News};

use super::event::Event;
use super::hub::Hub;

/// Where open pages are.
#[derive(Clone)]
pub enum Pages {
    /// All of them in this process.
    Here(Hub),
    /// In any process of the installation. Each that has some follows the feed and reads texts in the store: through the
    /// feed go ids only.
    Anywhere(Arc<dyn Feed>),
}

/// Hands parts to open pages; the store has them already for pages that open later.
pub struct WebchatChannel {
    pages: Pages,
    clock: Arc<dyn Clock>,
}

impl WebchatChannel {
    /// A channel with these pages.
    #[must_use]
    pub fn new(pages: Pages, clock: Arc<dyn Clock>) -> Self {
        Self { pages, clock }
    }

    async fn tell(&self, to: &SessionKey, event: Event) -> Outcome {
        let session = to.session();
        match &self.pages {
            Pages::Here(hub) => hub.publish(session, event),
            Pages::Anywhere(feed) => {
                let shown = event.shown();
                feed.publish(News::Page { session, shown }).await;
            }
        }
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
        self.tell(&part.key, event).await
    }

    async fn typing(&self, to: &SessionKey, show: Show) {
        self.tell(
            to,
            Event::Typing {
                on: show == Show::On,
            },
        )
        .await;
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
        .await
    }

    fn typing_style(&self) -> Typing {
        Typing::OnOff
    }

    fn sender(&self) -> Sender {
        Sender::Reads
    }
}
