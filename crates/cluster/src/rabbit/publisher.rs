//! Publishing: one connection, one channel in confirm mode, any number of messages under way at once. Must never report a
//! message as published that the broker did not confirm or gave back, and never make anybody wait for a broker that is
//! away.

mod serve;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use replygate_gate::At;
use replygate_ports::parked::Parked;
use tokio::sync::{mpsc, oneshot};

use super::delays::Route;
use super::letter::Letter;
use super::line::{Ground, Trouble};
use crate::backoff::Backoff;
use crate::health::{Health, Pulse};
use crate::limit::within;
use serve::Line;

/// How long a caller waits for a confirm.
const PATIENCE: Duration = Duration::from_secs(3);
/// So many messages wait to be written; more are refused.
const WAITING: usize = 4_096;
/// So many entries of the copy of the parked list wait for a broker that is away; older ones are dropped.
const PARKED_WAITING: usize = 1_024;
/// The last messages get so long when the process ends.
const LAST: Duration = Duration::from_secs(2);

/// A message was not published, or nobody knows.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotPublished {
    /// The broker is away, or takes nothing.
    #[error("RabbitMQ takes no messages: {0}")]
    Away(String),
    /// Too many messages wait already.
    #[error("{WAITING} messages wait to be published")]
    Full,
    /// The connection broke before the confirm came.
    #[error("the connection broke before RabbitMQ confirmed")]
    Lost,
    /// No confirm came in time.
    #[error("RabbitMQ did not confirm within {} ms", PATIENCE.as_millis())]
    Late,
    /// The broker could not store it.
    #[error("RabbitMQ could not store the message")]
    Nack,
    /// No queue took it.
    #[error("RabbitMQ gave the message back: there is no queue `{0}`")]
    Unroutable(String),
    /// Its queue cannot be made.
    #[error(transparent)]
    Queue(#[from] Trouble),
}

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Queue(Route),
    Parked,
}

/// A message to be published.
struct Request {
    target: Target,
    /// Unlike every other: what the broker gives back is known by it.
    id: u64,
    attempt: u32,
    body: Vec<u8>,
    answer: Option<oneshot::Sender<Result<(), NotPublished>>>,
}

/// Publishes.
pub struct Publisher {
    ground: Arc<Ground>,
    requests: mpsc::Sender<Request>,
    pulse: Pulse,
    last_id: AtomicU64,
}

impl Publisher {
    /// Tries once, and goes on trying behind the scenes.
    ///
    /// # Errors
    /// When the broker is there and does not take us as we are.
    pub async fn open(ground: Arc<Ground>) -> Result<Self, Trouble> {
        let (requests, waiting) = mpsc::channel(WAITING);
        let pulse = Pulse::new(ground.clock.now());
        let mut supervisor = Supervisor {
            ground: Arc::clone(&ground),
            waiting,
            pulse: pulse.clone(),
            parked: VecDeque::new(),
        };
        let line = match Line::open(&ground).await {
            Ok(line) => {
                pulse.up();
                Some(line)
            }
            Err(Trouble::Away(why)) => {
                supervisor.is_away(why);
                None
            }
            Err(trouble) => return Err(trouble),
        };
        tokio::spawn(async move { supervisor.supervise(line).await });
        Ok(Self {
            ground,
            requests,
            pulse,
            last_id: AtomicU64::new(0),
        })
    }

    pub fn health(&self) -> Health {
        self.pulse.read()
    }

    pub fn last_failure(&self) -> Option<At> {
        self.pulse.last_failure()
    }

    /// Publishes a ticket into the queue for its wait, and returns when that is confirmed.
    pub async fn publish(&self, letter: &Letter) -> Result<(), NotPublished> {
        match self.pulse.read() {
            Health::Up => {}
            Health::Blocked { why, .. } | Health::Down { why, .. } => {
                return Err(NotPublished::Away(why));
            }
        }
        let attempt = letter.ticket().attempt;
        let route = self
            .ground
            .delays
            .route(attempt, letter.due(), self.ground.clock.now());
        let (answer, answered) = oneshot::channel();
        let request = Request {
            target: Target::Queue(route),
            id: self.last_id.fetch_add(1, Ordering::Relaxed),
            attempt,
            body: letter.write(),
            answer: Some(answer),
        };
        if self.requests.try_send(request).is_err() {
            return Err(NotPublished::Full);
        }
        match within(&*self.ground.clock, PATIENCE, answered).await {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(NotPublished::Lost),
            None => Err(NotPublished::Late),
        }
    }

    /// Adds to the copy of the parked list, sooner or later.
    pub fn tell_parked(&self, parked: &Parked) {
        let request = Request {
            target: Target::Parked,
            id: self.last_id.fetch_add(1, Ordering::Relaxed),
            attempt: 0,
            body: serde_json::to_vec(parked).unwrap_or_default(),
            answer: None,
        };
        if self.requests.try_send(request).is_err() {
            tracing::warn!(reply = %parked.reply, "a parked reply is missing in the broker's copy");
        }
    }
}

/// Keeps a connection as long as anybody publishes.
struct Supervisor {
    ground: Arc<Ground>,
    waiting: mpsc::Receiver<Request>,
    pulse: Pulse,
    /// What is still missing in the copy of the parked list.
    parked: VecDeque<Request>,
}

impl Supervisor {
    async fn supervise(mut self, first: Option<Line>) {
        let ground = Arc::clone(&self.ground);
        let mut backoff = Backoff::default();
        let mut line = first;
        loop {
            if let Some(mut line) = line.take() {
                backoff.reset();
                tracing::info!(place = ground.place(), "RabbitMQ takes messages");
                let why = tokio::select! {
                    () = ground.stop.cancelled() => None,
                    why = line.serve(&mut self) => why,
                };
                match why {
                    Some(why) => self.is_away(why),
                    None => return line.close(&ground, LAST).await,
                }
            }
            let wait = backoff.next(&*ground.entropy);
            tokio::select! {
                () = ground.stop.cancelled() => return,
                () = self.refuse_for(wait) => {}
            }
            match Line::open(&ground).await {
                Ok(opened) => {
                    self.pulse.up();
                    line = Some(opened);
                }
                Err(trouble) => {
                    if !matches!(trouble, Trouble::Away(_)) {
                        tracing::error!(%trouble, "RabbitMQ cannot be used");
                    }
                    self.is_away(trouble.to_string());
                }
            }
        }
    }

    fn is_away(&mut self, why: String) {
        if self.pulse.is_up() {
            tracing::warn!(why, "RabbitMQ is away; what is due waits for the sweeper");
        }
        self.pulse.down(self.ground.clock.now(), why);
    }

    /// Refuses what came in before the outage was known, and keeps entries of the parked list.
    async fn refuse_for(&mut self, wait: Duration) {
        let ground = Arc::clone(&self.ground);
        let mut over = std::pin::pin!(ground.clock.sleep(wait));
        loop {
            let request = tokio::select! {
                biased;
                () = &mut over => return,
                request = self.waiting.recv() => request,
            };
            match request {
                None => return over.await,
                Some(request) => self.keep_or_drop(request),
            }
        }
    }

    /// A caller whose request is dropped is told by that.
    fn keep_or_drop(&mut self, request: Request) {
        if request.target != Target::Parked {
            return;
        }
        if self.parked.len() == PARKED_WAITING {
            self.parked.pop_front();
        }
        self.parked.push_back(request);
    }
}
