//! Cancels a run on the server when nobody waits for it any more. Must never hold up whoever gave it up.

use std::sync::Arc;
use std::time::Duration;

use super::Server;
use crate::model::below;

/// As long as the server is asked to cancel; by then it cancels by itself, because nobody listens.
const WITHIN: Duration = Duration::from_secs(5);

/// A run under way. Dropped before its end, it is cancelled on the server.
pub(super) struct Leaving {
    server: Arc<Server>,
    /// The run's place below the server's address; `None` until the server names it.
    run: Option<String>,
    /// Whether the checkpoint has to stay.
    stays: bool,
    ended: bool,
}

impl Leaving {
    /// `location` is where the server says that the run is: `/threads/{thread}/runs/{run}`.
    pub(super) fn new(server: Arc<Server>, location: Option<&str>) -> Self {
        let run = location.map(|location| location.trim_matches('/').trim_end_matches("/stream"));
        let run = run.filter(|run| run.starts_with("threads/") && run.contains("/runs/"));
        Self {
            server,
            run: run.map(str::to_owned),
            stays: false,
            ended: false,
        }
    }

    /// The server says which run of the thread it is.
    pub(super) fn is_run(&mut self, thread: &str, run: &str) {
        if self.run.is_none() {
            self.run = Some(format!("threads/{thread}/runs/{run}"));
        }
    }

    /// The run may be interrupted but not undone: a tool acted, or the next run is to know how far this one was.
    pub(super) fn keeps_its_state(&mut self) {
        self.stays = true;
    }

    /// The run is over.
    pub(super) fn ended(&mut self) {
        self.ended = true;
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let Some(run) = self.run.take().filter(|_| !self.ended) else {
            return;
        };
        let action = if self.stays { "interrupt" } else { "rollback" };
        let mut url = below(&self.server.base, &format!("{run}/cancel"));
        url.query_pairs_mut()
            .append_pair("wait", "0")
            .append_pair("action", action);
        let request = self.server.keyed(self.server.transport.client().post(url));
        let clock = Arc::clone(self.server.transport.clock());
        (self.server.errands)(Box::pin(async move {
            let asked = std::pin::pin!(request.send());
            // Whatever comes of it, the server also cancels what nobody listens to.
            drop(futures::future::select(asked, clock.sleep(WITHIN)).await);
        }));
    }
}
