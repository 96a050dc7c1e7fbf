//! A session as a line of the list.

use replygate_app::view::{Hold, HoldWhy, LastLine, Lock, LockOwner, SessionRow, StatusWord};
use replygate_gate::{At, Event, OutsideLock, ReplyStatus, SessionId};
use replygate_ports::store::Step;
use replygate_ports::views::{ReplyView, SessionSummary};

use super::masking::Sight;
use super::{ServerConsole, at, channel, masking, state};

/// How far back the beginning of a lock is looked for.
const LOCK_STEPS: u32 = 200;

impl ServerConsole {
    /// The line of one session.
    pub(super) async fn row(&self, sight: Sight, summary: &SessionSummary) -> SessionRow {
        let now = self.service.stores.clock.now();
        let session = &summary.stored.session;
        let lock = session.lock.as_ref().filter(|lock| lock.holds(now));
        let lock = match lock {
            Some(lock) => Some(self.lock(summary.id, lock).await),
            None => None,
        };
        let hold = state::hold(session, now).map(|hold| match &lock {
            Some(lock) if hold.why == HoldWhy::Locked => Hold {
                since: lock.since,
                ..hold
            },
            _ => hold,
        });
        SessionRow {
            id: summary.id.to_string().into(),
            version: summary.stored.version,
            contact: masking::contact(sight, &summary.stored.key.contact),
            channel: channel(&summary.stored.key.channel),
            state: state::word(session, now, summary.last_activity),
            lock,
            window: state::window(session, summary.last_message.as_ref()),
            hold,
            turn: state::turn(session),
            taken_over: state::taken_over(session),
            in_flight: state::in_flight(session),
            last_message: summary.last_message.as_ref().map(|message| LastLine {
                at: at(message.written_at()),
                text: masking::cut(sight, &message.text),
                status: None,
            }),
            last_reply: summary.last_reply.as_ref().map(|reply| LastLine {
                at: at(reply.created_at),
                text: masking::cut(sight, &said(reply).join("\n")),
                status: Some(StatusWord::from(reply.status)),
            }),
            last_activity: at(summary.last_activity),
        }
    }

    /// A lock with its beginning. The beginning also names it: a later lock of the same holder has a later one.
    pub(super) async fn lock(&self, session: SessionId, lock: &OutsideLock) -> Lock {
        let steps = self
            .service
            .stores
            .views
            .timeline(session, None, LOCK_STEPS)
            .await;
        let since = steps
            .ok()
            .and_then(|steps| began(&steps))
            .unwrap_or(lock.lease_until);
        Lock {
            owner: LockOwner {
                name: lock.holder.clone(),
                token: format!("{since}.{}", lock.holder),
            },
            since: at(since),
            lease_ends: at(lock.lease_until),
            ttl_ends: at(lock.expires),
        }
    }
}

/// A reply's words: of a delivered one those that left.
fn said(reply: &ReplyView) -> &[String] {
    match reply.status {
        ReplyStatus::Delivered => reply.sent_parts(),
        _ => &reply.parts,
    }
}

/// When the lock that stands now was first put: the earliest `Locked` since the last `Unlocked`. Newest steps first.
fn began(steps: &[Step]) -> Option<At> {
    let mut first = None;
    for step in steps {
        for event in step.events.iter().rev() {
            match event {
                Event::Locked { .. } => first = Some(step.at),
                Event::Unlocked { .. } => return first,
                _ => {}
            }
        }
    }
    first
}
