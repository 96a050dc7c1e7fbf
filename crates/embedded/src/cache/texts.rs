//! The texts of open work: what a turn will read of the messages that came in, and what a hand-over will read of the reply
//! that was made. Only commits put something in, so that nothing here was ever read too early. Must never hold a text that
//! the file has no more.

use replygate_gate::{MessageId, ReplyId};
use replygate_ports::store::{MessageText, ReplyText};

use super::aged::{Aged, Weigh, share_of};

/// Bytes of messages at most, and of replies as many: at 2,000 messages a second that are open for six seconds, all.
const MOST_BYTES: usize = 6 << 20;

/// What a commit did to texts.
#[derive(Default)]
pub(crate) struct TextNews {
    /// Messages that came in.
    pub arrived: Vec<MessageText>,
    /// Messages whose text is another now.
    pub edited: Vec<(MessageId, String)>,
    /// Messages that need no reply any more.
    pub settled: Vec<MessageId>,
    /// Replies that were made.
    pub written: Vec<ReplyText>,
    /// Replies that stand elsewhere in the order now, or answer more: `seq` and `covers`.
    pub moved: Vec<(ReplyId, u64, Vec<MessageId>)>,
    /// Replies that are final, with the messages that they answered.
    pub ended: Vec<(ReplyId, Vec<MessageId>)>,
}

pub(super) struct Texts {
    messages: Aged<MessageId, MessageText>,
    replies: Aged<ReplyId, ReplyText>,
}

impl Texts {
    pub fn new() -> Self {
        Self {
            messages: Aged::new(MOST_BYTES),
            replies: Aged::new(MOST_BYTES),
        }
    }

    pub fn message(&mut self, id: MessageId) -> Option<MessageText> {
        self.messages.get(id).cloned()
    }

    pub fn reply(&mut self, id: ReplyId) -> Option<ReplyText> {
        self.replies.get(id).cloned()
    }

    pub fn committed(&mut self, news: TextNews) {
        for message in news.arrived {
            self.messages.put(message.id, message);
        }
        for (id, text) in news.edited {
            if let Some(message) = self.messages.remove(id) {
                self.messages.put(id, MessageText { text, ..message });
            }
        }
        for id in news.settled {
            self.messages.remove(id);
        }
        for reply in news.written {
            self.replies.put(reply.id, reply);
        }
        for (id, seq, covers) in news.moved {
            if let Some(reply) = self.replies.remove(id) {
                let moved = ReplyText {
                    seq,
                    covers,
                    ..reply
                };
                self.replies.put(id, moved);
            }
        }
        for (id, covers) in news.ended {
            self.replies.remove(id);
            for message in covers {
                self.messages.remove(message);
            }
        }
    }

    /// Lets go of everything: something changed in a way that was not told.
    pub fn clear(&mut self) {
        self.messages.clear();
        self.replies.clear();
    }
}

impl Weigh for MessageText {
    fn bytes(&self) -> usize {
        share_of::<(MessageId, Self)>() + self.text.len() + 16
    }
}

impl Weigh for ReplyText {
    fn bytes(&self) -> usize {
        let parts = self
            .parts
            .iter()
            .map(|part| size_of::<String>() + part.len() + 16);
        share_of::<(ReplyId, Self)>()
            + parts.sum::<usize>()
            + self.covers.len() * size_of::<MessageId>()
            + 32
    }
}

#[cfg(test)]
mod tests {
    use replygate_gate::debounce::MessageKind;
    use replygate_gate::{At, SessionId};

    use super::*;

    fn message(id: u128, text: &str) -> MessageText {
        MessageText {
            id: MessageId(id),
            kind: MessageKind::Text,
            text: text.to_owned(),
            sent_at: None,
            received_at: At(1),
            edit_of: None,
        }
    }

    fn reply(id: u128, covers: &[u128]) -> ReplyText {
        ReplyText {
            id: ReplyId(id),
            session: SessionId(1),
            seq: 1,
            parts: vec!["yes".to_owned()],
            covers: covers.iter().copied().map(MessageId).collect(),
        }
    }

    fn texts() -> Texts {
        let mut texts = Texts::new();
        texts.committed(TextNews {
            arrived: vec![message(1, "one"), message(2, "two"), message(3, "three")],
            written: vec![reply(9, &[1, 2])],
            ..TextNews::default()
        });
        texts
    }

    fn text(texts: &mut Texts, id: u128) -> Option<String> {
        texts.message(MessageId(id)).map(|message| message.text)
    }

    #[test]
    fn an_edit_replaces_the_text_that_is_kept() {
        let mut texts = texts();
        texts.committed(TextNews {
            edited: vec![
                (MessageId(2), "2".to_owned()),
                (MessageId(8), "8".to_owned()),
            ],
            ..TextNews::default()
        });
        assert_eq!(text(&mut texts, 2).as_deref(), Some("2"));
        assert_eq!(text(&mut texts, 8), None);
    }

    #[test]
    fn a_reply_that_takes_over_others_messages_says_so() {
        let mut texts = texts();
        let all = vec![MessageId(1), MessageId(2), MessageId(3)];
        texts.committed(TextNews {
            moved: vec![(ReplyId(9), 4, all.clone())],
            ..TextNews::default()
        });
        let kept = texts.reply(ReplyId(9)).unwrap();
        assert_eq!((kept.seq, kept.covers), (4, all));
    }

    #[test]
    fn what_is_over_is_let_go_with_its_messages() {
        let mut texts = texts();
        texts.committed(TextNews {
            ended: vec![(ReplyId(9), vec![MessageId(1), MessageId(2)])],
            settled: vec![MessageId(3)],
            ..TextNews::default()
        });
        assert_eq!(texts.reply(ReplyId(9)), None);
        assert_eq!([1, 2, 3].map(|id| text(&mut texts, id)), [None, None, None]);
        assert_eq!(texts.messages.weight() + texts.replies.weight(), 0);
    }
}
