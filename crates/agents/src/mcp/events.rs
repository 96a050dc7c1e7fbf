//! The messages in a stream of server-sent events, read beside those whom it is meant for. Must never hold more than one
//! event, and none without bound.

use std::collections::VecDeque;

use super::LONGEST;
use crate::transport::Sse;

/// An event is too long to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event is longer than {LONGEST} bytes")]
pub struct TooLong;

/// Collects messages from pieces of a stream.
pub struct Events {
    sse: Sse,
}

impl Default for Events {
    fn default() -> Self {
        Self {
            sse: Sse::up_to(LONGEST),
        }
    }
}

impl Events {
    /// Takes a piece of the stream; the data of each event that it completes.
    ///
    /// # Errors
    /// When an event is too long. What follows is not read any more.
    pub fn push(&mut self, piece: &[u8]) -> Result<Vec<String>, TooLong> {
        let mut found = VecDeque::new();
        self.sse.push(piece, &mut found).map_err(|_| TooLong)?;
        Ok(found.into_iter().map(|event| event.data).collect())
    }

    /// From where the stream could be taken up again.
    pub(super) fn last_id(&self) -> Option<&str> {
        self.sse.last_id()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_the_place_of_the_last_are_read() {
        let mut events = Events::default();
        assert_eq!(
            events.push(b"id: 0/0\nretry: 3000\ndata:\n\n"),
            Ok(vec![String::new()])
        );
        let read = events.push(b"id: 1/0\nevent: message\ndata: {\"a\":1}\n\n: beat\n\ndata: {");
        assert_eq!(read, Ok(vec!["{\"a\":1}".to_owned()]));
        assert_eq!(events.last_id(), Some("1/0"));
    }

    #[test]
    fn an_endless_event_is_given_up() {
        let mut events = Events::default();
        let piece = vec![b'x'; LONGEST];
        assert_eq!(events.push(&piece), Ok(Vec::new()));
        assert_eq!(events.push(&piece), Err(TooLong));
    }
}
