//! The page's clock in the browser: the server's time of the data, plus what has passed here since.
//!
//! It never shows the browser's own time of day, which may be wrong.

use super::{Following, Live, Pause};
use crate::browser;
use crate::view::At;
use leptos::prelude::*;
use std::cell::Cell;
use std::time::Duration;

/// Heartbeats come every 15 s; after so many milliseconds without any sign the line counts as lost.
const SILENCE_MS: i64 = 20_000;

/// Moves the clock on once a second until the running effect ends.
pub(super) fn start(live: Live) {
    let base = Cell::new((live.as_of.get_untracked(), js_sys::Date::now()));
    let ticking = set_interval_with_handle(move || tick(live, &base), Duration::from_secs(1));
    if let Ok(ticking) = ticking {
        on_cleanup(move || ticking.clear());
    }
}

fn tick(live: Live, base: &Cell<(At, f64)>) {
    let (as_of, here) = (live.as_of.get_untracked(), js_sys::Date::now());
    if base.get().0 != as_of {
        base.set((as_of, here));
    }
    let passed = (here - base.get().1) as i64;
    live.now.set(At(as_of.0 + passed));
    if passed > SILENCE_MS && live.pause.get_untracked() == Pause::No {
        live.following.set(Following::Broken);
    }
    look_at_the_reader(live);
}

/// A pause that the reader asked for is theirs to end; every other one follows what they do.
fn look_at_the_reader(live: Live) {
    let present = live.pause.get_untracked();
    if present == Pause::Asked {
        return;
    }
    let next = browser::pause();
    if next != present {
        live.pause.set(next);
    }
}
