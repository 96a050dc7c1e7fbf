//! The browser's end of the live stream.
//!
//! It never shows anything itself: it says when something changed, and whether it still hears.

use super::{Following, Live, clock};
use crate::browser::{Value, read};
use crate::view::{Change, Topic};
use leptos::prelude::*;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{EventSource, MessageEvent};

/// How long a stream that the server refused is left alone before it is asked for again.
const AGAIN_AFTER: Duration = Duration::from_secs(5);

/// Starts following when the component is on screen, and stops with it.
pub(super) fn follow(live: Live, topic: &Topic, on_change: impl Fn(Change) + 'static) {
    let page = Line {
        live,
        address: format!("/events/stream?topics={}", topic.stored()),
        on_change: Rc::new(on_change),
        stream: StoredValue::new_local(None),
    };
    let stream = page.stream;
    Effect::new(move |_| page.open());
    Effect::new(move |_| clock::start(live));
    on_cleanup(move || drop(stream.try_set_value(None)));
}

/// One page's line to the server, over all its connections.
#[derive(Clone)]
struct Line {
    live: Live,
    address: String,
    on_change: Rc<dyn Fn(Change)>,
    stream: StoredValue<Option<Stream>, LocalStorage>,
}

impl Line {
    fn open(&self) {
        let Ok(source) = EventSource::new(&self.address) else {
            self.live.following.set(Following::Broken);
            return;
        };
        let stream = Stream {
            listeners: self.listen(&source),
            source,
        };
        stream.attach();
        // A page that is gone meanwhile gives the stream back, and dropping closes it.
        drop(self.stream.try_set_value(Some(stream)));
    }

    fn listen(&self, source: &EventSource) -> [(&'static str, Listener); 4] {
        let (opened, heard, beat, lost) = (self.clone(), self.clone(), self.clone(), self.clone());
        let source = source.clone();
        [
            // What happened between the making of the page and now was not heard: look once.
            ("open", listener(move |_| opened.hear(Change::Resync))),
            ("change", listener(move |event| heard.read(&event))),
            ("beat", listener(move |_| beat.confirm())),
            ("error", listener(move |_| lost.lose(&source))),
        ]
    }

    fn read(&self, event: &MessageEvent) {
        let data = event.data().as_string().unwrap_or_default();
        // A frame of a newer server that this page cannot read still means that something changed.
        let changes: Vec<Change> = Value::parsed(&data)
            .and_then(read)
            .unwrap_or_else(|| vec![Change::Resync]);
        for change in changes {
            self.hear(change);
        }
    }

    fn hear(&self, change: Change) {
        self.live.following.set(Following::Live);
        (self.on_change)(change);
    }

    /// Nothing changed, and the line stands: what is on screen is of now.
    fn confirm(&self) {
        self.live.following.set(Following::Live);
        self.live.confirmed();
    }

    /// The browser comes back by itself unless the server refused.
    fn lose(&self, source: &EventSource) {
        self.live.following.set(Following::Broken);
        if source.ready_state() == EventSource::CLOSED {
            let line = self.clone();
            set_timeout(move || line.open(), AGAIN_AFTER);
        }
    }
}

type Listener = Closure<dyn FnMut(MessageEvent)>;

fn listener(heard: impl FnMut(MessageEvent) + 'static) -> Listener {
    Closure::new(heard)
}

/// An open connection with its listeners; closed when it is dropped.
struct Stream {
    source: EventSource,
    listeners: [(&'static str, Listener); 4],
}

impl Stream {
    fn attach(&self) {
        for (name, listener) in &self.listeners {
            let listener = listener.as_ref().unchecked_ref();
            // Only fails for a listener that is no function.
            let _ = self.source.add_event_listener_with_callback(name, listener);
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.source.close();
    }
}
