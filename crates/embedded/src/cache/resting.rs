//! A session at rest in a quarter of the space: of its state only numbers are left. Must never lose anything: a session
//! with more to it than these numbers is not taken.

use replygate_gate::{Session, SessionId, SessionKey};
use replygate_ports::store::Stored;

use super::Known;
use super::aged::{Weigh, share_of};

/// A session in which nothing is open.
pub(super) struct Resting {
    n: i64,
    version: u64,
    epoch: u64,
    last_seq: u64,
    last_fence: u64,
    /// The key's four fields, one behind the other, and where the first three end.
    fields: Box<str>,
    ends: [u32; 3],
}

impl Resting {
    /// `None` when the session is more than these numbers.
    pub fn of(known: &Known) -> Option<Self> {
        let Stored {
            key,
            version,
            session,
        } = &known.stored;
        let numbers = at_rest(session.epoch, session.last_seq, session.last_fence);
        if *session != numbers {
            return None;
        }
        let fields = [&key.channel, &key.account, &key.conversation, &key.contact];
        let mut joined = String::with_capacity(fields.iter().map(|field| field.len()).sum());
        let ends = fields.map(|field| {
            joined.push_str(field);
            joined.len() as u32
        });
        Some(Self {
            n: known.n,
            version: *version,
            epoch: session.epoch,
            last_seq: session.last_seq,
            last_fence: session.last_fence,
            fields: joined.into_boxed_str(),
            ends: [ends[0], ends[1], ends[2]],
        })
    }

    pub fn known(&self) -> Known {
        let [channel, account, conversation] = self.ends.map(|end| end as usize);
        let key = SessionKey {
            channel: self.fields[..channel].to_owned(),
            account: self.fields[channel..account].to_owned(),
            conversation: self.fields[account..conversation].to_owned(),
            contact: self.fields[conversation..].to_owned(),
        };
        let stored = Stored {
            key,
            version: self.version,
            session: at_rest(self.epoch, self.last_seq, self.last_fence),
        };
        Known { n: self.n, stored }
    }
}

fn at_rest(epoch: u64, last_seq: u64, last_fence: u64) -> Session {
    Session {
        epoch,
        last_seq,
        last_fence,
        ..Session::default()
    }
}

impl Weigh for Resting {
    fn bytes(&self) -> usize {
        share_of::<(SessionId, Self)>() + self.fields.len() + 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(session: Session) -> Known {
        let key = SessionKey {
            channel: "shop".to_owned(),
            account: String::new(),
            conversation: "grupo é".to_owned(),
            contact: "ana".to_owned(),
        };
        let stored = Stored {
            key,
            version: 7,
            session,
        };
        Known { n: 3, stored }
    }

    #[test]
    fn a_session_at_rest_comes_back_as_it_was() {
        let known = known(at_rest(4, 5, 6));
        assert_eq!(Resting::of(&known).map(|rest| rest.known()), Some(known));
    }

    #[test]
    fn a_session_with_more_to_it_is_not_taken() {
        let orphan = Session {
            orphan_effects: true,
            ..at_rest(1, 1, 1)
        };
        assert!(Resting::of(&known(orphan)).is_none());
    }
}
