//! One life of a simulated process: between its start and its death.

use std::future::{Future, pending};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::{Fault, Faults};

/// A failure that a test asked for.
#[derive(Debug, thiserror::Error)]
#[error("injected fault")]
pub(super) struct Injection;

/// An injected failure as adapters' errors carry it.
pub(super) fn injection() -> Box<dyn std::error::Error + Send + Sync> {
    Box::new(Injection)
}

/// One life of a process. Once it is over, none of its port calls does anything or ever returns.
#[derive(Clone)]
pub struct Life {
    pub(super) faults: Arc<Faults>,
    over: CancellationToken,
}

impl Life {
    /// A process that starts now.
    #[must_use]
    pub fn begin(faults: Arc<Faults>) -> Self {
        Self {
            faults,
            over: CancellationToken::new(),
        }
    }

    /// Ends it where it stands.
    pub fn end(&self) {
        self.over.cancel();
    }

    /// Whether it is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Waits for its end.
    pub async fn ended(&self) {
        self.over.cancelled().await;
    }

    /// Never returns once the life is over.
    pub(super) async fn alive(&self) {
        if self.is_over() {
            pending::<()>().await;
        }
    }

    /// Ends the life; never returns.
    pub(super) async fn die<T>(&self) -> T {
        if self.faults.deadly {
            std::process::abort();
        }
        self.end();
        pending().await
    }

    /// Makes a port call with whatever fault the plan has for it. `work` does the call; `fails` makes its error.
    pub(super) async fn call<T, E, F>(
        &self,
        name: &'static str,
        work: impl Fn() -> F + Send + Sync,
        fails: impl Fn() -> E + Send + Sync,
    ) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>> + Send,
        T: Send,
        E: Send,
    {
        self.call_about(name, &[], work, fails).await
    }

    /// The same for a call that tells what it is about.
    pub(super) async fn call_about<T, E, F>(
        &self,
        name: &'static str,
        about: &[&str],
        work: impl Fn() -> F + Send + Sync,
        fails: impl Fn() -> E + Send + Sync,
    ) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>> + Send,
        T: Send,
        E: Send,
    {
        self.faults.pass().await;
        self.alive().await;
        let result = match self.faults.meet_about(name, about) {
            None => work().await,
            Some(Fault::Before | Fault::Lost) => Err(fails()),
            Some(Fault::After) => {
                drop(work().await);
                Err(fails())
            }
            Some(Fault::Twice) => {
                drop(work().await);
                work().await
            }
            Some(Fault::Delay(delay)) => {
                self.faults.clock.sleep(delay / 2).await;
                self.alive().await;
                let result = work().await;
                self.faults.clock.sleep(delay / 2).await;
                result
            }
            Some(Fault::CrashBefore) => self.die().await,
            Some(Fault::CrashAfter) => {
                drop(work().await);
                self.die().await
            }
        };
        self.alive().await;
        result
    }
}
