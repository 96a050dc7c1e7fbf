//! A session on a stage: says commands at instants and remembers what happened.

use replygate_gate::control::Control;
use replygate_gate::debounce::{Signal, Windows};
use replygate_gate::{
    Admission, Arrival, At, ClaimToken, Command, Commit, Decision, Draft, Event, Judgement, Late,
    MessageId, Neighbours, Outcome, Refusal, Reply, ReplyId, ReplyStatus, Rules, Scene, Sender,
    Session, Target, TurnId, decide, evolve,
};

pub struct Stage {
    pub session: Session,
    pub rules: Rules,
    pub now: At,
    pub neighbours: Neighbours,
    tokens: u128,
}

impl Stage {
    /// The default settings.
    pub fn new() -> Self {
        Self {
            session: Session::default(),
            rules: Rules::default(),
            now: At(0),
            neighbours: Neighbours::default(),
            tokens: 0,
        }
    }

    /// Without debounce and delay, so that everything is due at once.
    pub fn prompt() -> Self {
        let mut stage = Self::new();
        stage.rules.windows = Windows {
            enabled: false,
            ..Windows::default()
        };
        stage.rules.operational_delay_ms = 0;
        stage
    }

    pub fn at(&mut self, ms: i64) -> &mut Self {
        self.now = At(ms);
        self
    }

    pub fn ask(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        let scene = Scene {
            now: self.now,
            rules: &self.rules,
            neighbours: self.neighbours,
        };
        let events = decide(&self.session, command, &scene)?;
        self.session = events.iter().fold(self.session.clone(), evolve);
        Ok(events)
    }

    pub fn does(&mut self, command: &Command) -> Vec<Event> {
        self.ask(command)
            .unwrap_or_else(|refusal| panic!("{command:?} was refused: {refusal}"))
    }

    pub fn refuses(&mut self, command: &Command) -> Refusal {
        let before = self.session.clone();
        let refusal = self.ask(command).expect_err("a refusal");
        assert_eq!(self.session, before);
        refusal
    }

    pub fn arrive(&mut self, message: u128) -> Vec<Event> {
        self.arrive_as(message, Signal::Closed)
    }

    pub fn arrive_as(&mut self, message: u128, signal: Signal) -> Vec<Event> {
        self.does(&arrival(message, signal, None))
    }

    /// A voice message without words, whose transcript comes within so many milliseconds.
    pub fn note(&mut self, message: u128, within_ms: u64) -> Vec<Event> {
        let Command::Arrive(arrival) = arrival(message, Signal::Media, None) else {
            panic!("an arrival");
        };
        self.does(&Command::Arrive(Arrival {
            awaits_ms: Some(within_ms),
            ..arrival
        }))
    }

    pub fn edit(&mut self, message: u128, of: u128, signal: Signal) -> Vec<Event> {
        self.does(&arrival(message, signal, Some(MessageId(of))))
    }

    pub fn control(&mut self, message: u128) -> Vec<Event> {
        self.does(&Command::Control {
            control: Control::Stop,
            message: MessageId(message),
        })
    }

    /// A worker takes the ripe burst; its fencing token.
    pub fn take(&mut self) -> u64 {
        let turn = TurnId(u128::from(self.session.last_fence) + 1);
        self.does(&Command::Take { turn });
        self.session.last_fence
    }

    pub fn judge(&mut self, verdicts: Vec<Judgement>) -> Vec<Event> {
        let epoch = self.session.epoch;
        self.does(&Command::Judge { epoch, verdicts })
    }

    pub fn commit(&mut self, fence: u64, reply: u128, verdicts: Vec<Judgement>) -> Vec<Event> {
        self.does(&Command::Commit(turn_end(fence, Some(reply), verdicts)))
    }

    /// A message comes in and is answered by a reply of one part.
    pub fn answer(&mut self, message: u128, reply: u128) {
        self.answer_in(message, reply, 1);
    }

    pub fn answer_in(&mut self, message: u128, reply: u128, parts: u16) {
        self.arrive(message);
        let fence = self.take();
        let mut end = turn_end(fence, Some(reply), Vec::new());
        end.draft = end.draft.map(|draft| Draft { parts, ..draft });
        self.does(&Command::Commit(end));
    }

    /// Like [`Stage::answer`], by a turn that reserved an outside effect.
    pub fn answer_with_effect(&mut self, message: u128, reply: u128) {
        self.arrive(message);
        let fence = self.take();
        self.does(&effect(fence));
        self.commit(fence, reply, Vec::new());
    }

    /// The claim's token.
    pub fn claim(&mut self, reply: u128) -> ClaimToken {
        let command = self.claiming(reply);
        self.does(&command);
        let claim = self.reply(reply).claim.as_ref().expect("a claim");
        claim.token
    }

    pub fn claiming(&mut self, reply: u128) -> Command {
        self.tokens += 1;
        Command::Claim {
            reply: ReplyId(reply),
            token: ClaimToken(self.tokens),
        }
    }

    pub fn settle(&mut self, token: ClaimToken, outcome: Outcome) -> Vec<Event> {
        self.does(&Command::Settle { token, outcome })
    }

    /// A reply becomes unknown.
    pub fn loses(&mut self, reply: u128) {
        let token = self.claim(reply);
        self.settle(token, unknown());
    }

    pub fn reply(&self, id: u128) -> &Reply {
        self.session.reply(ReplyId(id)).expect("an open reply")
    }

    pub fn status(&self, id: u128) -> Option<ReplyStatus> {
        self.session.reply(ReplyId(id)).map(|reply| reply.status)
    }

    /// What an operator sees now.
    pub fn target(&self, id: u128) -> Target {
        Target {
            reply: ReplyId(id),
            generation: self.reply(id).generation,
        }
    }

    pub fn deadline(&self) -> Option<At> {
        self.session.next_deadline(&self.rules)
    }
}

fn arrival(message: u128, signal: Signal, edit_of: Option<MessageId>) -> Command {
    Command::Arrive(Arrival {
        message: MessageId(message),
        signal,
        edit_of,
        awaits_ms: None,
        admission: Admission::Turn,
        sender: Sender::Reads,
    })
}

pub fn turn_end(fence: u64, reply: Option<u128>, verdicts: Vec<Judgement>) -> Commit {
    Commit {
        fence,
        verdicts,
        draft: reply.map(|id| Draft {
            reply: ReplyId(id),
            parts: 1,
        }),
        effects: false,
        run_ms: 0,
        usage: replygate_gate::Usage::default(),
        late: Late::Accept,
    }
}

pub fn says(reply: u128, decision: Decision) -> Judgement {
    says_with(reply, decision, 0.9)
}

pub fn says_with(reply: u128, decision: Decision, confidence: f32) -> Judgement {
    Judgement {
        reply: ReplyId(reply),
        decision,
        confidence,
        reason: "test".to_owned(),
        source: "test".to_owned(),
        took_ms: 1,
        usage: replygate_gate::Usage::default(),
    }
}

/// An effect is about to happen.
pub fn effect(fence: u64) -> Command {
    Command::ReserveEffect {
        fence,
        tool: None,
        action: None,
    }
}

pub fn accepted() -> Outcome {
    Outcome::Accepted { receipt: None }
}

pub fn failed() -> Outcome {
    Outcome::Failed {
        code: "http_503".to_owned(),
        retry_after_ms: None,
    }
}

pub fn unknown() -> Outcome {
    Outcome::Unknown {
        code: "timeout".to_owned(),
    }
}

pub fn messages(ids: &[u128]) -> Vec<MessageId> {
    ids.iter().map(|id| MessageId(*id)).collect()
}

/// The names of events, for comparing what happened.
pub fn names(events: &[Event]) -> Vec<&'static str> {
    events.iter().map(Event::name).collect()
}
