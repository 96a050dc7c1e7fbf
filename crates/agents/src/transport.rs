//! The one room from which every address is asked: how long each stage may take, how much is read, and when an address
//! that asked to be left alone may be asked again. Must never follow a redirect, and must never put what the other side
//! said into an error.

mod incoming;
mod pace;
mod patience;
mod sse;
mod told;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{Either, select};
use replygate_ports::clock::Clock;

pub(crate) use incoming::{Incoming, Refused};
use pace::Pace;
pub(crate) use patience::Patience;
pub(crate) use sse::{Sse, SseEvent};
use told::Told;

use crate::unanswered::{Stage, Unanswered};

/// How one backend is asked by all turns that need it.
pub(crate) struct Transport {
    client: reqwest::Client,
    clock: Arc<dyn Clock>,
    pace: Pace,
    patience: Patience,
}

/// An answer that begins, or a refusal.
pub(crate) enum Opened {
    /// It begins.
    Answer(Box<Incoming>),
    /// The status is none of 2xx.
    Refused(Refused),
}

/// When everything that was begun must be over, on the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Duration);

impl Transport {
    pub(crate) fn new(client: reqwest::Client, clock: Arc<dyn Clock>, patience: Patience) -> Self {
        Self {
            client,
            clock,
            pace: Pace::default(),
            patience,
        }
    }

    pub(crate) fn client(&self) -> &reqwest::Client {
        &self.client
    }

    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// The end of what is begun now: after its own whole limit, or after `limit` if that is sooner.
    pub(crate) fn deadline(&self, limit: Option<Duration>) -> Deadline {
        let whole = self.patience.whole;
        Deadline(self.clock.elapsed() + limit.map_or(whole, |limit| limit.min(whole)))
    }

    /// What is left until then.
    pub(crate) fn left(&self, deadline: Deadline) -> Duration {
        deadline.0.saturating_sub(self.clock.elapsed())
    }

    /// Does `work`, or gives up at the deadline.
    pub(crate) async fn until<T>(
        &self,
        deadline: Deadline,
        work: impl Future<Output = Result<T, Unanswered>> + Send,
    ) -> Result<T, Unanswered> {
        within(&*self.clock, Some(self.left(deadline)), Stage::Whole, work).await
    }

    /// Sends the request once its turn has come and waits for the head of the answer. What the head says about asking
    /// again is remembered for all who share this transport.
    pub(crate) async fn open(
        &self,
        request: reqwest::RequestBuilder,
        deadline: Deadline,
    ) -> Result<Opened, Unanswered> {
        self.pace.admit(&*self.clock, deadline.0).await?;
        let sent = async { request.send().await.map_err(|error| broken(&error)) };
        let first_byte = self.patience.first_byte;
        let response = within(&*self.clock, first_byte, Stage::FirstByte, sent).await?;
        let told = Told::read(response.headers(), self.clock.now());
        let status = response.status();
        self.pace.heed(&*self.clock, &told, status.as_u16());
        let incoming = Incoming::new(response, Arc::clone(&self.clock), self.patience.idle);
        if status.is_success() {
            return Ok(Opened::Answer(Box::new(incoming)));
        }
        Ok(Opened::Refused(
            Refused::read(status.as_u16(), told, incoming).await,
        ))
    }

    /// Waits, if the deadline leaves the time; otherwise gives up at once with `why`.
    pub(crate) async fn rest(
        &self,
        wait: Duration,
        deadline: Deadline,
        why: Unanswered,
    ) -> Result<(), Unanswered> {
        if wait >= self.left(deadline) {
            return Err(why);
        }
        self.clock.sleep(wait).await;
        Ok(())
    }
}

/// Does `work`, or gives up after `limit`.
async fn within<T>(
    clock: &dyn Clock,
    limit: Option<Duration>,
    stage: Stage,
    work: impl Future<Output = Result<T, Unanswered>> + Send,
) -> Result<T, Unanswered> {
    let Some(limit) = limit else {
        return work.await;
    };
    match select(pin!(work), clock.sleep(limit)).await {
        Either::Left((done, _)) => done,
        Either::Right(_) => Err(Unanswered::Timeout(stage)),
    }
}

fn broken(error: &reqwest::Error) -> Unanswered {
    if error.is_connect() {
        Unanswered::Connect
    } else {
        Unanswered::Lost
    }
}
