//! Bounds for waits. Every call to a service goes through here: none may wait for ever.

use std::future::Future;
use std::time::Duration;

use replygate_ports::clock::Clock;

/// The result of `work`, or `None` when it takes longer than `limit`; the work is dropped then.
pub async fn within<T>(
    clock: &dyn Clock,
    limit: Duration,
    work: impl Future<Output = T>,
) -> Option<T> {
    tokio::select! {
        biased;
        result = work => Some(result),
        () = clock.sleep(limit) => None,
    }
}
