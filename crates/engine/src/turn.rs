//! A turn: take the burst, judge what is on its way, run the agent, commit. Must never commit under a lost lease, and
//! must never let an agent's failure cancel anything.

mod effects;
mod material;
mod partial;
mod typing;

use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use replygate_gate::{
    Command, Commit, Decision, Draft, Judgement, Late, Owner, Refusal, ReplyId, Session, SessionId,
    TurnId, Usage, effective,
};
use replygate_ports::agent::{Again, AgentError, Answer, Turn};
use replygate_ports::store::NewReply;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;

use crate::desk::{Cause, Made, Patience, StepError};
use crate::engine::{Inner, OwnTurn};
use crate::peers::Lease;
use effects::{Avoided, Hands};
use partial::Written;

/// How long a take is tried again while the store does not answer; after that the sweeper finds the session.
const TAKE_PATIENCE: Duration = Duration::from_secs(3);

/// How long a running turn waits for the store: as long as it holds the session, for the end of its lease ends the run.
const WHILE_HELD: Patience = Patience::ENDLESS;

/// A turn that this process runs.
pub(crate) struct Running {
    pub(crate) made: Made,
    pub(crate) owner: Owner,
    /// When the take was asked for, on the monotonic clock: its lease counts from there.
    asked: Duration,
    /// When the take was made: the run is counted from there.
    began: Duration,
    lost: CancellationToken,
    /// What models were asked so far.
    spent: Mutex<Usage>,
    /// Whether calls of it were not carried out.
    avoided: Avoided,
    /// How far its answer is.
    written: Written,
}

/// A turn that lost its session ends within moments; the next one waits for it, so that it reads what that one leaves.
const WRAP_UP: Duration = Duration::from_secs(1);

/// What the agent has to be told besides the turn it took, because it happened meanwhile.
struct Aside {
    /// Replies that should have been taken back, and that the user sees or may see.
    too_late: Vec<ReplyId>,
    /// The customer stopped the turn.
    stopped: bool,
}

/// How a turn ended, short of an answer.
enum End {
    /// The session was taken away, or the store is gone: nothing to commit.
    Lost,
    /// The customer stopped the turn: the agent has to say so in other words.
    Stopped,
    /// The agent failed for good.
    Failed(String),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl From<StepError> for End {
    fn from(error: StepError) -> Self {
        if !matches!(error, StepError::Refused(_)) {
            tracing::warn!(%error, "a turn could not go on");
        }
        Self::Lost
    }
}

impl Inner {
    /// Starts a turn if the session is ripe for one, under this lease or its own. Gives the lease back if no turn starts
    /// with it.
    pub(crate) fn start_turn(&self, session: SessionId, lease: Option<Lease>) -> Option<Lease> {
        if self.stopping.is_cancelled() || !lock(&self.queued).insert(session) {
            return lease;
        }
        let inner = self.clone();
        self.crew.start(async move {
            inner.former_turn_ended(session).await;
            let Some((_permit, lease)) = inner.turn_permit(session, lease).await else {
                return;
            };
            match inner.take(session, &lease).await {
                Ok(running) => inner.run_turn(running).await,
                Err(error) => {
                    inner.release(&lease).await;
                    if !matches!(error, StepError::Refused(_)) {
                        tracing::warn!(%session, %error, "a turn could not be taken");
                    }
                }
            }
        });
        None
    }

    /// Waits until this process's last turn of the session is over.
    async fn former_turn_ended(&self, session: SessionId) {
        let ended = lock(&self.running)
            .get(&session)
            .map(|own| own.ended.clone());
        let Some(ended) = ended else { return };
        tokio::select! {
            biased;
            () = ended.cancelled() => {}
            () = self.parts.clock.sleep(WRAP_UP) => {}
        }
    }

    /// Room for a turn, and leave to take the session. A lease is not kept while there is no room.
    async fn turn_permit(
        &self,
        session: SessionId,
        lease: Option<Lease>,
    ) -> Option<(OwnedSemaphorePermit, Lease)> {
        let (permit, lease) = if let Ok(permit) = self.turns.clone().try_acquire_owned() {
            (Ok(permit), lease)
        } else {
            if let Some(lease) = lease {
                self.release(&lease).await;
            }
            (self.turns.clone().acquire_owned().await, None)
        };
        lock(&self.queued).remove(&session);
        let permit = permit.ok()?;
        match lease {
            Some(lease) => Some((permit, lease)),
            None => Some((permit, self.lease(session).await?)),
        }
    }

    async fn take(&self, session: SessionId, lease: &Lease) -> Result<Running, StepError> {
        let turn = lease.turn().unwrap_or_else(|| TurnId(self.mint()));
        let asked = self.parts.clock.elapsed();
        let patience = Patience::until(asked + TAKE_PATIENCE);
        let made = self
            .desk
            .insist(session, Cause::by("worker"), patience, |_| {
                Ok(Command::Take { turn })
            })
            .await?;
        self.after(&made).await;
        let owner = made.after.owner.clone().ok_or(Refusal::NotRipe)?;
        Ok(Running {
            asked,
            began: self.parts.clock.elapsed(),
            lost: CancellationToken::new(),
            spent: Mutex::default(),
            avoided: Avoided::default(),
            written: Written::default(),
            made,
            owner,
        })
    }

    async fn run_turn(&self, running: Running) {
        let running = Arc::new(running);
        let ended = CancellationToken::new();
        let (session, turn) = (running.made.id, running.owner.turn);
        let own = OwnTurn {
            turn,
            lost: running.lost.clone(),
            ended: ended.clone(),
        };
        lock(&self.running).insert(session, own);
        // It may have been lost before anybody could tell it.
        self.see_whose_turn(session).await;
        self.keep_lease(&running, &ended);
        self.show_typing(&running, &ended);
        let work = async {
            let answered = self.answer(&running).await;
            let is_done = answered.is_ok();
            match answered {
                Ok(()) | Err(End::Lost) => {}
                Err(End::Stopped) => self.fail(&running, "stopped".to_owned()).await,
                Err(End::Failed(code)) => self.fail(&running, code).await,
            }
            is_done
        };
        let is_done = tokio::select! {
            biased;
            is_done = work => is_done,
            () = running.lost.cancelled() => false,
        };
        if !is_done {
            self.keep_partial(&running).await;
            // A turn that was lost, or whose end got lost, made no step that ends its lease.
            self.release_turn(session, turn).await;
        }
        ended.cancel();
        if let Entry::Occupied(entry) = lock(&self.running).entry(session)
            && entry.get().turn == turn
        {
            entry.remove();
        }
        self.evaluations.forget(running.made.id);
    }

    /// Renews the lease every third of its life until the turn ends. A refusal means that the turn is lost, and so does a
    /// lease that ran out while the store could not be asked: by then another process may have taken the session.
    fn keep_lease(&self, running: &Arc<Running>, ended: &CancellationToken) {
        let (inner, running, ended) = (self.clone(), running.clone(), ended.clone());
        let lease = Duration::from_millis(running.made.live.rules.lease_ms);
        let mut held_until = running.asked + lease;
        self.crew.start(async move {
            loop {
                tokio::select! {
                    biased;
                    () = ended.cancelled() => return,
                    () = inner.parts.clock.sleep(lease / 3) => {}
                }
                let fence = running.owner.fence;
                let asked = inner.parts.clock.elapsed();
                inner
                    .extend_lease(running.made.id, &running.owner, lease)
                    .await;
                let step = inner
                    .desk
                    .step(running.made.id, Cause::by("worker"), |_| Ok(Command::Renew { fence }))
                    .await;
                match step {
                    Ok(made) => {
                        held_until = asked + lease;
                        inner.after(&made).await;
                    }
                    Err(StepError::Refused(_)) => return running.lost.cancel(),
                    Err(_) if inner.parts.clock.elapsed() >= held_until => return running.lost.cancel(),
                    Err(error) => tracing::warn!(session = %running.made.id, %error, "a lease could not be renewed"),
                }
            }
        });
    }

    async fn answer(&self, running: &Arc<Running>) -> Result<(), End> {
        let (id, live) = (running.made.id, &running.made.live);
        let verdicts = self.verdicts(id, &running.made.after, live).await;
        if !verdicts.is_empty() {
            let epoch = running.owner.epoch;
            match self.judge(id, epoch, &verdicts, WHILE_HELD).await {
                // Newer messages came: they are judged with their own epoch, this turn answers under its own verdicts.
                Ok(()) | Err(StepError::Refused(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let mut aside = Aside {
            too_late: Vec::new(),
            stopped: running.owner.stopping,
        };
        let mut rewordings = 0;
        loop {
            let turn = self
                .desk
                .ask(WHILE_HELD, || self.material(running, &verdicts, &aside))
                .await
                .map_err(StepError::from)?;
            let answer = match self.run_agent(running, &turn).await {
                Err(End::Stopped) if !aside.stopped => {
                    aside.stopped = true;
                    continue;
                }
                answer => answer?,
            };
            running.written.is_now(&answer.parts);
            let late = if rewordings < self.tuning.rewordings {
                Late::Refuse
            } else {
                Late::Accept
            };
            let standing = standing(running, &verdicts, &aside.too_late);
            match self.commit(running, &standing, &answer, late).await {
                Ok(()) => {
                    running.written.is_now(&[]);
                    return Ok(());
                }
                Err(StepError::Refused(Refusal::TooLate { replies })) => {
                    aside.too_late.extend(replies);
                    rewordings += 1;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Runs the agent with the channel's limit, again after a failure that may pass.
    async fn run_agent(&self, running: &Arc<Running>, turn: &Turn) -> Result<Answer, End> {
        let mut waits = self.tuning.agent_retries_ms.iter();
        loop {
            let code = match self.run_once(running, turn).await {
                Ok(answer) => return Ok(answer),
                Err(AgentError::Lost) => return Err(End::Lost),
                Err(AgentError::Stopped) => return Err(End::Stopped),
                Err(AgentError::Failed {
                    code,
                    again: Again::No,
                }) => return Err(End::Failed(code)),
                Err(AgentError::Failed {
                    code,
                    again: Again::Yes,
                }) => code,
            };
            let Some(wait) = waits.next().filter(|_| !self.has_effects(running)) else {
                return Err(End::Failed(code));
            };
            tracing::info!(turn = %running.owner.turn, code, "the agent is tried again");
            self.parts.clock.sleep(Duration::from_millis(*wait)).await;
        }
    }

    async fn run_once(&self, running: &Arc<Running>, turn: &Turn) -> Result<Answer, AgentError> {
        let live = &running.made.live;
        let limit = Duration::from_millis(live.settings.agent_timeout_ms);
        let hands = Hands::new(self, running, turn);
        running.written.is_now(&[]);
        tokio::select! {
            biased;
            answer = live.wired.agent.run(turn, &hands) => answer,
            () = self.parts.clock.sleep(limit) => Err(AgentError::Failed {
                code: "timeout".to_owned(),
                again: Again::Yes,
            }),
            () = self.drained.cancelled() => {
                self.hand_back(running).await;
                Err(AgentError::Lost)
            }
        }
    }

    /// Whether the turn changed the outside world, so that running it again could do so twice.
    fn has_effects(&self, running: &Running) -> bool {
        lock(&self.reserved).contains(&running.owner.turn)
    }

    async fn commit(
        &self,
        running: &Running,
        verdicts: &[Judgement],
        answer: &Answer,
        late: Late,
    ) -> Result<(), StepError> {
        let parts: Vec<String> = answer
            .parts
            .iter()
            .filter(|part| !part.trim().is_empty())
            .cloned()
            .collect();
        let reply = ReplyId(self.mint());
        let draft = (!parts.is_empty()).then_some(Draft {
            reply,
            parts: parts.len() as u16,
        });
        let commit = Commit {
            fence: running.owner.fence,
            verdicts: verdicts.to_vec(),
            draft: draft.clone(),
            effects: !answer.effects.is_empty(),
            run_ms: self
                .parts
                .clock
                .elapsed()
                .saturating_sub(running.began)
                .as_millis() as u64,
            usage: *lock(&running.spent),
            late,
        };
        let drafted = draft.as_ref().map(|draft| draft.reply);
        let cause = Cause {
            reply: draft.map(|_| NewReply { id: reply, parts }),
            ..Cause::by("worker")
        };
        let made = self
            .desk
            .insist(running.made.id, cause, WHILE_HELD, |_| {
                Ok(Command::Commit(commit.clone()))
            })
            .await?;
        self.after(&made).await;
        if let Some(reply) = drafted.filter(|_| running.avoided.any()) {
            self.guard.said(running.owner.turn, reply).await;
        }
        self.judge_what_came_meanwhile(&made);
        Ok(())
    }

    /// A commit that leaves messages uncovered holds the new reply: judge it at once.
    fn judge_what_came_meanwhile(&self, made: &Made) {
        self.evaluations.forget(made.id);
        self.triage_early(made);
    }

    async fn fail(&self, running: &Running, code: String) {
        tracing::warn!(session = %running.made.id, turn = %running.owner.turn, code, "the agent failed for good");
        let verdicts = self
            .verdicts(running.made.id, &running.made.after, &running.made.live)
            .await;
        let reply = ReplyId(self.mint());
        let cause = Cause {
            reply: Some(NewReply {
                id: reply,
                parts: Vec::new(),
            }),
            ..Cause::by("worker")
        };
        let step = self
            .desk
            .insist(running.made.id, cause, WHILE_HELD, |_: &Session| {
                Ok(Command::Fail {
                    fence: running.owner.fence,
                    reply,
                    verdicts: verdicts.to_vec(),
                    usage: *lock(&running.spent),
                    code: code.clone(),
                })
            })
            .await;
        match step {
            Ok(made) => self.after(&made).await,
            Err(StepError::Refused(_)) => {}
            Err(error) => {
                tracing::warn!(session = %running.made.id, %error, "a failed turn could not be recorded");
            }
        }
    }

    async fn hand_back(&self, running: &Running) {
        let fence = running.owner.fence;
        let step = self
            .desk
            .step(running.made.id, Cause::by("worker"), |_| {
                Ok(Command::HandBackTurn { fence })
            })
            .await;
        match step {
            Ok(made) => self.after(&made).await,
            Err(error) => {
                tracing::info!(session = %running.made.id, %error, "a turn could not be handed back, its lease ends by time");
            }
        }
    }
}

/// The verdicts that the answer was worded under. A reply whose merge came too late was told to the agent as one that the
/// user may see: the answer does not repeat its messages, so it must not take its place should it come back unsent.
fn standing(running: &Running, verdicts: &[Judgement], too_late: &[ReplyId]) -> Vec<Judgement> {
    let made = &running.made;
    let merges = |judgement: &Judgement| {
        made.after
            .reply(judgement.reply)
            .is_some_and(|reply| effective(reply, judgement, &made.live.rules) == Decision::Merge)
    };
    verdicts
        .iter()
        .filter(|judgement| !too_late.contains(&judgement.reply) || !merges(judgement))
        .cloned()
        .collect()
}
