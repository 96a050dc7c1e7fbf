//! Keeping a page on screen up to date.
//!
//! The stream says that something changed, never what it says now; the page asks for what it shows. On the server
//! nothing here runs: a page without scripts says when it was made and offers a link to make it again.

#[cfg(feature = "hydrate")]
mod clock;
#[cfg(feature = "hydrate")]
mod source;
#[cfg(feature = "ssr")]
pub(crate) mod stream;

use crate::view::{At, Change, Topic};
use leptos::prelude::*;

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

/// How fresh a page is, and what time it is there.
#[derive(Clone, Copy)]
pub struct Live {
    /// Whether it follows.
    pub following: RwSignal<Following>,
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
            as_of: RwSignal::new(as_of),
            now: RwSignal::new(as_of),
        }
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
