//! A console with two sessions and no server behind it.

use async_trait::async_trait;
use futures::stream;
use replygate_app::console::{
    Activity, ChangeStream, Changes, Channels, Commands, ConsoleHandle, Messages, Numbered,
    Operations, Parked, People, Places, Sessions,
};
use replygate_app::view::*;
use std::sync::Arc;

/// The time at which everything was read.
pub const NOW: At = At(1_709_251_200_000);

/// The one zone that is known: three hours behind UTC.
pub const ZONE: &str = "America/Sao_Paulo";

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

/// The delivered one was cut short behind its first part.
fn parts(who: &Caller, status: StatusWord) -> Vec<Personal> {
    let more = (status == StatusWord::Delivered).then_some("It comes by bicycle.");
    let words = std::iter::once("Your order is on its way.").chain(more);
    words.map(|words| text(who, words)).collect()
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
            parts: parts(who, status),
            parts_sent: u32::from(status == StatusWord::Delivered),
            cut: status == StatusWord::Delivered,
            covers: vec!["msg_1".into()],
            replaced_by: None,
            had_effects: false,
            parked: (status == StatusWord::Parked).then(|| replygate_app::view::Parked {
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
}

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
            channel: ChannelRef {
                id: "shop".into(),
                name: "Shop".to_owned(),
            },
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
            events: vec![event],
            as_of: NOW,
        })
    }
}

fn outcome(action: Action) -> Outcome {
    Outcome {
        action,
        session: "ses_1".into(),
        reply: Some("rep_7".into()),
        by: "Ana".to_owned(),
        at: ago(3),
    }
}

fn parked(who: &Caller) -> ParkedRow {
    ParkedRow {
        reply: "rep_7".into(),
        session: "ses_1".into(),
        version: 7,
        generation: 1,
        status: StatusWord::Parked,
        channel: ChannelRef {
            id: "shop".into(),
            name: "Shop".to_owned(),
        },
        contact: text(who, "Ana"),
        text: text(who, NASTY),
        why: "channel_failed".to_owned(),
        code: Some("http_503".to_owned()),
        attempts: 4,
        written: ago(900),
        since: ago(600),
        returns: 1,
        meanwhile: Meanwhile::NewerMessages { count: 2 },
    }
}

#[async_trait]
impl Parked for Fake {
    async fn parked(
        &self,
        who: &Caller,
        filter: ParkedFilter,
        _page: PageQuery,
    ) -> Result<Inbox, ConsoleError> {
        who.need(Permission::See)?;
        let rows = [parked(who)];
        let wanted = |row: &ParkedRow| filter.why.as_ref().is_none_or(|why| *why == row.why);
        Ok(Inbox {
            page: page(rows.into_iter().filter(wanted).collect(), None),
            reasons: vec![("channel_failed".to_owned(), 1)],
            cause: None,
        })
    }

    async fn parked_rows(
        &self,
        who: &Caller,
        _ids: Vec<ReplyId>,
    ) -> Result<Page<ParkedRow>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(page(vec![parked(who)], None))
    }

    async fn parked_reply(&self, who: &Caller, id: ReplyId) -> Result<ParkedDetail, ConsoleError> {
        who.need(Permission::See)?;
        let waits = match id.as_str() {
            "rep_7" => true,
            "rep_8" => false,
            _ => {
                return Err(ConsoleError::NotFound {
                    what: "reply".to_owned(),
                });
            }
        };
        let row = ParkedRow {
            status: if waits {
                StatusWord::Parked
            } else {
                StatusWord::Delivered
            },
            ..parked(who)
        };
        let check = Check {
            word: CheckWord::SameText,
            weight: Weight::Refuses,
            against: vec![Choice::Send],
            count: None,
            by: None,
            at: Some(ago(60)),
        };
        Ok(ParkedDetail {
            row,
            parts: vec![text(who, NASTY)],
            checks: if waits { vec![check] } else { Vec::new() },
            usual: waits.then_some(Choice::Discard),
            last_deed: (!waits).then(|| LastDeed {
                kind: "requeued".to_owned(),
                by: "Ana".to_owned(),
                at: ago(3),
            }),
            as_of: NOW,
        })
    }
}

fn operation(state: OperationWord) -> OperationRow {
    OperationRow {
        id: "op_1".into(),
        version: 3,
        choice: Choice::Send,
        state,
        by: "Ana".to_owned(),
        reason: Some("the channel is back".to_owned()),
        pace: Pace::usual(37),
        planned: ago(120),
        started: None,
        ended: None,
        counts: vec![(ItemWord::Ready, 36), (ItemWord::Skipped, 1)],
    }
}

#[async_trait]
impl Operations for Fake {
    async fn plan(&self, who: &Caller, asked: PlanAsked) -> Result<OperationId, ConsoleError> {
        who.need(Permission::ActOnMany)?;
        match asked.set {
            PlanSet::Picked(picks) if picks == [("rep_7".into(), 1)] => Ok("op_1".into()),
            _ => Err(ConsoleError::Invalid {
                field: "pick".to_owned(),
                value: String::new(),
                allowed: "at least one reply".to_owned(),
            }),
        }
    }

    async fn operations(
        &self,
        who: &Caller,
        query: PageQuery,
    ) -> Result<Page<OperationRow>, ConsoleError> {
        who.need(Permission::See)?;
        let rows = vec![operation(OperationWord::Running)];
        Ok(if query.after.is_some() {
            page(Vec::new(), None)
        } else {
            page(rows, None)
        })
    }

    async fn operation(
        &self,
        who: &Caller,
        id: OperationId,
        outcome: Option<ItemWord>,
        _page: PageQuery,
    ) -> Result<OperationDetail, ConsoleError> {
        who.need(Permission::See)?;
        let state = match id.as_str() {
            "op_1" => OperationWord::Planned,
            "op_2" => OperationWord::Running,
            _ => {
                return Err(ConsoleError::NotFound {
                    what: "operation".to_owned(),
                });
            }
        };
        let shop = ChannelRef {
            id: "shop".into(),
            name: "Shop".to_owned(),
        };
        let item = |place, state, why: Option<&str>| OperationItem {
            place,
            reply: format!("rep_{place}").into(),
            session: "ses_1".into(),
            channel: shop.clone(),
            state,
            why: why.map(str::to_owned),
            at: ago(100),
        };
        let items = [
            item(0, ItemWord::Ready, None),
            item(1, ItemWord::Skipped, Some("person")),
        ];
        let wanted = |item: &OperationItem| outcome.is_none_or(|outcome| item.state == outcome);
        let plan = PlanSummary {
            channels: vec![(shop.clone(), 36)],
            skipped: vec![("person".to_owned(), 1)],
            noticed: vec![("newer_messages".to_owned(), 12)],
            written: Some((ago(10_800), ago(1_080))),
            expires: ago(-780),
        };
        Ok(OperationDetail {
            row: OperationRow {
                id,
                ..operation(state)
            },
            plan: (state == OperationWord::Planned).then_some(plan),
            behind: None,
            items: page(items.into_iter().filter(wanted).collect(), None),
        })
    }

    async fn steer(&self, who: &Caller, asked: SteerAsked) -> Result<(), ConsoleError> {
        who.need(Permission::ActOnMany)?;
        if asked.steer == Steer::Start && asked.reason.is_none() {
            return Err(ConsoleError::Invalid {
                field: "reason".to_owned(),
                value: String::new(),
                allowed: "why".to_owned(),
            });
        }
        Ok(())
    }
}

#[async_trait]
impl Activity for Fake {
    async fn activity(
        &self,
        who: &Caller,
        filter: ActivityFilter,
        query: PageQuery,
    ) -> Result<Page<ActivityRow>, ConsoleError> {
        who.need(Permission::See)?;
        let row = ActivityRow {
            place: 7,
            at: ago(60),
            by: "Ana".to_owned(),
            role: "operator".to_owned(),
            verb: "reprocess".to_owned(),
            object: "rep_7".to_owned(),
            address: Some("/go?id=rep_7".to_owned()),
            before: Some("PARKED, generation 1".to_owned()),
            after: Some("PENDING, generation 2".to_owned()),
            reason: Some("she called".to_owned()),
            result: ActivityResult::Done,
        };
        let is_wanted = query.after.is_none() && filter.by.as_deref().is_none_or(|by| by == "Ana");
        Ok(page(if is_wanted { vec![row] } else { Vec::new() }, None))
    }
}

#[async_trait]
impl People for Fake {
    async fn members(&self, who: &Caller) -> Result<Vec<Member>, ConsoleError> {
        who.need(Permission::Team)?;
        let member = |name: &str, membership| Member {
            name: name.to_owned(),
            role: Role::Operator,
            membership,
            since: ago(9_000),
        };
        Ok(vec![
            member("Marta", Membership::Active),
            member("rui", Membership::Invited),
        ])
    }

    async fn invite(
        &self,
        who: &Caller,
        name: String,
        _role: Role,
    ) -> Result<MemberLink, ConsoleError> {
        who.need(Permission::Team)?;
        self.reset(who, name).await
    }

    async fn set_role(&self, who: &Caller, name: String, role: Role) -> Result<(), ConsoleError> {
        who.need(Permission::Team)?;
        if name == "Marta" && role != Role::Owner {
            return Err(ConsoleError::Refused {
                check: "last_owner".to_owned(),
            });
        }
        Ok(())
    }

    async fn reset(&self, who: &Caller, name: String) -> Result<MemberLink, ConsoleError> {
        who.need(Permission::Team)?;
        Ok(MemberLink {
            name,
            path: "/first-run?token=t0ken".to_owned(),
            until: NOW,
        })
    }

    async fn remove(&self, who: &Caller, _name: String) -> Result<(), ConsoleError> {
        who.need(Permission::Team)
    }

    async fn invited(&self, token: String) -> Option<String> {
        (token == "t0ken").then(|| "rui".to_owned())
    }
}

/// No page sends commands or settings yet; whoever calls them here has made a mistake.
const UNASKED: ConsoleError = ConsoleError::Unavailable;

#[async_trait]
impl Commands for Fake {
    fn mint(&self) -> RequestId {
        "req_1".into()
    }

    async fn outcome(
        &self,
        _: &Caller,
        request: RequestId,
    ) -> Result<Option<Outcome>, ConsoleError> {
        Ok((request.as_str() == "req_1").then(|| outcome(Action::Reprocess)))
    }

    async fn reprocess(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        if what.generation != 1 {
            return Err(ConsoleError::Conflict {
                now: "DELIVERED".to_owned(),
                by: Some("Ana".to_owned()),
                at: Some(ago(3)),
            });
        }
        if what.checks == Override::Respect {
            return Err(ConsoleError::Refused {
                check: "same_text".to_owned(),
            });
        }
        Ok(outcome(Action::Reprocess))
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
            Topic::Sessions | Topic::Parked | Topic::Operation(_) => Numbered {
                seq,
                change: Change::Resync,
            },
        });
        Ok(Box::pin(stream::iter(changes.collect::<Vec<_>>())))
    }
}

#[async_trait]
impl Places for Fake {
    fn now(&self) -> At {
        NOW
    }

    fn zone(&self, name: &str) -> Option<Zone> {
        (name == ZONE).then(|| Zone {
            name: name.to_owned(),
            shifts: vec![Shift {
                from: At(0),
                seconds: -10_800,
            }],
        })
    }

    fn zones(&self) -> Vec<String> {
        vec![ZONE.to_owned()]
    }

    async fn find(&self, who: &Caller, id: String) -> Result<String, ConsoleError> {
        who.need(Permission::See)?;
        match id.as_str() {
            "ses_1" => Ok("/sessions/ses_1".to_owned()),
            _ => Err(ConsoleError::NotFound {
                what: "id".to_owned(),
            }),
        }
    }
}
