//! The engine's tasks. Every task is counted, can be waited for, and ends when the process is killed in a simulation.
//! Must never leave a task behind.

use std::future::Future;

use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

/// The engine's tasks.
#[derive(Clone, Debug, Default)]
pub struct Crew {
    tasks: TaskTracker,
    killed: CancellationToken,
}

impl Crew {
    /// Starts a task.
    pub fn start(&self, work: impl Future<Output = ()> + Send + 'static) {
        let killed = self.killed.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = killed.cancelled() => {}
                () = work => {}
            }
        });
    }

    /// How many tasks run.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Drops every task where it stands, as the death of the process would.
    pub fn kill(&self) {
        self.killed.cancel();
    }

    /// Kills the crew when it is dropped, so that tasks do not outlive whoever waits for them.
    #[must_use]
    pub fn guard(&self) -> DropGuard {
        self.killed.clone().drop_guard()
    }

    /// Waits until the crew is killed.
    pub async fn killed(&self) {
        self.killed.cancelled().await;
    }

    /// Waits until all tasks have ended.
    pub async fn finished(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}
