//! The rows on screen, and how they follow what happens.
//!
//! A row keeps its place and changes there. A session that was not on screen joins on top, on the first stretch only.
//! Changes that come while the rows are being fetched are fetched together afterwards, so a busy system costs a page
//! one request at a time.

use super::filter::Wanted;
use crate::api::{list_sessions, refresh_sessions};
use crate::live::Live;
use crate::view::{Change, ConsoleError, Count, Page, SessionId, SessionRow};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::BTreeSet;

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

#[derive(Clone, Copy, Default, PartialEq, Eq)]
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
            Change::Session { id, version } => match self.version(&id) {
                Some(shown) if shown >= version => return,
                Some(_) => self.stale.update_value(|stale| stale.rows.extend([id])),
                None => self
                    .stale
                    .update_value(|stale| stale.list = Freshness::Stale),
            },
            Change::Resync => {
                let ids = self.ids();
                self.stale.update_value(|stale| {
                    stale.rows.extend(ids);
                    stale.list = Freshness::Stale;
                });
            }
        }
        self.fetch();
    }

    fn fetch(self) {
        let fetching = self.stale.with_value(|stale| stale.fetching);
        if fetching == Fetching::Yes {
            return;
        }
        self.stale
            .update_value(|stale| stale.fetching = Fetching::Yes);
        spawn_local(async move {
            while let Some((rows, list)) = self.next_work() {
                // A failed fetch leaves the last good rows and their age; the next change tries again.
                if self.renew(rows, list).await.is_err() {
                    break;
                }
            }
            let _ = self
                .stale
                .try_update_value(|stale| stale.fetching = Fetching::No);
        });
    }

    /// What is to be fetched next; nothing when all is fresh or the page is gone.
    fn next_work(self) -> Option<(Vec<SessionId>, Freshness)> {
        self.stale
            .try_update_value(|stale| {
                let rows: Vec<_> = std::mem::take(&mut stale.rows).into_iter().collect();
                let list = std::mem::take(&mut stale.list);
                (!rows.is_empty() || list == Freshness::Stale).then_some((rows, list))
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
            self.take_in(
                list_sessions(wanted.filter.clone(), wanted.page())
                    .await?
                    .page,
            );
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
