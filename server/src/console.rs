//! The console's answers: the seam's areas over the ports. Every method checks its permission first and masks texts and
//! contacts for whoever may not see them; must never answer with an internal text.

mod changes;
mod channels;
mod commands;
mod conversation;
mod cursor;
mod facts;
mod masking;
mod messages;
mod rows;
mod sessions;
mod state;
mod story;

use std::sync::Arc;

use replygate_app::console::ConsoleHandle;
use replygate_app::view::{At, ChannelRef, ConsoleError};
use replygate_ports::store::StoreError;

pub(crate) use changes::Ring;

use crate::auth::Door;
use crate::service::Service;

/// The console of this server.
pub(crate) struct ServerConsole {
    service: Arc<Service>,
    door: Arc<Door>,
    ring: Arc<Ring>,
}

impl ServerConsole {
    /// The console as pages and server functions find it.
    pub(crate) fn handle(
        service: &Arc<Service>,
        door: &Arc<Door>,
        ring: &Arc<Ring>,
    ) -> ConsoleHandle {
        ConsoleHandle(Arc::new(Self {
            service: service.clone(),
            door: door.clone(),
            ring: ring.clone(),
        }))
    }

    fn now(&self) -> At {
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
