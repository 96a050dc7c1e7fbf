//! What changes on a live page: pieces that are made anew, and lists whose lines come and go. Whatever they are made of,
//! their code is there once.

use super::{Erase, Erased};
use leptos::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A piece that is made anew whenever something changes that it reads. Not for what a reader may hold on to: a field, a
/// link or an open list would lose the focus.
pub(crate) fn changing<T: Erase>(
    make: impl Fn() -> T + Send + 'static,
) -> Box<dyn Fn() -> Erased + Send> {
    Box::new(move || make().erased())
}

/// A line of a list, before it is made.
struct Line {
    key: u64,
    make: Box<dyn FnOnce() -> Erased + Send>,
}

/// The lines of a list that changes. A line keeps its place on screen as long as its key is there.
pub(crate) fn lines<T: Send + 'static, K: Hash + 'static, V: Erase>(
    each: impl Fn() -> Vec<T> + Send + 'static,
    key: fn(&T) -> K,
    line: impl Fn(T) -> V + Clone + Send + 'static,
) -> impl IntoView {
    shown(Box::new(move || {
        let each = each().into_iter();
        each.map(|item| {
            let line = line.clone();
            Line {
                key: hashed(&key(&item)),
                make: Box::new(move || line(item).erased()),
            }
        })
        .collect()
    }))
}

fn shown(each: Box<dyn Fn() -> Vec<Line> + Send>) -> impl IntoView {
    view! { <For each key=|line: &Line| line.key children=|line: Line| (line.make)()/> }
}

fn hashed(key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
