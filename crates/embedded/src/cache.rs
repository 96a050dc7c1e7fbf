//! What was committed lately, so that the pipeline rarely waits for the file: the newest state of sessions, and the texts
//! of open work. Must never be newer than what is committed, and never older.

mod aged;
mod ever;
mod resting;
mod texts;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use replygate_gate::{MessageId, ReplyId, Session, SessionId};
use replygate_ports::store::{MessageText, ReplyText, Stored};

pub(crate) use ever::Ever;
pub(crate) use texts::TextNews;

use aged::{Aged, Weigh, share_of};
use resting::Resting;
use texts::Texts;

/// Bytes of sessions with open work at most: about 20,000 of them.
const MOST_OPEN_BYTES: usize = 16 << 20;
/// Bytes of sessions at rest at most, which take about 200 each: 20,000 of them, however many are known.
const MOST_RESTING_BYTES: usize = 4 << 20;
/// Commits are counted in so many groups of sessions; a group's count tells a load whether its read may be stale.
const GROUPS: usize = 1_024;

/// A session as the writer needs it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    /// Its number in the file.
    pub n: i64,
    /// Its key, version and state.
    pub stored: Stored,
}

impl AsRef<Stored> for Known {
    fn as_ref(&self) -> &Stored {
        &self.stored
    }
}

/// What the cache knows.
pub(crate) enum Look {
    /// The newest state.
    Here(Arc<Known>),
    /// There is no such session.
    Absent,
    /// The file must be asked; the ticket proves that nothing was committed meanwhile.
    Unknown(Ticket),
}

/// The state of a group of sessions before a read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticket(u64);

/// What a commit changed.
#[derive(Default)]
pub(crate) struct Committed {
    /// The newest state of every session in it.
    pub sessions: Vec<(SessionId, Arc<Known>)>,
    /// What it did to texts.
    pub texts: TextNews,
}

pub(crate) struct Cache {
    sessions: Mutex<Sessions>,
    texts: Mutex<Texts>,
}

struct Sessions {
    open: Aged<SessionId, Arc<Known>>,
    resting: Aged<SessionId, Resting>,
    commits: Vec<u64>,
    ever: Ever,
}

impl Cache {
    pub fn new(ever: Ever) -> Self {
        let sessions = Sessions {
            open: Aged::new(MOST_OPEN_BYTES),
            resting: Aged::new(MOST_RESTING_BYTES),
            commits: vec![0; GROUPS],
            ever,
        };
        Self {
            sessions: Mutex::new(sessions),
            texts: Mutex::new(Texts::new()),
        }
    }

    pub fn look(&self, id: SessionId) -> Look {
        let mut sessions = self.sessions();
        if let Some(known) = sessions.get(id) {
            return Look::Here(known);
        }
        if !sessions.ever.may_hold(id) {
            return Look::Absent;
        }
        Look::Unknown(Ticket(sessions.commits[group(id)]))
    }

    /// Keeps what a read found, unless a commit may have overtaken the read.
    pub fn fill(&self, id: SessionId, ticket: Ticket, known: Arc<Known>) {
        let mut sessions = self.sessions();
        if sessions.commits[group(id)] == ticket.0 {
            sessions.put(id, known);
        }
    }

    /// The texts of these messages as far as they are here, each in its place.
    pub fn messages(&self, ids: &[MessageId]) -> Vec<Option<MessageText>> {
        let mut texts = self.texts();
        ids.iter().map(|id| texts.message(*id)).collect()
    }

    /// The contents of these replies as far as they are here, each in its place.
    pub fn replies(&self, ids: &[ReplyId]) -> Vec<Option<ReplyText>> {
        let mut texts = self.texts();
        ids.iter().map(|id| texts.reply(*id)).collect()
    }

    /// Keeps what was committed.
    pub fn committed(&self, committed: Committed) {
        let mut sessions = self.sessions();
        for (id, known) in committed.sessions {
            sessions.commits[group(id)] += 1;
            sessions.ever.add(id);
            sessions.put(id, known);
        }
        drop(sessions);
        self.texts().committed(committed.texts);
    }

    /// Lets go of sessions that changed, or may have, in a way that the cache was not told, and of all texts.
    pub fn distrust(&self, ids: impl Iterator<Item = SessionId>) {
        let mut sessions = self.sessions();
        for id in ids {
            sessions.commits[group(id)] += 1;
            sessions.ever.add(id);
            sessions.open.remove(id);
            sessions.resting.remove(id);
        }
        drop(sessions);
        self.distrust_texts();
    }

    /// Lets go of all texts, some of which are gone or may be.
    pub fn distrust_texts(&self) {
        self.texts().clear();
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn texts(&self) -> MutexGuard<'_, Texts> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sessions {
    fn get(&mut self, id: SessionId) -> Option<Arc<Known>> {
        if let Some(known) = self.open.get(id) {
            return Some(Arc::clone(known));
        }
        self.resting
            .get(id)
            .map(|resting| Arc::new(resting.known()))
    }

    fn put(&mut self, id: SessionId, known: Arc<Known>) {
        if let Some(resting) = Resting::of(&known) {
            self.open.remove(id);
            self.resting.put(id, resting);
        } else {
            self.resting.remove(id);
            self.open.put(id, known);
        }
    }
}

impl Weigh for Arc<Known> {
    fn bytes(&self) -> usize {
        let Stored { key, session, .. } = &self.stored;
        let fields = [&key.channel, &key.account, &key.conversation, &key.contact];
        let fields: usize = fields.iter().map(|field| field.len() + 16).sum();
        share_of::<(SessionId, Self)>() + size_of::<Known>() + fields + open_bytes(session)
    }
}

/// What a session's open work points to.
fn open_bytes(session: &Session) -> usize {
    let replies = session
        .replies
        .iter()
        .map(|reply| size_of_val(reply) + reply.covers.len() * size_of::<MessageId>());
    let burst = session
        .owner
        .as_ref()
        .map_or(0, |owner| size_of_val(&owner.burst[..]));
    size_of_val(&session.uncovered[..]) + replies.sum::<usize>() + burst
}

fn group(id: SessionId) -> usize {
    id.0 as usize % GROUPS
}

#[cfg(test)]
mod tests {
    use replygate_gate::{At, Session, SessionKey, Takeover};

    use super::*;

    fn known(version: u64) -> Arc<Known> {
        let takeover = Takeover {
            by: "ana".to_owned(),
            since: At(0),
        };
        let session = Session {
            takeover: Some(takeover),
            ..Session::default()
        };
        let key = SessionKey::default();
        let stored = Stored {
            key,
            version,
            session,
        };
        Arc::new(Known { n: 1, stored })
    }

    fn at_rest() -> Arc<Known> {
        let mut known = Known::clone(&known(1));
        known.stored.session = Session::default();
        Arc::new(known)
    }

    fn commit(cache: &Cache, id: SessionId, known: Arc<Known>) {
        cache.committed(Committed {
            sessions: vec![(id, known)],
            ..Committed::default()
        });
    }

    fn id(n: u64) -> SessionId {
        SessionKey {
            contact: n.to_string(),
            ..SessionKey::default()
        }
        .session()
    }

    fn version(cache: &Cache, id: SessionId) -> Option<u64> {
        match cache.look(id) {
            Look::Here(known) => Some(known.stored.version),
            Look::Absent | Look::Unknown(_) => None,
        }
    }

    fn cache_with(id: SessionId) -> Cache {
        let mut ever = Ever::new();
        ever.add(id);
        Cache::new(ever)
    }

    #[test]
    fn a_read_that_a_commit_overtook_is_not_kept() {
        let cache = cache_with(id(1));
        let Look::Unknown(ticket) = cache.look(id(1)) else {
            panic!("nothing is cached yet")
        };
        commit(&cache, id(1), known(2));
        cache.distrust([id(1)].into_iter());
        cache.fill(id(1), ticket, known(1));
        assert_eq!(version(&cache, id(1)), None);
    }

    #[test]
    fn a_read_that_nothing_overtook_is_kept() {
        let cache = cache_with(id(1));
        let Look::Unknown(ticket) = cache.look(id(1)) else {
            panic!("nothing is cached yet")
        };
        cache.fill(id(1), ticket, known(1));
        assert_eq!(version(&cache, id(1)), Some(1));
    }

    #[test]
    fn an_identifier_that_was_never_committed_is_absent_without_a_read() {
        assert!(matches!(Cache::new(Ever::new()).look(id(7)), Look::Absent));
    }

    #[test]
    fn the_cache_stays_bounded_and_keeps_what_is_used() {
        let cache = Cache::new(Ever::new());
        commit(&cache, id(0), known(9));
        commit(&cache, id(1), at_rest());
        for n in 2..60_000 {
            let other = if n % 2 == 0 { known(1) } else { at_rest() };
            commit(&cache, id(n), other);
            assert_eq!(version(&cache, id(0)), Some(9));
        }
        assert_eq!(version(&cache, id(1)), None);
        let sessions = cache.sessions();
        assert!(sessions.open.weight() <= MOST_OPEN_BYTES);
        assert!(sessions.resting.weight() <= MOST_RESTING_BYTES);
    }

    #[test]
    fn a_session_that_comes_to_rest_or_back_to_work_is_here_once() {
        let cache = Cache::new(Ever::new());
        for (turn, next) in [known(1), at_rest(), known(3)].into_iter().enumerate() {
            commit(&cache, id(0), Arc::clone(&next));
            let Look::Here(here) = cache.look(id(0)) else {
                panic!("state {turn} was committed")
            };
            assert_eq!(here, next);
            let sessions = cache.sessions();
            let (open, resting) = (sessions.open.weight(), sessions.resting.weight());
            assert!((open == 0) != (resting == 0), "{open}, {resting}");
        }
    }
}
