//! How a session on screen follows what happens: it is read again as a whole, one reading at a time.

use crate::api::{SessionView, open_session};
use crate::live::Live;
use crate::view::{Change, Cursor, SessionId, Topic};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;

/// At most so often the session is read: five times a second.
const PAUSE: Duration = Duration::from_millis(200);

/// So long a server that did not answer is left alone.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Keeps `shown` up to date while the component lives.
pub(super) fn follow(
    id: SessionId,
    after: Option<Cursor>,
    shown: RwSignal<SessionView>,
    live: Live,
) {
    let topic = Topic::Session(id.clone());
    let following = Following {
        address: StoredValue::new((id, after)),
        shown,
        live,
        state: StoredValue::new(State::Fresh),
    };
    live.follow(&topic, move |change| following.heard(&change));
}

/// Whether there is anything to read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing changed since the last reading.
    Fresh,
    /// It is being read.
    Reading,
    /// It is being read, and something changed meanwhile.
    ReadingStale,
}

#[derive(Clone, Copy)]
struct Following {
    address: StoredValue<(SessionId, Option<Cursor>)>,
    shown: RwSignal<SessionView>,
    live: Live,
    state: StoredValue<State>,
}

impl Following {
    fn heard(self, change: &Change) {
        if let Change::Session { version, .. } = change
            && self
                .shown
                .with_untracked(|shown| shown.detail.row.version >= *version)
        {
            return self.live.confirmed();
        }
        match self.state.get_value() {
            State::Fresh => self.read(),
            State::Reading | State::ReadingStale => self.state.set_value(State::ReadingStale),
        }
    }

    fn read(self) {
        let Some((id, after)) = self.address.try_get_value() else {
            return;
        };
        self.state.set_value(State::Reading);
        spawn_local(async move {
            let pause = if let Ok(view) = open_session(id, after).await {
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
    fn show(self, view: SessionView) {
        if !self.shown.is_disposed() {
            self.live.renewed(view.detail.as_of);
            self.shown.set(view);
        }
    }

    fn rested(self) {
        match self.state.try_get_value() {
            Some(State::ReadingStale) => self.read(),
            Some(_) => self.state.set_value(State::Fresh),
            None => {}
        }
    }
}
