//! Random lives of a session under random rules: nothing panics, no invariant breaks, every state survives its text form, and
//! the one deadline tells the truth.

#[path = "invariants/play.rs"]
mod play;
#[path = "invariants/watch.rs"]
mod watch;

use std::collections::BTreeMap;

use play::{Pause, Player, Roll, rolls, rules};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use replygate_gate::{
    At, Command, Event, Neighbours, Refusal, ReplyStatus, Rules, Scene, Session, decide, evolve,
};
use watch::Watch;

/// A session's life so far.
struct Life<'a> {
    rules: &'a Rules,
    session: Session,
    now: At,
    log: Vec<Event>,
    watch: Watch,
    player: Player,
}

impl<'a> Life<'a> {
    fn new(rules: &'a Rules) -> Self {
        Self {
            rules,
            session: Session::default(),
            now: At(1_000_000),
            log: Vec::new(),
            watch: Watch::default(),
            player: Player::default(),
        }
    }

    fn lived(rules: &'a Rules, rolls: &[Roll]) -> Result<Self, TestCaseError> {
        let mut life = Self::new(rules);
        for roll in rolls {
            life.rolls(roll)?;
        }
        Ok(life)
    }

    fn ask(&self, command: &Command, now: At) -> Result<Vec<Event>, Refusal> {
        let scene = Scene {
            now,
            rules: self.rules,
            neighbours: Neighbours::default(),
        };
        decide(&self.session, command, &scene)
    }

    fn rolls(&mut self, roll: &Roll) -> Result<(), TestCaseError> {
        match roll.pause {
            Pause::Ms(ms) => self.now = self.now.plus(ms),
            Pause::UntilDue => {
                let due = self.session.next_deadline(self.rules);
                self.now = due.map_or(self.now, |due| due.max(self.now));
            }
        }
        let command = self.player.command(&self.session, roll);
        self.does(&command)?;
        Ok(())
    }

    /// Whether the command did something.
    fn does(&mut self, command: &Command) -> Result<bool, TestCaseError> {
        let Ok(events) = self.ask(command, self.now) else {
            return Ok(false);
        };
        prop_assert!(!events.is_empty(), "{command:?} did nothing");
        for event in &events {
            self.watch
                .sees(&self.session, event)
                .map_err(TestCaseError::fail)?;
            self.session = evolve(std::mem::take(&mut self.session), event);
        }
        self.watch.finds(&self.session).map_err(|why| {
            TestCaseError::fail(format!("after {command:?} -> {events:?}: {why}"))
        })?;
        self.log.extend(events);
        Ok(true)
    }

    /// Diligent workers and consumers do all there is to do at this instant.
    fn works(&mut self) -> Result<(), TestCaseError> {
        loop {
            let mut busy = false;
            for command in self.player.diligent(&self.session, self.now) {
                busy |= self.does(&command)?;
            }
            if !busy {
                return Ok(());
            }
        }
    }

    /// What would do something at `at` by itself.
    fn stirs(&mut self, at: At) -> Option<Command> {
        let turn = replygate_gate::TurnId(u128::MAX);
        let mut commands = vec![Command::Expire, Command::Take { turn }];
        commands.extend(self.player.claims(&self.session));
        commands
            .into_iter()
            .find(|command| self.ask(command, at).is_ok())
    }

    /// Every instant that the state or the rules name.
    fn instants(&self) -> Vec<At> {
        let (session, rules) = (&self.session, self.rules);
        let mut instants = vec![self.now];
        instants.extend(session.window.map(|window| window.due));
        instants.extend(session.owner.as_ref().map(|owner| owner.until));
        instants.extend(
            session
                .lock
                .iter()
                .flat_map(|lock| [lock.lease_until, lock.expires]),
        );
        for reply in &session.replies {
            instants.extend(reply.claim.as_ref().map(|claim| claim.until));
            instants.extend(reply.held_since.map(|at| at.plus(rules.max_hold_ms)));
            instants.extend(reply.retry_at);
            instants.extend([
                reply.not_before,
                reply.queued_at.plus(rules.park_age_ms),
                reply.queued_at.plus(rules.expire_age_ms),
            ]);
        }
        let ahead = rules.claim_ahead_ms;
        instants
            .into_iter()
            .flat_map(|at| [at.minus(ahead + 1), at.minus(ahead), at.minus(1), at])
            .filter(|at| *at >= self.now)
            .collect()
    }
}

/// Every event there is: a life that never meets one proves nothing about it.
const EVENTS: [&str; 40] = [
    "arrived",
    "edited",
    "rejected",
    "queued",
    "dropped",
    "controlled",
    "judged",
    "turn_judged",
    "verdict_noted",
    "released",
    "taken",
    "renewed",
    "effect_reserved",
    "stopping",
    "committed",
    "turn_failed",
    "turn_lost",
    "replied",
    "cancelled",
    "superseded",
    "verdict_late",
    "cut",
    "claimed",
    "part_accepted",
    "delivered",
    "not_sent",
    "attempt_failed",
    "attempt_blocked",
    "outcome_unknown",
    "repetition_ended",
    "parked",
    "expired",
    "requeued",
    "rerun_requested",
    "rerun_ended",
    "discarded",
    "locked",
    "unlocked",
    "taken_over",
    "handed_back",
];

#[test]
fn random_lives_meet_every_event() {
    let mut runner = TestRunner::deterministic();
    let mut met = BTreeMap::<&str, u32>::new();
    for _ in 0..12_000 {
        let rules = rules().new_tree(&mut runner).expect("rules").current();
        let rolls = rolls().new_tree(&mut runner).expect("rolls").current();
        let life = Life::lived(&rules, &rolls).expect("a life without a breach");
        for event in &life.log {
            *met.entry(event.name()).or_default() += 1;
        }
    }
    let missed: Vec<_> = EVENTS
        .iter()
        .filter(|name| met.get(**name).is_none_or(|times| *times < 10))
        .collect();
    assert!(missed.is_empty(), "{missed:?} of {met:?}");
}

/// The state's text form and back.
fn through_text(session: &Session) -> Session {
    let text = serde_json::to_string(session).expect("a session has a text form");
    serde_json::from_str(&text).expect("a text form is a session")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_life_breaks_an_invariant(rules in rules(), rolls in rolls()) {
        Life::lived(&rules, &rolls)?;
    }

    #[test]
    fn replaying_the_events_gives_the_state(rules in rules(), rolls in rolls(), snapshot_at in 0usize..200) {
        let life = Life::lived(&rules, &rolls)?;
        let text = serde_json::to_string(&life.log).unwrap();
        let log: Vec<Event> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&log, &life.log);
        let replayed = log.iter().fold(Session::default(), |session, event| evolve(through_text(&session), event));
        prop_assert_eq!(&replayed, &life.session);
        let cut = snapshot_at.min(log.len());
        let snapshot = log[..cut].iter().fold(Session::default(), evolve);
        let replayed = log[cut..].iter().fold(through_text(&snapshot), evolve);
        prop_assert_eq!(&replayed, &life.session);
    }

    #[test]
    fn nothing_stirs_before_the_deadline_and_something_does_then(rules in rules(), rolls in rolls()) {
        let mut life = Life::new(&rules);
        for roll in &rolls {
            life.rolls(roll)?;
            let deadline = life.session.next_deadline(&rules);
            for at in life.instants() {
                if deadline.is_none_or(|deadline| at < deadline) {
                    let early = life.stirs(at);
                    prop_assert_eq!(early, None, "stirs at {}, but the deadline is {:?}: {:?}", at, deadline, life.session);
                }
            }
            if let Some(deadline) = deadline {
                let at = deadline.max(life.now);
                prop_assert!(life.stirs(at).is_some(), "nothing stirs at {at}: {:?}", life.session);
            }
        }
    }

    #[test]
    fn diligent_workers_bring_every_session_to_rest(rules in rules(), rolls in rolls()) {
        let mut life = Life::lived(&rules, &rolls)?;
        for _ in 0..400 {
            life.works()?;
            let Some(deadline) = life.session.next_deadline(&rules) else { break };
            life.now = life.now.max(deadline);
        }
        prop_assert_eq!(life.session.next_deadline(&rules), None);
        prop_assert!(life.session.uncovered.is_empty(), "{:?}", life.session);
        prop_assert!(life.session.owner.is_none());
        for reply in &life.session.replies {
            let waits_for_a_person = matches!(reply.status, ReplyStatus::Parked | ReplyStatus::Unknown);
            prop_assert!(waits_for_a_person, "{reply:?}");
        }
    }
}
