//! What goes through a channel: many news or wake-ups at once, with the number of the frame and of the process that sent
//! it, so that whoever missed a frame can tell. Must never fail on what another version sends: what cannot be read counts
//! as missed.

use replygate_gate::{At, SessionId};
use replygate_ports::feed::News;
use replygate_ports::wakes::Wake;

/// The form of the frames; another one cannot be read.
const FORM: u8 = 1;
/// Form, origin, number.
const HEAD: usize = 1 + 16 + 8;
/// Session, version, instant.
const WAKE: usize = 16 + 8 + 8;

/// A frame's origin and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The process that sent it.
    pub origin: u128,
    /// Grows by one with each frame of that process on this channel.
    pub number: u64,
}

impl Head {
    /// The head of a frame, and what follows it.
    pub fn split(frame: &[u8]) -> Option<(Self, &[u8])> {
        let (head, body) = frame.split_at_checked(HEAD)?;
        let (form, head) = head.split_first()?;
        let (origin, number) = head.split_at_checked(16)?;
        let head = Self {
            origin: u128::from_be_bytes(origin.try_into().ok()?),
            number: u64::from_be_bytes(number.try_into().ok()?),
        };
        (*form == FORM).then_some((head, body))
    }

    fn write(self, room: usize) -> Vec<u8> {
        let mut frame = Vec::with_capacity(HEAD + room);
        frame.push(FORM);
        frame.extend_from_slice(&self.origin.to_be_bytes());
        frame.extend_from_slice(&self.number.to_be_bytes());
        frame
    }
}

/// What a channel carries.
pub trait Cargo: Sized + Send + 'static {
    /// A frame with all of it.
    fn write(head: Head, cargo: &[Self]) -> Vec<u8>;

    /// What follows a frame's head.
    fn read(body: &[u8]) -> Option<Vec<Self>>;
}

impl Cargo for News {
    fn write(head: Head, news: &[Self]) -> Vec<u8> {
        let mut frame = head.write(256 * news.len());
        // Writing to memory cannot fail, and news have no keys that JSON could not write.
        let _ = serde_json::to_writer(&mut frame, news);
        frame
    }

    fn read(body: &[u8]) -> Option<Vec<Self>> {
        serde_json::from_slice(body).ok()
    }
}

impl Cargo for Wake {
    fn write(head: Head, wakes: &[Self]) -> Vec<u8> {
        let mut frame = head.write(WAKE * wakes.len());
        for wake in wakes {
            frame.extend_from_slice(&wake.session.0.to_be_bytes());
            frame.extend_from_slice(&wake.version.to_be_bytes());
            frame.extend_from_slice(&wake.at.0.to_be_bytes());
        }
        frame
    }

    fn read(body: &[u8]) -> Option<Vec<Self>> {
        if !body.len().is_multiple_of(WAKE) {
            return None;
        }
        body.chunks_exact(WAKE).map(wake).collect()
    }
}

fn wake(bytes: &[u8]) -> Option<Wake> {
    let (session, rest) = bytes.split_at_checked(16)?;
    let (version, at) = rest.split_at_checked(8)?;
    Some(Wake {
        session: SessionId(u128::from_be_bytes(session.try_into().ok()?)),
        version: u64::from_be_bytes(version.try_into().ok()?),
        at: At(i64::from_be_bytes(at.try_into().ok()?)),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use replygate_gate::{OperationId, ReplyId};
    use replygate_ports::feed::Shown;

    use super::*;

    fn any_wake() -> impl Strategy<Value = Wake> {
        (any::<u128>(), any::<u64>(), any::<i64>()).prop_map(|(session, version, at)| Wake {
            session: SessionId(session),
            version,
            at: At(at),
        })
    }

    fn any_news() -> impl Strategy<Value = News> {
        prop_oneof![
            Just(News::Skipped),
            (".*", any::<u64>()).prop_map(|(channel, version)| News::Settings { channel, version }),
            (any::<u128>(), any::<u64>()).prop_map(|(operation, version)| News::Operation {
                operation: OperationId(operation),
                version,
            }),
            (any::<u128>(), any::<u128>(), any::<u16>(), any::<i64>()).prop_map(
                |(session, reply, part, at)| News::Page {
                    session: SessionId(session),
                    shown: Shown::Part {
                        reply: ReplyId(reply),
                        part,
                        at: At(at),
                    },
                }
            ),
            (any::<u128>(), any::<bool>()).prop_map(|(session, on)| News::Page {
                session: SessionId(session),
                shown: Shown::Typing { on },
            }),
            (any::<u128>(), ".*", any::<u64>(), any::<i64>()).prop_map(
                |(session, channel, version, at)| News::Session {
                    session: SessionId(session),
                    channel,
                    version,
                    at: At(at),
                    events: vec!["arrived".to_owned()],
                    next_at: Some(At(at)),
                }
            ),
        ]
    }

    proptest! {
        #[test]
        fn wake_ups_survive_a_frame(origin: u128, number: u64, wakes in proptest::collection::vec(any_wake(), 0..20)) {
            let head = Head { origin, number };
            let frame = Wake::write(head, &wakes);
            let (seen, body) = Head::split(&frame).unwrap();
            prop_assert_eq!(seen, head);
            prop_assert_eq!(Wake::read(body), Some(wakes));
        }

        #[test]
        fn news_survive_a_frame(origin: u128, number: u64, news in proptest::collection::vec(any_news(), 0..20)) {
            let head = Head { origin, number };
            let frame = News::write(head, &news);
            let (seen, body) = Head::split(&frame).unwrap();
            prop_assert_eq!(seen, head);
            prop_assert_eq!(News::read(body), Some(news));
        }

        #[test]
        fn anything_else_is_read_as_nothing_or_something_but_never_fails(frame: Vec<u8>) {
            if let Some((_, body)) = Head::split(&frame) {
                let _ = (News::read(body), Wake::read(body));
            }
        }
    }

    #[test]
    fn a_frame_of_another_form_cannot_be_read() {
        let head = Head {
            origin: 1,
            number: 2,
        };
        let mut frame = Wake::write(head, &[]);
        frame[0] = FORM + 1;
        assert_eq!(Head::split(&frame), None);
    }
}
