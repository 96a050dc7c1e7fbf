//! The console's answers: the seam's areas over the ports. Every method checks its permission first and masks texts and
//! contacts for whoever may not see them; must never answer with an internal text.

mod activity;
mod built_in;
mod changes;
mod channels;
mod checks;
mod commands;
mod compared;
mod conversation;
mod counts;
mod cursor;
mod decisions;
mod duplicates;
mod exports;
mod facts;
mod guard;
mod health;
mod lab;
mod lanes;
mod masking;
mod messages;
mod operations;
mod parked;
mod people;
mod places;
mod replay;
mod reveals;
mod ring;
mod rows;
mod runs;
mod saved;
mod sessions;
mod sign_ins;
mod state;
mod story;
mod whole;

use std::sync::Arc;

use replygate_app::console::ConsoleHandle;
use replygate_app::view::{At, Caller, ChannelRef, ConsoleError};
use replygate_ports::activity::ActivityResult;
use replygate_ports::clock::sortable_id;
use replygate_ports::store::StoreError;
use tokio::sync::Notify;

pub(crate) use ring::Ring;
pub(crate) use runs::IDLE;

use crate::activity::Entry;
use crate::auth::Door;
use crate::service::Service;

/// The console of this server.
pub(crate) struct ServerConsole {
    service: Arc<Service>,
    door: Arc<Door>,
    ring: Arc<Ring>,
    /// Wakes the room in which operations are carried out.
    runs: Notify,
    /// When it began.
    since: replygate_gate::At,
}

impl ServerConsole {
    /// A console over this service.
    pub(crate) fn new(service: &Arc<Service>, door: &Arc<Door>, ring: &Arc<Ring>) -> Arc<Self> {
        Arc::new(Self {
            service: service.clone(),
            door: door.clone(),
            ring: ring.clone(),
            runs: Notify::new(),
            since: service.stores.clock.now(),
        })
    }

    /// The console as pages and server functions find it.
    pub(crate) fn handle(self: &Arc<Self>) -> ConsoleHandle {
        ConsoleHandle(self.clone())
    }

    /// A new identifier that sorts by time.
    fn new_id(&self) -> u128 {
        let stores = &self.service.stores;
        sortable_id(&*stores.clock, &*stores.entropy)
    }

    /// Writes down what somebody did.
    async fn done(&self, who: &Caller, entry: Entry) {
        let role = who.role.stored();
        self.service
            .note(&who.name, role, entry, ActivityResult::Done)
            .await;
    }

    fn time(&self) -> At {
        At(self.service.stores.clock.now().0)
    }
}

fn at(at: replygate_gate::At) -> At {
    At(at.0)
}

fn channel(id: &str) -> ChannelRef {
    ChannelRef {
        id: id.into(),
        name: id.to_owned(),
    }
}

fn not_found(what: &str) -> ConsoleError {
    ConsoleError::NotFound {
        what: what.to_owned(),
    }
}

/// A fault of the store is told to the log; the page learns that there is no answer.
#[expect(
    clippy::needless_pass_by_value,
    reason = "it stands in `map_err`, which gives the error away"
)]
fn unavailable(error: StoreError) -> ConsoleError {
    if let StoreError::TookTooLong(source) = &error {
        tracing::warn!(
            error = &**source as &dyn std::error::Error,
            "a question of the console was stopped: it took too long"
        );
        return ConsoleError::TookTooLong;
    }
    tracing::error!(
        error = &error as &dyn std::error::Error,
        "the console cannot read the store"
    );
    ConsoleError::Unavailable
}

/// An identifier as the domain has it; a text that is none names nothing.
fn id<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, ConsoleError> {
    text.parse().map_err(|_| not_found(what))
}
