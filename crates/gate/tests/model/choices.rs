//! What may happen next, tried or not.

use replygate_gate::{Decision, ReplyId, Rules, Session, Strategy, strategy_verdicts};

use crate::mutant::Mutant;
use crate::steps::{Gate, NOW};
use crate::world::{Consumer, Worker, World};

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Arrive,
    Judge {
        reply: ReplyId,
        read: u64,
        decision: Decision,
    },
    Take {
        worker: usize,
        verdicts: Vec<(ReplyId, Decision)>,
    },
    Commit {
        worker: usize,
        says: Says,
    },
    Reserve {
        worker: usize,
    },
    Abort,
    KeepPartial,
    Switch {
        strategy: Strategy,
    },
    Reword {
        worker: usize,
    },
    Fail {
        worker: usize,
    },
    WorkerDies {
        worker: usize,
    },
    LeaseEnds,
    Claim {
        consumer: usize,
        reply: ReplyId,
    },
    LookAgain {
        consumer: usize,
    },
    Send {
        consumer: usize,
    },
    ChannelRefuses {
        consumer: usize,
    },
    Settle {
        consumer: usize,
    },
    ConsumerDies {
        consumer: usize,
    },
    ClaimEnds {
        reply: ReplyId,
    },
    HoldEnds {
        reply: ReplyId,
    },
    LockEnds,
}

/// Whether a turn brings an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Something,
    Nothing,
}

impl Gate {
    /// The steps to try; those that change nothing are dropped by [`Gate::step`].
    pub fn steps(&self, world: &World, steps: &mut Vec<Step>) {
        if world.left.arrivals > 0 {
            steps.push(Step::Arrive);
        }
        if world.strategy == Strategy::Triage {
            self.judgements(world, steps);
        }
        self.turns(world, steps);
        double_texting(world, steps);
        hand_overs(world, steps);
        endings(world, steps);
    }

    fn judgements(&self, world: &World, steps: &mut Vec<Step>) {
        let session = &world.session;
        // A judgement of an earlier epoch changes nothing, which is what `Mutant::StaleJudge` gives up.
        let oldest = if self.is(Mutant::StaleJudge) {
            1
        } else {
            session.epoch
        };
        for reply in session.undelivered() {
            for read in oldest.max(1)..=session.epoch {
                for decision in [Decision::ReleaseFirst, Decision::CancelFirst] {
                    steps.push(Step::Judge {
                        reply: reply.id,
                        read,
                        decision,
                    });
                }
            }
        }
    }
}

/// What only some strategies know, and their change.
fn double_texting(world: &World, steps: &mut Vec<Step>) {
    if world.left.effects > 0 {
        steps.extend((0..world.workers.len()).map(|worker| Step::Reserve { worker }));
    }
    if world.left.aborts > 0 {
        steps.push(Step::Abort);
    }
    if world.session.interrupted.is_some() {
        steps.push(Step::KeepPartial);
    }
    if world.left.switches > 0 {
        let others = Strategy::ALL
            .iter()
            .filter(|other| **other != world.strategy);
        steps.extend(others.map(|strategy| Step::Switch {
            strategy: *strategy,
        }));
    }
}

impl Gate {
    fn turns(&self, world: &World, steps: &mut Vec<Step>) {
        let idle = world
            .workers
            .iter()
            .position(|worker| *worker == Worker::Idle);
        let rules = self.rules(world.strategy);
        if let Some(worker) = idle.filter(|_| world.session.is_ripe(NOW, &rules)) {
            let all = match world.strategy {
                Strategy::Triage => verdict_sets(&world.session),
                _ => vec![own_verdicts(&world.session, &rules)],
            };
            steps.extend(
                all.into_iter()
                    .map(|verdicts| Step::Take { worker, verdicts }),
            );
        }
        running(world, steps);
    }
}

/// The verdicts that follow from the strategy.
fn own_verdicts(session: &Session, rules: &Rules) -> Vec<(ReplyId, Decision)> {
    strategy_verdicts(session, rules)
        .into_iter()
        .map(|judgement| (judgement.reply, judgement.decision))
        .collect()
}

fn running(world: &World, steps: &mut Vec<Step>) {
    for (worker, state) in world.workers.iter().enumerate() {
        if *state == Worker::Idle {
            continue;
        }
        steps.push(Step::Commit {
            worker,
            says: Says::Something,
        });
        steps.push(Step::Reword { worker });
        if world.left.silences > 0 {
            steps.push(Step::Commit {
                worker,
                says: Says::Nothing,
            });
        }
        if world.left.agent_failures > 0 {
            steps.push(Step::Fail { worker });
        }
        // Whether a worker that lost its turn lives or dies makes no difference.
        let holds = matches!(state, Worker::Running { fence, .. } if world.turn == Some(*fence));
        if world.left.crashes > 0 && holds {
            steps.push(Step::WorkerDies { worker });
        }
    }
}

fn hand_overs(world: &World, steps: &mut Vec<Step>) {
    let idle = world
        .consumers
        .iter()
        .position(|consumer| *consumer == Consumer::Idle);
    if let Some(consumer) = idle {
        steps.extend(world.session.replies.iter().map(|reply| Step::Claim {
            consumer,
            reply: reply.id,
        }));
    }
    for (consumer, state) in world.consumers.iter().enumerate() {
        match state {
            Consumer::Idle => continue,
            Consumer::Claimed { .. } => {
                steps.push(Step::Send { consumer });
                steps.push(Step::LookAgain { consumer });
                if world.left.refusals > 0 {
                    steps.push(Step::ChannelRefuses { consumer });
                }
            }
            Consumer::Sent { .. } => steps.push(Step::Settle { consumer }),
        }
        let holds = world
            .session
            .replies
            .iter()
            .filter_map(|reply| reply.claim.as_ref())
            .any(|claim| state.token() == Some(claim.token));
        if world.left.crashes > 0 && holds {
            steps.push(Step::ConsumerDies { consumer });
        }
    }
}

fn endings(world: &World, steps: &mut Vec<Step>) {
    if world.session.owner.is_some() {
        steps.push(Step::LeaseEnds);
    }
    if world.session.lock.is_some() {
        steps.push(Step::LockEnds);
    }
    for reply in &world.session.replies {
        if reply.claim.is_some() {
            steps.push(Step::ClaimEnds { reply: reply.id });
        }
        // Free: a hold that ends early does to the session what a quick evaluator's release does.
        if reply.held_since.is_some() {
            steps.push(Step::HoldEnds { reply: reply.id });
        }
    }
}

/// Every way to judge the undelivered replies.
fn verdict_sets(session: &Session) -> Vec<Vec<(ReplyId, Decision)>> {
    session.undelivered().fold(vec![Vec::new()], |sets, reply| {
        sets.into_iter()
            .flat_map(|set| {
                Decision::ALL.iter().map(move |decision| {
                    let mut more = set.clone();
                    more.push((reply.id, *decision));
                    more
                })
            })
            .collect()
    })
}
