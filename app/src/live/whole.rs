//! A page that is read again as a whole when something changed: one reading at a time, never while the reader pauses.

use super::{Live, Pause};
use crate::view::{At, Change, ConsoleError, Topic};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::pin::Pin;
use std::time::Duration;

/// At most so often it is read: five times a second.
const PAUSE: Duration = Duration::from_millis(200);

/// So long a server that did not answer is left alone.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(5);

/// A reading that is on its way.
pub(crate) type Reading<T> = Pin<Box<dyn Future<Output = Result<T, ConsoleError>>>>;

/// Keeps `shown` up to date while the component lives. `is_news` says whether a change concerns what is shown, `read`
/// reads it again, `as_of` says of when a reading is.
pub(crate) fn follow_whole<T: Clone + Send + Sync + 'static>(
    live: Live,
    topic: &Topic,
    shown: RwSignal<T>,
    is_news: impl Fn(&Change, &T) -> bool + Send + Sync + 'static,
    read: impl Fn() -> Reading<T> + Send + Sync + 'static,
    as_of: fn(&T) -> At,
) {
    let whole = Whole {
        live,
        shown,
        read: StoredValue::new(Box::new(read)),
        as_of,
        state: StoredValue::new(State::Fresh),
    };
    // The end of a pause is the time to look at what came meanwhile.
    Effect::new(move |_| {
        if live.pause.get() == Pause::No {
            whole.catch_up();
        }
    });
    live.follow(topic, move |change| {
        if shown.with_untracked(|shown| is_news(&change, shown)) {
            whole.heard();
        } else {
            live.confirmed();
        }
    });
}

/// Whether there is anything to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing changed since the last reading.
    Fresh,
    /// Something changed, and it waits.
    Stale,
    /// It is being read.
    Reading,
    /// It is being read, and something changed meanwhile.
    ReadingStale,
}

type Read<T> = Box<dyn Fn() -> Reading<T> + Send + Sync>;

struct Whole<T: Clone + Send + Sync + 'static> {
    live: Live,
    shown: RwSignal<T>,
    read: StoredValue<Read<T>>,
    as_of: fn(&T) -> At,
    state: StoredValue<State>,
}

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "a derived one would ask it of the type parameter too"
)]
impl<T: Clone + Send + Sync + 'static> Clone for Whole<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Clone + Send + Sync + 'static> Copy for Whole<T> {}

impl<T: Clone + Send + Sync + 'static> Whole<T> {
    fn heard(self) {
        let next = match self.state.get_value() {
            State::Fresh | State::Stale => State::Stale,
            State::Reading | State::ReadingStale => State::ReadingStale,
        };
        self.state.set_value(next);
        self.catch_up();
    }

    /// Reads when there is something to read and the reader does not pause.
    fn catch_up(self) {
        let is_stale = self.state.try_get_value() == Some(State::Stale);
        if !is_stale || self.live.pause.try_get_untracked() != Some(Pause::No) {
            return;
        }
        let Some(reading) = self.read.try_with_value(|read| read()) else {
            return;
        };
        self.state.set_value(State::Reading);
        spawn_local(async move {
            let pause = if let Ok(view) = reading.await {
                self.show(view);
                PAUSE
            } else {
                // The last good view stays, with its age.
                let _ = self.state.try_set_value(State::ReadingStale);
                PAUSE_AFTER_FAILURE
            };
            set_timeout(move || self.rested(), pause);
        });
    }

    /// Shows what was read, unless the page is gone.
    fn show(self, view: T) {
        if !self.shown.is_disposed() {
            self.live.renewed((self.as_of)(&view));
            self.shown.set(view);
        }
    }

    fn rested(self) {
        let next = match self.state.try_get_value() {
            Some(State::ReadingStale) => State::Stale,
            Some(_) => State::Fresh,
            None => return,
        };
        self.state.set_value(next);
        self.catch_up();
    }
}
