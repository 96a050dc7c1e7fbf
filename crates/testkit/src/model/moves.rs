//! What may happen in a life, and the command it comes to on the session as it is.

use proptest::prelude::*;
use proptest::sample::Index;
use replygate_gate::control::Control;
use replygate_gate::debounce::Signal;
use replygate_gate::{
    Admission, Arrival, At, ClaimToken, Command, Commit, Decision, Draft, Judgement, Late,
    MessageId, Outcome, ReplyId, Sender, Session, Strategy as DoubleTexting, Target, TurnId,
    TurnJudgement,
};
use replygate_ports::store::NewReply;

use crate::contract::stage::{Beside, Stage, accepted, busy, deed, silence, verdict};

/// One move of a life.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// Which of the sessions.
    pub who: Index,
    /// Milliseconds that pass before it.
    pub pause: u64,
    pub what: What,
}

/// What a move does.
#[derive(Clone, Debug)]
pub(super) enum What {
    Arrive {
        signal: Signal,
        sent_before: Option<u64>,
        admission: Admission,
    },
    Edit(Index),
    Again(Index),
    Strategy(DoubleTexting),
    Control(Control),
    Command(Ask),
    /// The command is decided now and appended later.
    Hold(Ask),
    /// What was held is appended.
    LetGo,
    /// An operator's deed, perhaps under a request id that was used before.
    Operate {
        verb: Verb,
        which: Index,
        request: u8,
    },
    Prune {
        age: u64,
    },
    Forget,
}

/// A command before it knows its session.
#[derive(Clone, Debug)]
pub(super) enum Ask {
    Judge {
        decision: Decision,
        confidence: f32,
    },
    Take,
    Renew,
    Effect,
    Abort,
    KeepPartial,
    Commit {
        parts: u16,
        decision: Decision,
        effects: bool,
    },
    Fail(Decision),
    HandBackTurn,
    Claim(Index),
    Settle {
        which: Index,
        outcome: Outcome,
    },
    Report(Index),
    ReleaseHold,
    Lock {
        ttl_ms: u64,
    },
    Unlock,
    Say,
    Expire,
}

/// What an operator may do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Verb {
    TakeOver,
    HandBack,
    Reprocess,
    Rerun,
    Discard,
    MarkDelivered,
}

pub(super) fn any_move() -> impl Strategy<Value = Move> {
    (
        any::<Index>(),
        prop_oneof![4 => 1..50u64, 1 => 1_000..70_000u64, 1 => Just(700_000u64)],
        any_what(),
    )
        .prop_map(|(who, pause, what)| Move { who, pause, what })
}

fn any_what() -> impl Strategy<Value = What> {
    prop_oneof![
        8 => (any_signal(), proptest::option::of(0..30u64), any_admission())
            .prop_map(|(signal, sent_before, admission)| What::Arrive { signal, sent_before, admission }),
        2 => any::<Index>().prop_map(What::Edit),
        1 => any::<Index>().prop_map(What::Again),
        2 => proptest::sample::select(DoubleTexting::ALL).prop_map(What::Strategy),
        1 => prop_oneof![Just(Control::Stop), Just(Control::Reset)].prop_map(What::Control),
        30 => any_ask().prop_map(What::Command),
        3 => any_ask().prop_map(What::Hold),
        3 => Just(What::LetGo),
        6 => (any_verb(), any::<Index>(), 0..12u8)
            .prop_map(|(verb, which, request)| What::Operate { verb, which, request }),
        1 => (0..200_000u64).prop_map(|age| What::Prune { age }),
        1 => Just(What::Forget),
    ]
}

fn any_signal() -> impl Strategy<Value = Signal> {
    prop_oneof![
        Just(Signal::Closed),
        Just(Signal::Dangling),
        Just(Signal::Neutral)
    ]
}

fn any_admission() -> impl Strategy<Value = Admission> {
    prop_oneof![9 => Just(Admission::Turn), 1 => Just(Admission::Late)]
}

fn any_decision() -> impl Strategy<Value = Decision> {
    prop_oneof![
        Just(Decision::ReleaseFirst),
        Just(Decision::CancelFirst),
        Just(Decision::Merge)
    ]
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![
        4 => Just(accepted()),
        1 => Just(Outcome::NotSent),
        1 => Just(busy()),
        1 => Just(Outcome::Refused { code: "http_403".to_owned() }),
        2 => Just(silence()),
        1 => Just(Outcome::Unreadable),
    ]
}

fn any_ask() -> impl Strategy<Value = Ask> {
    prop_oneof![
        3 => (any_decision(), 0.0..1.0f32).prop_map(|(decision, confidence)| Ask::Judge { decision, confidence }),
        8 => Just(Ask::Take),
        1 => Just(Ask::Renew),
        1 => Just(Ask::Effect),
        1 => Just(Ask::Abort),
        2 => Just(Ask::KeepPartial),
        8 => (0..3u16, any_decision(), any::<bool>())
            .prop_map(|(parts, decision, effects)| Ask::Commit { parts, decision, effects }),
        1 => any_decision().prop_map(Ask::Fail),
        1 => Just(Ask::HandBackTurn),
        8 => any::<Index>().prop_map(Ask::Claim),
        8 => (any::<Index>(), any_outcome()).prop_map(|(which, outcome)| Ask::Settle { which, outcome }),
        1 => any::<Index>().prop_map(Ask::Report),
        1 => Just(Ask::ReleaseHold),
        1 => (1..5_000u64).prop_map(|ttl_ms| Ask::Lock { ttl_ms }),
        1 => Just(Ask::Unlock),
        2 => Just(Ask::Say),
        3 => Just(Ask::Expire),
    ]
}

fn any_verb() -> impl Strategy<Value = Verb> {
    prop_oneof![
        1 => Just(Verb::TakeOver),
        4 => Just(Verb::HandBack),
        2 => Just(Verb::Reprocess),
        2 => Just(Verb::Rerun),
        1 => Just(Verb::Discard),
        1 => Just(Verb::MarkDelivered),
    ]
}

/// An arrival of a message that is known by its features only.
pub(super) fn arrival(
    message: MessageId,
    signal: Signal,
    edit_of: Option<MessageId>,
    admission: Admission,
) -> Command {
    Command::Arrive(Arrival {
        message,
        signal,
        edit_of,
        awaits_ms: None,
        admission,
        // A refusal that leaves no row is no store's business.
        sender: Sender::Redelivers,
    })
}

fn reply_at(session: &Session, which: Index) -> Option<ReplyId> {
    (!session.replies.is_empty()).then(|| which.get(&session.replies).id)
}

fn verdicts(session: &Session, decision: Decision, confidence: f32) -> Vec<Judgement> {
    session
        .undelivered()
        .map(|reply| Judgement {
            confidence,
            ..verdict(reply.id, decision)
        })
        .collect()
}

/// Moves the stage's clock to when the session is ripe for the command, and names it; `None` when it makes no sense now.
pub(super) fn command(
    stage: &mut Stage,
    session: &Session,
    ask: &Ask,
) -> Option<(Command, Beside)> {
    let fence = session.owner.as_ref().map(|owner| owner.fence);
    let plain = |command| Some((command, Beside::default()));
    match ask {
        Ask::Judge {
            decision,
            confidence,
        } => plain(Command::Judge {
            epoch: session.epoch,
            verdicts: verdicts(session, *decision, *confidence),
        }),
        Ask::Take => {
            wait_until(stage, session.window.map(|window| window.due));
            plain(Command::Take {
                turn: TurnId(stage.id()),
            })
        }
        Ask::Renew => plain(Command::Renew { fence: fence? }),
        Ask::Effect => plain(Command::ReserveEffect {
            fence: fence?,
            tool: None,
            action: None,
        }),
        Ask::Abort => plain(abort(session)?),
        Ask::KeepPartial => {
            let turn = session.interrupted?;
            let reply = ReplyId(stage.id());
            let draft = Draft { reply, parts: 1 };
            Some((Command::KeepPartial { turn, draft }, with_parts(reply, 1)))
        }
        Ask::Commit {
            parts,
            decision,
            effects,
        } => Some(commit(stage, session, (*parts, *decision, *effects))),
        Ask::Fail(decision) => {
            let reply = ReplyId(stage.id());
            let verdicts = verdicts(session, *decision, 0.9);
            let command = Command::Fail {
                fence: fence?,
                reply,
                usage: replygate_gate::Usage::default(),
                verdicts,
                code: "timeout".to_owned(),
            };
            Some((command, with_parts(reply, 0)))
        }
        Ask::HandBackTurn => plain(Command::HandBackTurn { fence: fence? }),
        Ask::Claim(which) => {
            let reply = reply_at(session, *which)?;
            wait_until(stage, session.reply(reply).map(|reply| reply.not_before));
            plain(Command::Claim {
                reply,
                token: ClaimToken(stage.id()),
            })
        }
        Ask::Settle { which, outcome } => {
            let claims: Vec<ClaimToken> = session
                .replies
                .iter()
                .filter_map(|reply| reply.claim.as_ref())
                .map(|claim| claim.token)
                .collect();
            let token = (!claims.is_empty()).then(|| *which.get(&claims))?;
            plain(Command::Settle {
                token,
                outcome: outcome.clone(),
            })
        }
        Ask::Report(which) => plain(Command::Report {
            reply: reply_at(session, *which)?,
        }),
        Ask::ReleaseHold => plain(Command::ReleaseHold),
        Ask::Lock { ttl_ms } => plain(Command::Lock {
            holder: "crm".to_owned(),
            lease_ms: ttl_ms / 3,
            ttl_ms: *ttl_ms,
        }),
        Ask::Unlock => plain(Command::Unlock { holder: None }),
        Ask::Say => {
            let by = session.takeover.as_ref()?.by.clone();
            let reply = ReplyId(stage.id());
            Some((
                Command::Say {
                    by,
                    draft: Draft { reply, parts: 1 },
                },
                with_parts(reply, 1),
            ))
        }
        Ask::Expire => {
            wait_until(stage, session.next_deadline(&stage.rules));
            plain(Command::Expire)
        }
    }
}

fn abort(session: &Session) -> Option<Command> {
    Some(Command::Abort {
        epoch: session.epoch,
        judgement: TurnJudgement {
            turn: session.owner.as_ref()?.turn,
            decision: Decision::Merge,
            confidence: 0.9,
            reason: "test".to_owned(),
            source: "test".to_owned(),
            took_ms: 1,
            usage: replygate_gate::Usage::default(),
        },
    })
}

fn commit(
    stage: &mut Stage,
    session: &Session,
    (parts, decision, effects): (u16, Decision, bool),
) -> (Command, Beside) {
    let reply = ReplyId(stage.id());
    let commit = Commit {
        fence: session.owner.as_ref().map_or(0, |owner| owner.fence),
        verdicts: verdicts(session, decision, 0.9),
        draft: (parts > 0).then_some(Draft { reply, parts }),
        effects,
        run_ms: 20,
        usage: replygate_gate::Usage::default(),
        late: Late::Accept,
    };
    let beside = if parts > 0 {
        with_parts(reply, parts)
    } else {
        Beside::default()
    };
    (Command::Commit(commit), beside)
}

fn with_parts(id: ReplyId, parts: u16) -> Beside {
    let parts = (0..parts)
        .map(|part| format!("part {part} of {id}"))
        .collect();
    Beside {
        reply: Some(NewReply { id, parts }),
        ..Beside::default()
    }
}

/// What an operator asks, and the record of it; `None` when there is nothing to ask it of.
pub(super) async fn operation(
    stage: &Stage,
    key: &replygate_gate::SessionKey,
    session: &Session,
    (verb, which, request): (Verb, Index, u8),
) -> Option<(Command, Beside)> {
    let target = reply_at(session, which).and_then(|id| session.reply(id));
    let target = target.map(|reply| Target {
        reply: reply.id,
        generation: reply.generation,
    });
    let reply = target.as_ref().map(|target| target.reply);
    let command = match verb {
        Verb::TakeOver => Command::TakeOver {
            by: "eva".to_owned(),
        },
        Verb::HandBack => Command::HandBack,
        Verb::Reprocess => Command::Reprocess(target?),
        Verb::Discard => Command::Discard(target?),
        Verb::MarkDelivered => Command::MarkDelivered(target?),
        Verb::Rerun => {
            let target = target?;
            let covers = session
                .reply(target.reply)
                .map(|reply| reply.covers.clone())
                .unwrap_or_default();
            let answered = stage
                .store
                .answered(key.session(), &covers, target.reply)
                .await
                .unwrap();
            Command::Rerun {
                target,
                answered,
                override_reason: Some("asked for".to_owned()),
            }
        }
    };
    let action = deed(&format!("request {request}"), &format!("{verb:?}"), reply);
    Some((
        command,
        Beside {
            action: Some(action),
            ..Beside::default()
        },
    ))
}

fn wait_until(stage: &mut Stage, at: Option<At>) {
    stage.now = at.map_or(stage.now, |at| stage.now.max(at));
}
