//! Where open pages listen. Keeps nothing for a contact whose page is closed, and no event that was sent: a page that
//! missed one reads the history again.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures::Stream;
use futures::stream::{BoxStream, StreamExt as _, unfold};
use replygate_gate::SessionId;
use tokio::sync::broadcast::{self, error::RecvError};

use super::event::Event;

/// A page that is further behind than this many events is told to read the history again.
const BEHIND: usize = 64;

type Rooms = HashMap<SessionId, broadcast::Sender<Event>>;

/// The open pages of all webchat channels of this process. Clones share them.
#[derive(Clone, Default)]
pub struct Hub {
    rooms: Arc<Mutex<Rooms>>,
}

impl Hub {
    /// A hub that nobody listens to.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What happens in the visitor's session from now on. Subscribe first, then read the history, and nothing is missed.
    #[must_use]
    pub fn subscribe(&self, session: SessionId) -> Subscription {
        let receiver = self.with(|rooms| {
            rooms
                .entry(session)
                .or_insert_with(|| broadcast::channel(BEHIND).0)
                .subscribe()
        });
        let leave = Leave {
            hub: self.clone(),
            session,
        };
        Subscription {
            events: unfold(receiver, next).boxed(),
            _leave: leave,
        }
    }

    /// Tells the session's open pages. A visitor without one is told by the history later.
    pub fn publish(&self, session: SessionId, event: Event) {
        self.with(|rooms| {
            if let Some(room) = rooms.get(&session) {
                // An error says that the last page is just closing.
                let _ = room.send(event);
            }
        });
    }

    /// Tells every open page.
    pub fn publish_everywhere(&self, event: &Event) {
        self.with(|rooms| {
            for room in rooms.values() {
                // As above.
                let _ = room.send(event.clone());
            }
        });
    }

    /// Whether the session has a page open.
    #[must_use]
    pub fn is_open(&self, session: SessionId) -> bool {
        self.with(|rooms| rooms.contains_key(&session))
    }

    /// How many contacts have a page open.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.with(|rooms| rooms.len())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Rooms) -> T) -> T {
        act(&mut self.rooms.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn next(
    mut receiver: broadcast::Receiver<Event>,
) -> Option<(Event, broadcast::Receiver<Event>)> {
    match receiver.recv().await {
        Ok(event) => Some((event, receiver)),
        Err(RecvError::Lagged(_)) => Some((Event::Resync, receiver)),
        Err(RecvError::Closed) => None,
    }
}

/// The events of one open page; closing it forgets the contact.
pub struct Subscription {
    // Dropped before `_leave`, so that a room without listeners is seen as such.
    events: BoxStream<'static, Event>,
    _leave: Leave,
}

impl Stream for Subscription {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        self.events.as_mut().poll_next(context)
    }
}

struct Leave {
    hub: Hub,
    session: SessionId,
}

impl Drop for Leave {
    fn drop(&mut self) {
        self.hub.with(|rooms| {
            if rooms
                .get(&self.session)
                .is_some_and(|room| room.receiver_count() == 0)
            {
                rooms.remove(&self.session);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANA: SessionId = SessionId(1);
    const RUI: SessionId = SessionId(2);
    const ON: Event = Event::Typing { on: true };

    #[tokio::test]
    async fn every_open_page_of_the_contact_is_told_and_nobody_else() {
        let hub = Hub::new();
        let (mut one, mut two) = (hub.subscribe(ANA), hub.subscribe(ANA));
        let mut stranger = hub.subscribe(RUI);
        hub.publish(ANA, ON);
        assert_eq!((one.next().await, two.next().await), (Some(ON), Some(ON)));
        hub.publish(RUI, Event::Typing { on: false });
        assert_eq!(stranger.next().await, Some(Event::Typing { on: false }));
        hub.publish_everywhere(&Event::Resync);
        assert_eq!(stranger.next().await, Some(Event::Resync));
        assert_eq!(one.next().await, Some(Event::Resync));
        assert!(hub.is_open(ANA) && !hub.is_open(SessionId(3)));
    }

    #[test]
    fn a_closed_page_is_forgotten() {
        let hub = Hub::new();
        let (one, two) = (hub.subscribe(ANA), hub.subscribe(ANA));
        drop(one);
        assert_eq!(hub.contacts(), 1);
        drop(two);
        assert_eq!(hub.contacts(), 0);
    }

    #[tokio::test]
    async fn a_page_that_fell_behind_is_told_to_read_again() {
        let hub = Hub::new();
        let mut page = hub.subscribe(ANA);
        for _ in 0..=BEHIND {
            hub.publish(ANA, ON);
        }
        assert_eq!(page.next().await, Some(Event::Resync));
        assert_eq!(page.next().await, Some(ON));
    }
}
