//! Looking through every session with open work. Must never change anything.

use std::collections::HashMap;

use replygate_gate::{At, ReplyId, Rules, Session};
use replygate_ports::settings::SettingsStore;
use replygate_ports::store::StoreError;
use replygate_ports::views::{SessionQuery, SessionSummary, Views};

use super::{Ailment, Kind};

/// Whatever is overdue for less may be under way.
const GRACE_MS: u64 = 10_000;
/// Sessions read at once.
const PAGE: u32 = 500;

/// What is wrong in sessions with open work, and how many there are.
pub(crate) async fn look(
    views: &dyn Views,
    settings: &dyn SettingsStore,
    now: At,
) -> Result<(usize, Vec<Ailment>), StoreError> {
    let rules: HashMap<String, Rules> = settings
        .all()
        .await?
        .into_iter()
        .map(|version| (version.settings.id.clone(), version.settings.rules()))
        .collect();
    let mut query = SessionQuery {
        open_only: true,
        limit: PAGE,
        ..SessionQuery::default()
    };
    let (mut count, mut found) = (0, Vec::new());
    loop {
        let page = views.sessions(&query).await?;
        let Some(last) = page.last() else {
            return Ok((count, found));
        };
        query.after = Some((last.last_activity, last.id));
        count += page.len();
        for summary in &page {
            found.extend(judge(summary, rules.get(&summary.stored.key.channel), now));
        }
    }
}

/// The first thing that is wrong in a session: others follow from it.
fn judge(summary: &SessionSummary, rules: Option<&Rules>, now: At) -> Option<Ailment> {
    let session = &summary.stored.session;
    let ailment = |kind, reply: Option<ReplyId>, since| {
        let found = session.replies.iter().find(|open| Some(open.id) == reply);
        Ailment {
            kind,
            session: summary.id,
            version: summary.stored.version,
            reply,
            attempt: found.map_or(0, |reply| {
                u32::from(reply.attempts) + u32::from(reply.failures)
            }),
            since,
        }
    };
    let Some(rules) = rules else {
        return Some(ailment(Kind::NoChannel, None, summary.last_activity));
    };
    let long_ago = |at: At| at.plus(GRACE_MS) < now;
    if let Some(lock) = session.lock.as_ref().filter(|lock| lock.is_stuck(now)) {
        return Some(ailment(Kind::Locked, None, lock.lease_until));
    }
    if let Some((reply, due)) = session.next_dispatch().filter(|(_, due)| long_ago(*due)) {
        return Some(ailment(Kind::NoTicket, Some(reply), due));
    }
    if let Some((reply, since)) = held_too_long(session, rules, now) {
        return Some(ailment(Kind::Held, Some(reply), since));
    }
    let overdue = session.next_timer(rules).filter(|at| long_ago(*at));
    overdue.map(|at| ailment(Kind::NoTimer, None, at))
}

fn held_too_long(session: &Session, rules: &Rules, now: At) -> Option<(ReplyId, At)> {
    if session.takeover.is_some() {
        return None;
    }
    let held = session.undelivered().filter(|reply| session.is_held(reply));
    held.filter_map(|reply| Some((reply.id, reply.held_since?)))
        .find(|(_, since)| since.plus(rules.max_hold_ms + GRACE_MS) < now)
}
