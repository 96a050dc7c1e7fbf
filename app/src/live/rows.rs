//! The rows of a list on screen, and how they follow what happens.
//!
//! A row keeps its place and changes there; one that no longer belongs to the list stays, dimmed. Rows that were not on
//! screen wait outside the list until the reader asks for them, on its first stretch only; an empty list takes them in
//! at once. Changes that come meanwhile are fetched together afterwards, so a busy system costs a page one request at a
//! time. While the reader pauses, nothing is fetched.

use super::{Live, Pause};
use crate::view::{Change, ConsoleError, Count, Page};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::BTreeSet;
use std::pin::Pin;
use std::time::Duration;

/// At most so often rows are fetched: five times a second.
const PAUSE: Duration = Duration::from_millis(200);

/// So long a server that did not answer is left alone.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(5);

/// A line of a list that follows what happens.
pub(crate) trait Row: Clone + PartialEq + Send + Sync + 'static {
    /// Names the row among all others.
    fn id(&self) -> &str;
    /// The session whose changes change it; empty where none does.
    fn session(&self) -> &str;
    /// Its version when it was read: its session's, or its own. An older reading never replaces a newer one.
    fn version(&self) -> u64;
}

/// Rows that are on their way.
pub(crate) type Fetched<T> = Pin<Box<dyn Future<Output = Result<Page<T>, ConsoleError>>>>;

/// How the rows of one list are read again.
pub(crate) trait Listing: Clone + Send + Sync + 'static {
    /// Its rows.
    type Row: Row;
    /// The present rows with these ids.
    fn rows(&self, ids: Vec<String>) -> Fetched<Self::Row>;
    /// The same stretch of the list again.
    fn list(&self) -> Fetched<Self::Row>;
    /// Whether new rows belong on this stretch.
    fn is_first(&self) -> bool;
    /// Whether a row still belongs to the list.
    fn fits(&self, row: &Self::Row) -> bool;
    /// Whether a session that has a row may get another one.
    fn grows(&self) -> bool;
}

/// A row on screen.
pub(crate) struct LiveRow<R: Row> {
    /// What it shows.
    pub(crate) row: ArcRwSignal<R>,
    /// How often it changed on screen.
    pub(crate) changes: ArcRwSignal<u32>,
}

impl<R: Row> Clone for LiveRow<R> {
    fn clone(&self) -> Self {
        Self {
            row: self.row.clone(),
            changes: self.changes.clone(),
        }
    }
}

impl<R: Row> LiveRow<R> {
    fn new(row: R) -> Self {
        Self {
            row: ArcRwSignal::new(row),
            changes: ArcRwSignal::new(0),
        }
    }

    /// Names the row.
    pub(crate) fn id(&self) -> String {
        self.row.with_untracked(|row| row.id().to_owned())
    }

    /// Lets a change be seen: alternates, so that the same attribute shows the next one too.
    pub(crate) fn flash(&self) -> Option<&'static str> {
        match self.changes.get() {
            0 => None,
            odd if odd % 2 == 1 => Some("odd"),
            _ => Some("even"),
        }
    }
}

/// A list of rows that changes in place.
pub(crate) struct Rows<L: Listing> {
    live: Live,
    listing: StoredValue<L>,
    shown: RwSignal<Vec<LiveRow<L::Row>>>,
    waiting: RwSignal<Vec<L::Row>>,
    total: RwSignal<Option<Count>>,
    stale: StoredValue<Stale>,
}

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "a derived one would ask it of the type parameter too"
)]
impl<L: Listing> Clone for Rows<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Listing> Copy for Rows<L> {}

/// What is known to be out of date.
#[derive(Default)]
struct Stale {
    rows: BTreeSet<String>,
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

impl<L: Listing> Rows<L> {
    pub(crate) fn new(listing: L, live: Live, page: Page<L::Row>) -> Self {
        let rows = Self {
            live,
            listing: StoredValue::new(listing),
            shown: RwSignal::new(page.rows.into_iter().map(LiveRow::new).collect()),
            waiting: RwSignal::new(Vec::new()),
            total: RwSignal::new(page.total),
            stale: StoredValue::new(Stale::default()),
        };
        // The end of a pause is the time to look at what came meanwhile.
        Effect::new(move |_| {
            if live.pause.get() == Pause::No {
                rows.fetch();
            }
        });
        rows
    }

    pub(crate) fn shown(self) -> RwSignal<Vec<LiveRow<L::Row>>> {
        self.shown
    }

    /// How many rows wait outside the list.
    pub(crate) fn waiting(self) -> usize {
        self.waiting.read().len()
    }

    /// Takes in the rows that wait.
    pub(crate) fn show_waiting(self) {
        let waiting = std::mem::take(&mut *self.waiting.write());
        self.put_on_top(waiting);
    }

    /// How many rows match, as of the newest reading of the list.
    pub(crate) fn total(self) -> Option<Count> {
        self.total.get()
    }

    /// Whether a row still belongs to the list.
    pub(crate) fn fits(self, row: &L::Row) -> bool {
        self.listing
            .try_with_value(|listing| listing.fits(row))
            .unwrap_or(true)
    }

    /// Something changed.
    pub(crate) fn heard(self, change: &Change) {
        match change {
            Change::Session { id, version } => self.heard_of(id.as_str(), *version),
            Change::Resync => self.mark(self.ids(|_| true), Freshness::Stale),
            Change::Duplicate { id } => self.heard_of_row(id),
            Change::Operation { .. } => {}
        }
        if self.stale.with_value(Stale::is_empty) {
            self.live.confirmed();
        } else {
            self.fetch();
        }
    }

    fn heard_of(self, session: &str, version: u64) {
        let rows = self.ids(|row| row.session() == session && row.version() < version);
        let is_known = self.shown.with_untracked(|shown| {
            shown
                .iter()
                .any(|each| each.row.with_untracked(|row| row.session() == session))
        });
        let (is_first, grows) = self
            .listing
            .with_value(|listing| (listing.is_first(), listing.grows()));
        let list = if is_first && (grows || !is_known) {
            Freshness::Stale
        } else {
            Freshness::Fresh
        };
        self.mark(rows, list);
    }

    /// A row that is named itself: one on screen changed, any other is new.
    fn heard_of_row(self, id: &str) {
        let rows = self.ids(|row| row.id() == id);
        let is_first = self.listing.with_value(Listing::is_first);
        let list = if rows.is_empty() && is_first {
            Freshness::Stale
        } else {
            Freshness::Fresh
        };
        self.mark(rows, list);
    }

    fn mark(self, rows: Vec<String>, list: Freshness) {
        let _ = self.stale.try_update_value(|stale| {
            stale.rows.extend(rows);
            stale.list = stale.list.max(list);
        });
    }

    /// Fetches what is stale, unless that is under way or has to wait; and again after a pause while there is more.
    fn fetch(self) {
        if self.live.pause.try_get_untracked() != Some(Pause::No) {
            return;
        }
        let Some(Fetching::No) = self.stale.try_with_value(|stale| stale.fetching) else {
            return;
        };
        if self.stale.with_value(Stale::is_empty) {
            return;
        }
        self.stale
            .update_value(|stale| stale.fetching = Fetching::Yes);
        // Looked at a moment later, when every change of the same frame is marked.
        spawn_local(async move {
            let (rows, list) = self.next_work();
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

    /// What is to be fetched next; nothing when the page is gone.
    fn next_work(self) -> (Vec<String>, Freshness) {
        self.stale
            .try_update_value(|stale| {
                let rows = std::mem::take(&mut stale.rows).into_iter().collect();
                (rows, std::mem::take(&mut stale.list))
            })
            .unwrap_or_default()
    }

    async fn renew(self, rows: Vec<String>, list: Freshness) -> Result<(), ConsoleError> {
        let Some(listing) = self.listing.try_get_value() else {
            return Ok(());
        };
        if !rows.is_empty() {
            self.take_in(listing.rows(rows).await?);
        }
        if list == Freshness::Stale && listing.is_first() {
            let page = listing.list().await?;
            let _ = self.total.try_set(page.total);
            let new = self.take_in(page);
            self.let_wait(new);
        }
        Ok(())
    }

    /// Renews the rows on screen; returns those that are not there.
    fn take_in(self, page: Page<L::Row>) -> Vec<L::Row> {
        if self.shown.is_disposed() {
            return Vec::new();
        }
        let mut new = Vec::new();
        for row in page.rows {
            match self.find(row.id()) {
                Some(shown) => replace(&shown, row),
                None => new.push(row),
            }
        }
        self.live.renewed(page.as_of);
        new
    }

    fn let_wait(self, new: Vec<L::Row>) {
        if self.shown.try_with_untracked(Vec::is_empty) == Some(true) {
            return self.put_on_top(new);
        }
        let is_news = self.waiting.try_with_untracked(|waiting| *waiting != new);
        if is_news == Some(true) {
            self.waiting.set(new);
        }
    }

    fn put_on_top(self, new: Vec<L::Row>) {
        if new.is_empty() {
            return;
        }
        let new = new.into_iter().map(LiveRow::new);
        self.shown.update(|shown| drop(shown.splice(0..0, new)));
    }

    fn find(self, id: &str) -> Option<LiveRow<L::Row>> {
        self.shown.with_untracked(|shown| {
            shown
                .iter()
                .find(|each| each.row.with_untracked(|row| row.id() == id))
                .cloned()
        })
    }

    fn ids(self, wanted: impl Fn(&L::Row) -> bool) -> Vec<String> {
        self.shown.with_untracked(|shown| {
            shown
                .iter()
                .filter(|each| each.row.with_untracked(&wanted))
                .map(LiveRow::id)
                .collect()
        })
    }
}

/// Never lets an older row overwrite a newer one.
fn replace<R: Row>(shown: &LiveRow<R>, row: R) {
    let is_newer = shown
        .row
        .with_untracked(|shown| shown.version() <= row.version() && *shown != row);
    if is_newer {
        shown.row.set(row);
        shown.changes.update(|changes| *changes += 1);
    }
}
