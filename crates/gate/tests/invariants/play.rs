//! Random lives of a session: numbers that become commands on whatever is there, right and wrong ones, at any time.

use proptest::prelude::*;
use replygate_gate::control::Control;
use replygate_gate::debounce::{Signal, Windows};
use replygate_gate::{
    Admission, AnsweredElsewhere, Arrival, At, ClaimToken, Command, Commit, Decision, Draft,
    Guarantee, Judgement, Late, MessageId, Outcome, ReplyId, ReplyStatus, Rules, Sender, Session,
    Strategy as DoubleTexting, Target, TurnId, TurnJudgement,
};

/// One random step.
#[derive(Clone, Debug)]
pub struct Roll {
    /// Which command.
    pub kind: u8,
    /// Which of the things there are, and how.
    pub pick: u8,
    pub how: u8,
    /// How much time passes before.
    pub pause: Pause,
}

/// How much time passes.
#[derive(Clone, Copy, Debug)]
pub enum Pause {
    /// That many milliseconds.
    Ms(u64),
    /// Until something is due by itself.
    UntilDue,
}

pub fn rolls() -> impl Strategy<Value = Vec<Roll>> {
    let pause = prop_oneof![
        10 => Just(Pause::Ms(0)),
        20 => Just(Pause::UntilDue),
        10 => (0u64..2_000).prop_map(Pause::Ms),
        2 => (0u64..120_000).prop_map(Pause::Ms),
        1 => (0u64..100_000_000).prop_map(Pause::Ms),
    ];
    let roll =
        (0u8..64, any::<u8>(), any::<u8>(), pause).prop_map(|(kind, pick, how, pause)| Roll {
            kind,
            pick,
            how,
            pause,
        });
    prop::collection::vec(roll, 1..80)
}

pub fn rules() -> impl Strategy<Value = Rules> {
    let ladders = (
        prop::collection::vec(0u64..2_000, 0..4),
        prop::collection::vec(0u64..5_000, 0..4),
    );
    let waits = (0u64..1_000, 0u64..100, 1u64..70_000, 1_000u64..1_000_000);
    // Half of all lives under triage, which has the most to decide.
    let strategy = prop_oneof![
        Just(DoubleTexting::Triage),
        prop::sample::select(DoubleTexting::ALL)
    ];
    (any::<bool>(), any::<bool>(), ladders, waits, strategy).prop_map(
        |(enabled, repeats, (ladder_ms, channel_ladder_ms), waits, strategy)| Rules {
            strategy,
            windows: Windows {
                enabled,
                ..Windows::default()
            },
            operational_delay_ms: waits.0,
            claim_ahead_ms: waits.1,
            max_hold_ms: waits.2,
            park_age_ms: waits.3,
            ladder_ms,
            channel_ladder_ms,
            guarantee: if repeats {
                Guarantee::AtLeastOnce
            } else {
                Guarantee::AtMostOnce
            },
            ..Rules::default()
        },
    )
}

/// Makes commands; gives each message, reply, turn and claim an id of its own.
#[derive(Default)]
pub struct Player {
    ids: u128,
    last_message: u128,
}

impl Player {
    fn id(&mut self) -> u128 {
        self.ids += 1;
        self.ids
    }

    /// The command of a roll.
    pub fn command(&mut self, session: &Session, roll: &Roll) -> Command {
        let reply = pick_reply(session, roll.pick);
        let fence =
            session.owner.as_ref().map_or(7, |owner| owner.fence) - u64::from(roll.how % 16 == 1);
        match roll.kind {
            0..=9 => self.arrive(roll),
            10..=16 => Command::Take {
                turn: TurnId(self.id()),
            },
            17..=23 => Command::Commit(self.commit(session, fence, roll)),
            24..=32 => Command::Claim {
                reply: head(session)
                    .filter(|_| !roll.how.is_multiple_of(4))
                    .unwrap_or(reply),
                token: ClaimToken(self.id()),
            },
            33..=41 => Command::Settle {
                token: pick_token(session, roll.pick),
                outcome: outcome(roll.how),
            },
            42..=45 => Command::Judge {
                epoch: session.epoch - u64::from(roll.pick % 8 == 1 && session.epoch > 0),
                verdicts: vec![judgement(reply, roll.how)],
            },
            46..=47 => Command::Expire,
            48 => Command::Fail {
                fence,
                reply: ReplyId(self.id()),
                usage: replygate_gate::Usage::default(),
                verdicts: vec![judgement(reply, roll.how)],
                code: "timeout".to_owned(),
            },
            49 if roll.how < 96 => Command::Control {
                control: Control::Stop,
                message: MessageId(self.id()),
            },
            50 if roll.how < 128 => Command::Lock {
                holder: ["crm", "erp"][usize::from(roll.pick % 2)].to_owned(),
                lease_ms: u64::from(roll.how) * 5,
                ttl_ms: u64::from(roll.pick) * 20,
            },
            51 | 52 => self.person(session, roll),
            53 => Command::Rerun {
                target: seen(session, reply, roll),
                answered: Vec::<AnsweredElsewhere>::new(),
                override_reason: None,
            },
            54 => Command::Reprocess(seen(session, reply, roll)),
            55 => [
                Command::Discard(seen(session, reply, roll)),
                Command::MarkDelivered(seen(session, reply, roll)),
                Command::Report { reply },
            ][usize::from(roll.how % 3)]
            .clone(),
            56 | 57 => [
                Command::Renew { fence },
                Command::ReserveEffect {
                    fence,
                    tool: None,
                    action: None,
                },
                Command::ReserveEffect {
                    fence,
                    tool: None,
                    action: None,
                },
                Command::HandBackTurn { fence },
            ][usize::from(roll.how % 4)]
            .clone(),
            58 => Command::Unlock {
                holder: [None, Some("crm".to_owned())][usize::from(roll.how % 2)].clone(),
            },
            60 | 61 => Command::Abort {
                epoch: session.epoch - u64::from(roll.how % 16 == 1 && session.epoch > 0),
                judgement: turn_judgement(session, roll.how),
            },
            62 | 63 => Command::KeepPartial {
                turn: session.interrupted.unwrap_or(TurnId(0)),
                draft: Draft {
                    reply: ReplyId(self.id()),
                    parts: u16::from(roll.how % 4),
                },
            },
            _ => Command::ReleaseHold,
        }
    }

    fn arrive(&mut self, roll: &Roll) -> Command {
        let edit_of =
            (roll.how.is_multiple_of(6) && self.last_message > 0).then_some(self.last_message);
        let id = self.id();
        self.last_message = edit_of.unwrap_or(id);
        let signals = [
            Signal::Closed,
            Signal::Neutral,
            Signal::Greeting,
            Signal::Dangling,
        ];
        Command::Arrive(Arrival {
            message: MessageId(id),
            signal: signals[usize::from(roll.pick % 4)],
            edit_of: edit_of.map(MessageId),
            awaits_ms: roll
                .how
                .is_multiple_of(5)
                .then_some(u64::from(roll.pick) * 40),
            admission: if roll.how % 16 == 1 {
                Admission::Late
            } else {
                Admission::Turn
            },
            sender: if roll.how < 128 {
                Sender::Reads
            } else {
                Sender::Redelivers
            },
        })
    }

    fn commit(&mut self, session: &Session, fence: u64, roll: &Roll) -> Commit {
        let verdicts = session
            .replies
            .iter()
            .zip(0u8..)
            .map(|(reply, n)| judgement(reply.id, roll.pick.rotate_left(u32::from(n) * 3)))
            .collect();
        let draft = (!roll.how.is_multiple_of(8)).then(|| Draft {
            reply: ReplyId(self.id()),
            parts: u16::from(roll.how % 3) + 1,
        });
        Commit {
            fence,
            verdicts,
            draft,
            effects: roll.how.is_multiple_of(5),
            run_ms: u64::from(roll.how),
            usage: replygate_gate::Usage::default(),
            late: if roll.how.is_multiple_of(4) {
                Late::Refuse
            } else {
                Late::Accept
            },
        }
    }

    fn person(&mut self, session: &Session, roll: &Roll) -> Command {
        let by = "ana".to_owned();
        match (&session.takeover, roll.how % 8) {
            (None, 0) => Command::TakeOver { by },
            (None, _) | (Some(_), 0..=2) => Command::HandBack,
            (Some(_), _) => Command::Say {
                by,
                draft: Draft {
                    reply: ReplyId(self.id()),
                    parts: u16::from(roll.pick % 3) + 1,
                },
            },
        }
    }

    /// A worker and a consumer that do their work well: what they do when the session asks for something at `now`.
    pub fn diligent(&mut self, session: &Session, now: At) -> Vec<Command> {
        let mut commands = vec![Command::Expire];
        commands.push(Command::Take {
            turn: TurnId(self.id()),
        });
        if let Some(owner) = session.owner.as_ref().filter(|owner| owner.until > now) {
            let fence = owner.fence;
            let reply = ReplyId(self.id());
            let draft = Some(Draft { reply, parts: 1 });
            commands.push(Command::Commit(Commit {
                fence,
                verdicts: Vec::new(),
                draft,
                effects: false,
                run_ms: 0,
                usage: replygate_gate::Usage::default(),
                late: Late::Accept,
            }));
        }
        for reply in &session.replies {
            if let Some(claim) = &reply.claim {
                commands.push(Command::Settle {
                    token: claim.token,
                    outcome: Outcome::Accepted { receipt: None },
                });
            }
        }
        commands.extend(self.claims(session));
        commands
    }

    /// A claim of every reply.
    pub fn claims(&mut self, session: &Session) -> Vec<Command> {
        let token = ClaimToken(self.id());
        session
            .replies
            .iter()
            .map(|reply| Command::Claim {
                reply: reply.id,
                token,
            })
            .collect()
    }
}

fn head(session: &Session) -> Option<ReplyId> {
    session.next_dispatch().map(|(reply, _)| reply)
}

fn pick_reply(session: &Session, pick: u8) -> ReplyId {
    let index = usize::from(pick) % (session.replies.len() + 1);
    session
        .replies
        .get(index)
        .map_or(ReplyId(u128::from(pick)), |reply| reply.id)
}

fn pick_token(session: &Session, pick: u8) -> ClaimToken {
    let mut claims = session
        .replies
        .iter()
        .filter_map(|reply| reply.claim.as_ref());
    let claim = claims.next().filter(|_| !pick.is_multiple_of(16));
    claim.map_or(ClaimToken(0), |claim| claim.token)
}

/// Parked and unknown replies first, as an operator sees them, now and then on an old screen.
fn seen(session: &Session, fallback: ReplyId, roll: &Roll) -> Target {
    let mut stuck = session
        .replies
        .iter()
        .filter(|reply| matches!(reply.status, ReplyStatus::Parked | ReplyStatus::Unknown));
    let reply = stuck
        .next()
        .or_else(|| session.reply(fallback))
        .map_or((fallback, 0), |reply| (reply.id, reply.generation));
    Target {
        reply: reply.0,
        generation: reply.1 + u32::from(roll.pick % 16 == 1),
    }
}

fn judgement(reply: ReplyId, how: u8) -> Judgement {
    Judgement {
        reply,
        decision: Decision::ALL[usize::from(how % 3)],
        confidence: if how.is_multiple_of(8) { 0.25 } else { 0.875 },
        reason: "test".to_owned(),
        source: "test".to_owned(),
        took_ms: u64::from(how),
        usage: replygate_gate::Usage::default(),
    }
}

fn turn_judgement(session: &Session, how: u8) -> TurnJudgement {
    let verdict = judgement(ReplyId(0), how);
    TurnJudgement {
        turn: session.owner.as_ref().map_or(TurnId(0), |owner| owner.turn),
        decision: verdict.decision,
        confidence: verdict.confidence,
        reason: verdict.reason,
        source: verdict.source,
        took_ms: verdict.took_ms,
        usage: verdict.usage,
    }
}

fn outcome(how: u8) -> Outcome {
    let code = "code".to_owned();
    match how % 9 {
        8 => Outcome::Unreadable,
        0..=2 => Outcome::Accepted { receipt: None },
        3 => Outcome::NotSent,
        4 | 5 => Outcome::Failed {
            code,
            retry_after_ms: (how > 128).then_some(u64::from(how) * 10),
        },
        6 => Outcome::Refused { code },
        _ => Outcome::Unknown { code },
    }
}
