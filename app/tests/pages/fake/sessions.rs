//! Two sessions: one that collects and holds, one that is idle.

use super::{Fake, NASTY, NOW, ago, page, replies, shop, text};
use async_trait::async_trait;
use replygate_app::console::Sessions;
use replygate_app::view::*;

fn row(who: &Caller, id: &str, word: SessionStateWord) -> SessionRow {
    SessionRow {
        id: id.into(),
        version: 7,
        contact: text(who, "Ana"),
        channel: shop(),
        state: SessionState {
            word,
            since: ago(3),
        },
        lock: None,
        window: None,
        hold: None,
        turn: None,
        taken_over: None,
        in_flight: Vec::new(),
        last_message: Some(LastLine {
            at: ago(3),
            text: text(who, NASTY),
            status: None,
        }),
        last_reply: None,
        last_activity: ago(3),
    }
}

fn collecting(who: &Caller) -> SessionRow {
    SessionRow {
        window: Some(Window {
            opened: ago(2),
            ends: At(NOW.0 + 2_000),
            messages: 2,
            rule: "dangling".to_owned(),
        }),
        hold: Some(Hold {
            why: HoldWhy::NewerMessages,
            since: ago(2),
        }),
        in_flight: vec![
            InFlight {
                status: StatusWord::Pending,
                count: 1,
            },
            InFlight {
                status: StatusWord::Parked,
                count: 2,
            },
        ],
        ..row(who, "ses_1", SessionStateWord::Collecting)
    }
}

fn taken_over(who: &Caller, by: &str) -> SessionRow {
    SessionRow {
        taken_over: Some(TakenOver {
            by: by.to_owned(),
            since: ago(40),
        }),
        lock: Some(Lock {
            owner: LockOwner {
                name: "crm".to_owned(),
                token: "1.crm".to_owned(),
            },
            since: ago(30),
            lease_ends: ago(-30),
            ttl_ends: ago(-300),
        }),
        ..row(who, "ses_2", SessionStateWord::TakenOver)
    }
}

#[async_trait]
impl Sessions for Fake {
    async fn sessions(
        &self,
        who: &Caller,
        filter: SessionFilter,
        page_query: PageQuery,
    ) -> Result<Page<SessionRow>, ConsoleError> {
        who.need(Permission::See)?;
        if page_query.after.is_some() {
            return Ok(page(Vec::new(), None));
        }
        let rows = [collecting(who), row(who, "ses_2", SessionStateWord::Idle)];
        let wanted = |row: &SessionRow| filter.state.is_none_or(|state| state == row.state.word);
        Ok(page(rows.into_iter().filter(wanted).collect(), Some("c&2")))
    }

    async fn session_rows(
        &self,
        who: &Caller,
        ids: Vec<SessionId>,
    ) -> Result<Page<SessionRow>, ConsoleError> {
        who.need(Permission::See)?;
        let row = collecting(who);
        Ok(page(
            if ids.contains(&row.id) {
                vec![row]
            } else {
                Vec::new()
            },
            None,
        ))
    }

    async fn session(&self, who: &Caller, id: SessionId) -> Result<SessionDetail, ConsoleError> {
        who.need(Permission::See)?;
        let row = match id.as_str() {
            "ses_1" => collecting(who),
            "ses_2" => taken_over(who, "Marta"),
            "ses_3" => taken_over(who, "Ana"),
            _ => {
                return Err(ConsoleError::NotFound {
                    what: "session".to_owned(),
                });
            }
        };
        Ok(SessionDetail {
            row,
            first_seen: ago(7_200),
            next_reply: None,
            as_of: NOW,
        })
    }

    async fn conversation(
        &self,
        who: &Caller,
        id: SessionId,
        _page: PageQuery,
    ) -> Result<Conversation, ConsoleError> {
        let message = Message {
            id: "msg_1".into(),
            session: id,
            written: ago(61),
            received: ago(61),
            kind: MessageKind::Text,
            text: text(who, NASTY),
            edited: true,
            fate: MessageFate::Answered {
                by: "rep_4".into(),
                seq: Some(4),
                status: StatusWord::Delivered,
            },
        };
        let replies = replies(who).map(ConversationItem::Reply);
        let mut items: Vec<_> = replies
            .chain([ConversationItem::Message(message)])
            .collect();
        items.sort_by_key(|item| std::cmp::Reverse(item.at()));
        Ok(Conversation {
            items: page(items, None),
        })
    }

    async fn timeline(
        &self,
        _who: &Caller,
        _id: SessionId,
        _page: PageQuery,
    ) -> Result<Page<TimelineEvent>, ConsoleError> {
        let event = TimelineEvent {
            id: "evt_1".into(),
            at: ago(61),
            kind: "window_opened".to_owned(),
            facts: vec![Fact {
                name: "rule".to_owned(),
                value: "dangling".to_owned(),
            }],
        };
        Ok(page(vec![event], None))
    }

    async fn lanes(&self, who: &Caller, _id: SessionId) -> Result<Lanes, ConsoleError> {
        who.need(Permission::See)?;
        let span = |lane, word, from, to| Span {
            lane,
            word,
            from: ago(from),
            to: ago(to),
            about: None,
        };
        Ok(Lanes {
            spans: vec![
                span(LaneWord::Customer, SpanWord::Message, 61, 61),
                span(LaneWord::Debounce, SpanWord::Done, 61, 57),
                span(LaneWord::Outbox, SpanWord::Cancelled, 57, 4),
            ],
        })
    }
}
