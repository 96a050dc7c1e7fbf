//! How many rows a list has in all. A count never blocks a list: one that takes too long is left out.

use std::time::Duration;

use replygate_app::view::Count;
use replygate_ports::store::StoreError;

use super::ServerConsole;

/// Counting stops here.
const MOST: u32 = 10_000;
/// A count that takes longer is left out.
const PATIENCE: Duration = Duration::from_millis(300);

impl ServerConsole {
    /// What `counting` finds when it is asked for at most so many rows, if it is quick enough.
    pub(super) async fn counted<F>(&self, counting: impl FnOnce(u32) -> F) -> Option<Count>
    where
        F: Future<Output = Result<u32, StoreError>>,
    {
        let clock = &self.service.stores.clock;
        let found = tokio::select! {
            found = counting(MOST + 1) => found,
            () = clock.sleep(PATIENCE) => return None,
        };
        match found {
            Ok(found) if found > MOST => Some(Count::MoreThan(MOST)),
            Ok(found) => Some(Count::Exactly(found)),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::debug!(error, "a list goes without its total");
                None
            }
        }
    }
}
