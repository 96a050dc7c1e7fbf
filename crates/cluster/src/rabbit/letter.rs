//! Tickets as messages. Must never carry more than ids and numbers.

use replygate_gate::{At, ReplyId, SessionId};
use replygate_ports::tickets::Ticket;
use serde::{Deserialize, Serialize};

/// A ticket on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    reply: ReplyId,
    session: SessionId,
    attempt: u32,
    version: Option<u64>,
    /// Not to be handed out earlier, in milliseconds since the Unix epoch.
    due: At,
}

impl Letter {
    /// A ticket for `due`.
    pub const fn new(ticket: Ticket, due: At) -> Self {
        Self {
            reply: ticket.reply,
            session: ticket.session,
            attempt: ticket.attempt,
            version: ticket.version,
            due,
        }
    }

    /// The ticket in it.
    pub const fn ticket(&self) -> Ticket {
        Ticket {
            reply: self.reply,
            session: self.session,
            attempt: self.attempt,
            version: self.version,
        }
    }

    /// When it is due.
    pub const fn due(&self) -> At {
        self.due
    }

    /// The message's body.
    pub fn write(&self) -> Vec<u8> {
        // Numbers and ids: there is nothing that JSON could not write.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a body; `None` for what is no ticket.
    pub fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_ticket_survives_its_message(reply: u128, session: u128, attempt: u32, version: Option<u64>, due: i64) {
            let ticket = Ticket { reply: ReplyId(reply), session: SessionId(session), attempt, version };
            let letter = Letter::new(ticket, At(due));
            let read = Letter::read(&letter.write()).unwrap();
            prop_assert_eq!((read.ticket(), read.due()), (ticket, At(due)));
        }
    }

    #[test]
    fn what_is_no_ticket_is_none() {
        assert_eq!(Letter::read(b"{\"reply\":\"x\"}"), None);
        assert_eq!(Letter::read(&[0xff, 0x00]), None);
    }
}
