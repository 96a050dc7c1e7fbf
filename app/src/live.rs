//! Keeping a page on screen up to date.
//!
//! The stream says that something changed, never what it says now; the page asks for what it shows. On the server
//! nothing here runs: a page without scripts says when it was made and offers a link to make it again.

#[cfg(feature = "hydrate")]
mod clock;
mod rows;
#[cfg(feature = "hydrate")]
mod source;
#[cfg(feature = "ssr")]
pub(crate) mod stream;
mod whole;

use crate::view::{At, Change, Topic};
use leptos::prelude::*;

pub(crate) use rows::{Fetched, Listing, LiveRow, Row, Rows};
pub(crate) use whole::follow_whole;

/// Selects every row on the page, or none; in the browser only.
pub(crate) fn tick_all(checked: bool) {
    #[cfg(feature = "hydrate")]
    crate::browser::tick_all(checked);
    #[cfg(not(feature = "hydrate"))]
    let _ = checked;
}

/// Whether a page follows what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Following {
    /// Not (yet): the page is as the server made it.
    Still,
    /// Changes arrive.
    Live,
    /// The connection is gone; the browser tries again.
    Broken,
}

/// Why what is on screen is left as it is although changes arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// It is not.
    No,
    /// The reader asked for it.
    Asked,
    /// So many rows are selected.
    Selected(usize),
    /// The reader is in the list: a text is marked, the keyboard is in a row, or a dialog is open.
    Busy,
}

/// How fresh a page is, and what time it is there.
#[derive(Clone, Copy)]
pub struct Live {
    /// Whether it follows.
    pub following: RwSignal<Following>,
    /// Whether what arrives has to wait.
    pub pause: RwSignal<Pause>,
    /// The server's time of the newest data on screen.
    pub as_of: RwSignal<At>,
    /// The server's time now, as well as the browser knows it: the time of the data plus what has passed since.
    pub now: RwSignal<At>,
}

impl Live {
    /// A page made at `as_of`.
    #[must_use]
    pub fn made(as_of: At) -> Self {
        Self {
            following: RwSignal::new(Following::Still),
            pause: RwSignal::new(Pause::No),
            as_of: RwSignal::new(as_of),
            now: RwSignal::new(as_of),
        }
    }

    /// The reader asks for a pause, or ends it.
    pub fn toggle(self) {
        let next = match self.pause.get_untracked() {
            Pause::Asked => Pause::No,
            _ => Pause::Asked,
        };
        self.pause.set(next);
    }

    /// Newer data came in.
    pub fn renewed(self, as_of: At) {
        self.as_of.set(as_of);
        self.now.set(as_of);
    }

    /// Nothing on screen changed: it is of now.
    pub fn confirmed(self) {
        self.as_of.set(self.now.get_untracked());
    }

    /// Calls `on_change` for each change of `topic` while the component lives; in the browser only.
    pub fn follow(self, topic: &Topic, on_change: impl Fn(Change) + 'static) {
        #[cfg(feature = "hydrate")]
        source::follow(self, topic, on_change);
        #[cfg(not(feature = "hydrate"))]
        let _ = (topic, on_change);
    }
}
