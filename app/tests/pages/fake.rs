//! A console with two sessions and no server behind it.

use async_trait::async_trait;
use futures::stream;
use replygate_app::console::{
    ChangeStream, Changes, Channels, Commands, ConsoleHandle, Messages, Numbered, Sessions,
};
use replygate_app::view::*;
use std::sync::Arc;

/// The time at which everything was read.
pub const NOW: At = At(1_709_251_200_000);

/// What the customer wrote: harmless as text, harmful as HTML.
pub const NASTY: &str = "<script>alert('x')</script> & \"quotes\"";

/// The fake.
pub struct Fake;

/// The fake behind its handle.
pub fn console() -> ConsoleHandle {
    ConsoleHandle(Arc::new(Fake))
}

fn ago(seconds: i64) -> At {
    At(NOW.0 - seconds * 1_000)
}

fn text(who: &Caller, text: &str) -> Personal {
    if who.may(Permission::Reveal) {
        return Personal::Shown(text.to_owned());
    }
    Personal::Masked(format!("{} characters", text.chars().count()))
}

fn page<T>(rows: Vec<T>, next: Option<&str>) -> Page<T> {
    let total = Some(Count::Exactly(rows.len() as u32));
    Page {
        rows,
        next: next.map(Cursor::from),
        as_of: NOW,
        total,
    }
}

fn row(who: &Caller, id: &str, word: SessionStateWord) -> SessionRow {
    SessionRow {
        id: id.into(),
        version: 7,
        contact: text(who, "Ana"),
        channel: ChannelRef {
            id: "shop".into(),
            name: "Shop".to_owned(),
        },
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

fn replies(who: &Caller) -> impl Iterator<Item = Reply> + use<'_> {
    StatusWord::ALL
        .into_iter()
        .zip(1..)
        .map(|(status, seq)| Reply {
            id: format!("rep_{seq}").into(),
            session: "ses_1".into(),
            seq,
            generation: 0,
            author: Author::Agent,
            status,
            written: ago(60 - seq as i64),
            due: ago(50),
            delivered: None,
            parts: vec![text(who, "Your order is on its way.")],
            parts_sent: 0,
            cut: false,
            covers: vec!["msg_1".into()],
            replaced_by: None,
            had_effects: false,
            parked: (status == StatusWord::Parked).then(|| Parked {
                why: "agent_failed".to_owned(),
                since: ago(5),
            }),
            verdicts: vec![Verdict {
                word: VerdictWord::CancelFirst,
                source: VerdictSource::Evaluator,
                evaluator: "rules".to_owned(),
                confidence_percent: 94,
                reason: text(who, "the order is withdrawn"),
                at: ago(4),
                latency_ms: 3,
                too_late: false,
            }],
            attempts: Vec::new(),
        })
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
        if id.as_str() != "ses_1" {
            return Err(ConsoleError::NotFound {
                what: "session".to_owned(),
            });
        }
        Ok(SessionDetail {
            row: collecting(who),
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
            received: ago(61),
            kind: MessageKind::Text,
            text: text(who, NASTY),
            edited: true,
            fate: MessageFate::Answered {
                by: "rep_4".into(),
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
}

#[async_trait]
impl Messages for Fake {
    async fn messages(
        &self,
        _who: &Caller,
        _filter: MessageFilter,
        _page: PageQuery,
    ) -> Result<Page<MessageRow>, ConsoleError> {
        Ok(page(Vec::new(), None))
    }

    async fn message(&self, _who: &Caller, _id: MessageId) -> Result<MessageDetail, ConsoleError> {
        Err(ConsoleError::NotFound {
            what: "message".to_owned(),
        })
    }
}

/// No page sends commands or settings yet; whoever calls them here has made a mistake.
const UNASKED: ConsoleError = ConsoleError::Unavailable;

#[async_trait]
impl Commands for Fake {
    fn mint(&self) -> RequestId {
        "req_1".into()
    }

    async fn reprocess(&self, _: &Caller, _: ReplyAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn rerun(&self, _: &Caller, _: ReplyAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn discard(&self, _: &Caller, _: ReplyAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn mark_delivered(&self, _: &Caller, _: ReplyAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn say(&self, _: &Caller, _: SessionAction, _: String) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn release_hold(&self, _: &Caller, _: SessionAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn unlock(
        &self,
        _: &Caller,
        _: SessionAction,
        _: LockOwner,
    ) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn take_over(&self, _: &Caller, _: SessionAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn hand_back(&self, _: &Caller, _: SessionAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }
}

#[async_trait]
impl Channels for Fake {
    async fn channels(&self, who: &Caller) -> Result<Vec<Channel>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(vec![Channel {
            channel: ChannelRef {
                id: "shop".into(),
                name: "Shop".to_owned(),
            },
            kind: "webchat".to_owned(),
            settings_version: 1,
            last_inbound: None,
            last_delivery: None,
            parked: 0,
        }])
    }

    async fn settings(
        &self,
        _: &Caller,
        _: ChannelId,
        _: Option<u32>,
    ) -> Result<ChannelSettings, ConsoleError> {
        Err(UNASKED)
    }

    async fn settings_versions(
        &self,
        _: &Caller,
        _: ChannelId,
        _: PageQuery,
    ) -> Result<Page<SettingsVersion>, ConsoleError> {
        Err(UNASKED)
    }

    async fn save_settings(
        &self,
        _: &Caller,
        _: SaveSettings,
    ) -> Result<ChannelSettings, ConsoleError> {
        Err(UNASKED)
    }

    async fn roll_back(&self, _: &Caller, _: RollBack) -> Result<ChannelSettings, ConsoleError> {
        Err(UNASKED)
    }
}

#[async_trait]
impl Changes for Fake {
    async fn changes(
        &self,
        who: &Caller,
        topics: Vec<Topic>,
        after: Option<u64>,
    ) -> Result<ChangeStream, ConsoleError> {
        who.need(Permission::See)?;
        let seq = after.unwrap_or_default() + 1;
        let changes = topics.into_iter().map(move |topic| match topic {
            Topic::Session(id) => Numbered {
                seq,
                change: Change::Session { id, version: 8 },
            },
            Topic::Sessions => Numbered {
                seq,
                change: Change::Resync,
            },
        });
        Ok(Box::pin(stream::iter(changes.collect::<Vec<_>>())))
    }
}
