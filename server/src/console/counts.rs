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
        let found = self.in_time(counting(MOST + 1)).await?;
        Some(if found > MOST {
            Count::MoreThan(MOST)
        } else {
            Count::Exactly(found)
        })
    }

    /// A count, if it is made in time; what goes wrong with it is no fault of its page.
    pub(super) async fn in_time<T>(
        &self,
        count: impl Future<Output = Result<T, StoreError>>,
    ) -> Option<T> {
        let clock = &self.service.stores.clock;
        let found = tokio::select! {
            found = count => found,
            () = clock.sleep(PATIENCE) => return None,
        };
        found
            .inspect_err(|error| {
                let error = error as &dyn std::error::Error;
                tracing::debug!(error, "a page goes without its count");
            })
            .ok()
    }
}
