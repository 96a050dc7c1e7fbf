//! The rows on screen, and how they follow what happens.
//!
//! A row keeps its place and changes there. A session that was not on screen joins on top, on the first stretch only.
//! Changes that come meanwhile are fetched together afterwards, so a busy system costs a page one request at a time.

use super::filter::Wanted;
use crate::api::{list_sessions, refresh_sessions};
use crate::live::Live;
use crate::view::{Change, ConsoleError, Count, Page, SessionId, SessionRow};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::BTreeSet;
use std::time::Duration;

/// At most so often the rows are fetched: five times a second.
const PAUSE: Duration = Duration::from_millis(200);

/// So long a server that did not answer is left alone.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(5);

/// A list of rows that changes in place.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    live: Live,
    wanted: StoredValue<Wanted>,
    shown: RwSignal<Vec<ArcRwSignal<SessionRow>>>,
    total: RwSignal<Option<Count>>,
    stale: StoredValue<Stale>,
}

/// What is known to be out of date.
#[derive(Default)]
struct Stale {
    rows: BTreeSet<SessionId>,
    list: Freshness,
    fetching: Fetching,
}

impl Stale {
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.list == Freshness::Fresh
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Freshness {
    #[default]
    Fresh,
    Stale,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Fetching {
    #[default]
    No,
    Yes,
}

impl Rows {
    pub(super) fn new(wanted: Wanted, live: Live, page: Page<SessionRow>) -> Self {
        let total = RwSignal::new(page.total);
        let shown = page.rows.into_iter().map(ArcRwSignal::new).collect();
        Self {
            live,
            wanted: StoredValue::new(wanted),
            shown: RwSignal::new(shown),
            total,
            stale: StoredValue::new(Stale::default()),
        }
    }

    pub(super) fn shown(self) -> RwSignal<Vec<ArcRwSignal<SessionRow>>> {
        self.shown
    }

    /// How many sessions match, as of the newest reading of the list.
    pub(super) fn total(self) -> Option<Count> {
        self.total.get()
    }

    /// Something changed.
    pub(super) fn heard(self, change: Change) {
        match change {
            Change::Session { id, version } => self.heard_of(id, version),
            Change::Resync => self.mark(self.ids(), Freshness::Stale),
        }
        if self.stale.with_value(Stale::is_empty) {
            self.live.confirmed();
        } else {
            self.fetch();
        }
    }

    fn heard_of(self, id: SessionId, version: u64) {
        match self.version(&id) {
            Some(shown) if shown >= version => {}
            Some(_) => self.mark(vec![id], Freshness::Fresh),
            None if self.wanted.with_value(|wanted| wanted.after.is_some()) => {}
            None => self.mark(Vec::new(), Freshness::Stale),
        }
    }

    fn mark(self, rows: Vec<SessionId>, list: Freshness) {
        let _ = self.stale.try_update_value(|stale| {
            stale.rows.extend(rows);
            stale.list = stale.list.max(list);
        });
    }

    /// Fetches what is stale, unless that is under way; and again after a pause while there is more.
    fn fetch(self) {
        let Some(Fetching::No) = self.stale.try_with_value(|stale| stale.fetching) else {
            return;
        };
        let Some((rows, list)) = self.next_work() else {
            return;
        };
        self.stale
            .update_value(|stale| stale.fetching = Fetching::Yes);
        spawn_local(async move {
            let pause = if self.renew(rows.clone(), list).await.is_ok() {
                PAUSE
            } else {
                // The last good rows stay, with their age.
                self.mark(rows, list);
                PAUSE_AFTER_FAILURE
            };
            set_timeout(move || self.rested(), pause);
        });
    }

    fn rested(self) {
        let _ = self
            .stale
            .try_update_value(|stale| stale.fetching = Fetching::No);
        self.fetch();
    }

    /// What is to be fetched next; nothing when all is fresh or the page is gone.
    fn next_work(self) -> Option<(Vec<SessionId>, Freshness)> {
        self.stale
            .try_update_value(|stale| {
                if stale.is_empty() {
                    return None;
                }
                let rows = std::mem::take(&mut stale.rows).into_iter().collect();
                Some((rows, std::mem::take(&mut stale.list)))
            })
            .flatten()
    }

    async fn renew(self, rows: Vec<SessionId>, list: Freshness) -> Result<(), ConsoleError> {
        if !rows.is_empty() {
            self.take_in(refresh_sessions(rows).await?);
        }
        let Some(wanted) = self.wanted.try_get_value() else {
            return Ok(());
        };
        if list == Freshness::Stale && wanted.after.is_none() {
            let page = list_sessions(wanted.filter.clone(), wanted.page())
                .await?
                .page;
            let _ = self.total.try_set(page.total);
            self.take_in(page);
        }
        Ok(())
    }

    fn take_in(self, page: Page<SessionRow>) {
        if self.shown.is_disposed() {
            return;
        }
        let mut new = Vec::new();
        for row in page.rows {
            match self.find(&row.id) {
                Some(shown) => replace(&shown, row),
                None => new.push(ArcRwSignal::new(row)),
            }
        }
        if !new.is_empty() {
            self.shown.update(|shown| drop(shown.splice(0..0, new)));
        }
        self.live.renewed(page.as_of);
    }

    fn find(self, id: &SessionId) -> Option<ArcRwSignal<SessionRow>> {
        self.shown.with_untracked(|shown| {
            shown
                .iter()
                .find(|row| row.with_untracked(|row| row.id == *id))
                .cloned()
        })
    }

    fn version(self, id: &SessionId) -> Option<u64> {
        self.find(id)
            .map(|row| row.with_untracked(|row| row.version))
    }

    fn ids(self) -> Vec<SessionId> {
        self.shown.with_untracked(|shown| {
            shown
                .iter()
                .map(|row| row.with_untracked(|row| row.id.clone()))
                .collect()
        })
    }
}

/// Never lets an older row overwrite a newer one.
fn replace(shown: &ArcRwSignal<SessionRow>, row: SessionRow) {
    if shown.with_untracked(|shown| shown.version <= row.version && *shown != row) {
        shown.set(row);
    }
}
