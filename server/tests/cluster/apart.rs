//! Many plays at once, each on a thread and a runtime of its own, so that none waits for what another one starts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::runtime::{Builder, Runtime};

pub fn runtime() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
}

/// Plays every part, so many at once; what differs, each behind its name.
pub fn all<P: Sync, F: Future<Output = Vec<String>>>(
    parts: &[P],
    at_once: usize,
    name: impl Fn(&P) -> String + Sync,
    play: impl Fn(&P) -> F + Sync,
) -> Vec<String> {
    let (next, differs) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::SeqCst)) {
            let played = catch_unwind(AssertUnwindSafe(|| runtime().block_on(play(part))));
            let found = played.unwrap_or_else(|_| vec!["it broke".to_owned()]);
            let verdict = if found.is_empty() { "ok" } else { "DIFFERS" };
            println!("{}: {verdict}", name(part));
            let named = found.iter().map(|what| format!("{}: {what}", name(part)));
            differs.lock().unwrap().extend(named);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(work);
        }
    });
    differs.into_inner().unwrap()
}
