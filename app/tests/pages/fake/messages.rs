//! Two messages: one that is answered, one that waits.

use super::{Fake, NASTY, NOW, ago, page, replies, shop, text};
use async_trait::async_trait;
use replygate_app::console::Messages;
use replygate_app::view::*;

#[async_trait]
impl Messages for Fake {
    async fn messages(
        &self,
        who: &Caller,
        filter: MessageFilter,
        _page: PageQuery,
    ) -> Result<Page<MessageRow>, ConsoleError> {
        let row = |id: &str, fate| MessageRow {
            message: Message {
                id: id.into(),
                session: "ses_1".into(),
                written: ago(61),
                received: ago(61),
                kind: MessageKind::Text,
                text: text(who, NASTY),
                edited: false,
                fate,
            },
            version: 7,
            channel: shop(),
            contact: text(who, "Ana"),
            decision: Some(VerdictWord::Merge),
            reply_time_ms: Some(2_900),
            attempts: 2,
        };
        let answered = MessageFate::Answered {
            by: "rep_4".into(),
            seq: Some(4),
            status: StatusWord::Delivered,
        };
        let rows = [row("msg_1", answered), row("msg_2", MessageFate::Waiting)];
        let wanted = |row: &MessageRow| {
            filter.status.is_none()
                || matches!(row.message.fate, MessageFate::Answered { status, .. } if Some(status) == filter.status)
        };
        if filter.q.as_deref() == Some("everything") {
            return Err(ConsoleError::TookTooLong);
        }
        if filter.q.as_deref() == Some("rare") {
            return Ok(page(Vec::new(), Some("1709164800000.1")));
        }
        Ok(page(rows.into_iter().filter(wanted).collect(), None))
    }

    async fn message_rows(
        &self,
        who: &Caller,
        _ids: Vec<MessageId>,
    ) -> Result<Page<MessageRow>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(page(Vec::new(), None))
    }

    async fn message(&self, who: &Caller, id: MessageId) -> Result<MessageDetail, ConsoleError> {
        who.need(Permission::See)?;
        let rows = self
            .messages(who, MessageFilter::default(), PageQuery::first())
            .await?
            .rows;
        let row = rows.into_iter().find(|row| row.message.id == id);
        let row = row.ok_or_else(|| ConsoleError::NotFound {
            what: "message".to_owned(),
        })?;
        let event = TimelineEvent {
            id: "evt_1".into(),
            at: ago(61),
            kind: "window_opened".to_owned(),
            facts: Vec::new(),
        };
        Ok(MessageDetail {
            row,
            replies: replies(who).skip(3).take(1).collect(),
            avoided: vec![super::duplicates::row(who)],
            events: vec![event],
            as_of: NOW,
        })
    }
}
