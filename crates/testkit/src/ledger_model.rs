//! The ledger's model test: random lives of calls are played on an adapter and on the memory store at once, and every
//! answer and every list must be equal. An adapter joins with one line:
//!
//! ```ignore
//! replygate_testkit::ledger_model!(ledger_behaves_like_the_model, SqliteHarness, 64);
//! ```
#![expect(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "this is a test: it panics when it fails"
)]

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use replygate_gate::tools::{
    CallState, ClockStep, Fingerprint, Guarding, Moment, OnUnknown, Recipe, Scope,
};
use replygate_gate::{ActionId, DuplicateId, ReplyId, SessionKey, TurnId};
use replygate_ports::ledger::{
    Avoided, By, CallQuery, DuplicateQuery, Ledger, NewCall, NewDuplicate, NewPass, Opinion,
    Runner, Settlement, Verdict,
};
use serde_json::json;
use tokio::runtime::Builder;

use crate::clock::EPOCH;
use crate::contract::{LedgerHarness, begin};
use crate::memory::MemoryStore;

/// Writes the ledger's model test of an adapter, with this many random lives.
#[macro_export]
macro_rules! ledger_model {
    ($name:ident, $harness:ty, $cases:expr) => {
        #[test]
        fn $name() {
            $crate::ledger_model::compare::<$harness>($cases);
        }
    };
}

/// The longest life, in moves.
const LONGEST: usize = 80;

#[derive(Clone, Debug)]
enum Move {
    Reserve {
        contact: usize,
        title: usize,
        window_ms: u64,
        on_unknown: OnUnknown,
        runner: Runner,
    },
    Settle(Index, u8),
    SettleBy(Index, u8, u8),
    Avoid(Index),
    Said(Index),
    Allow(Index, u8),
    Judge(Index, bool),
    Expire(u32),
    Recover,
    Prune(u64, u32),
    Later(u64),
    Step(i64),
}

fn any_move() -> impl Strategy<Value = Move> {
    let on_unknown = prop_oneof![
        3 => Just(OnUnknown::Hold),
        1 => Just(OnUnknown::Window),
        1 => Just(OnUnknown::Retry),
    ];
    let runner = prop_oneof![3 => Just(Runner::Engine), 1 => Just(Runner::Outside)];
    let reserve = (0usize..2, 0usize..2, 1_000u64..20_000, on_unknown, runner).prop_map(
        |(contact, title, window_ms, on_unknown, runner)| Move::Reserve {
            contact,
            title,
            window_ms,
            on_unknown,
            runner,
        },
    );
    prop_oneof![
        12 => reserve,
        8 => (any::<Index>(), 0u8..3).prop_map(|(call, how)| Move::Settle(call, how)),
        3 => (any::<Index>(), 0u8..3, 0u8..4).prop_map(|(call, how, who)| Move::SettleBy(call, how, who)),
        3 => any::<Index>().prop_map(Move::Avoid),
        1 => any::<Index>().prop_map(Move::Said),
        2 => (any::<Index>(), 0u8..6).prop_map(|(call, request)| Move::Allow(call, request)),
        1 => (any::<Index>(), any::<bool>()).prop_map(|(record, right)| Move::Judge(record, right)),
        1 => (1u32..4).prop_map(Move::Expire),
        1 => Just(Move::Recover),
        2 => (0u64..60_000, 1u32..6).prop_map(|(age, limit)| Move::Prune(age, limit)),
        6 => (1u64..8_000).prop_map(Move::Later),
        1 => (-50_000i64..50_000).prop_map(Move::Step),
    ]
}

/// What has happened so far, so that moves can name it.
struct Play {
    moment: Moment,
    calls: Vec<NewCall>,
    records: Vec<NewDuplicate>,
}

impl Play {
    /// Makes one move on a ledger; what it answered.
    async fn make(&self, ledger: &dyn Ledger, step: &Move) -> String {
        let moment = &self.moment;
        let call = |index: &Index| index.get(&self.calls);
        let settlement = |how: u8| match how {
            0 => Settlement::Done {
                result: json!({ "how": how }),
            },
            1 => Settlement::Failed {
                code: "no".to_owned(),
            },
            _ => Settlement::Unknown {
                code: "timeout".to_owned(),
            },
        };
        match step {
            Move::Reserve { .. } => match self.calls.last() {
                Some(call) => format!("{:?}", ledger.reserve(call.clone(), moment).await),
                None => String::new(),
            },
            Move::Settle(index, how) if !self.calls.is_empty() => {
                let action = call(index).action;
                told(ledger.settle(action, settlement(*how), moment).await)
            }
            Move::SettleBy(index, how, who) if !self.calls.is_empty() => {
                let action = call(index).action;
                let by = by(&who.to_string());
                told(ledger.settle_by(action, settlement(*how), by, moment).await)
            }
            Move::Avoid(_) => match self.records.last() {
                Some(record) => format!("{:?}", ledger.avoid(record.clone()).await),
                None => String::new(),
            },
            Move::Said(index) if !self.records.is_empty() => {
                let turn = index.get(&self.records).turn.unwrap_or_default();
                format!("{:?}", ledger.said(turn, ReplyId(7)).await)
            }
            Move::Allow(index, request) if !self.calls.is_empty() => {
                let pass = NewPass {
                    fingerprint: call(index).fingerprint,
                    at: moment.now,
                    until: moment.now.plus(15_000),
                    by: by(&format!("pass {request}")),
                };
                format!("{:?}", ledger.allow_once(pass).await)
            }
            Move::Judge(index, right) if !self.records.is_empty() => {
                let record = index.get(&self.records).id;
                let verdict = Verdict {
                    opinion: if *right {
                        Opinion::Right
                    } else {
                        Opinion::ShouldHaveRun
                    },
                    comment: None,
                    by: "ana".to_owned(),
                    at: moment.now,
                };
                let known = ledger.duplicate(record).await.unwrap();
                let stands = known.and_then(|known| known.verdict);
                let seen = stands.map(|stands| stands.at);
                told(ledger.judge(record, seen, verdict).await)
            }
            Move::Expire(limit) => {
                // Which of several go first is the adapter's business.
                let mut gone = Vec::new();
                loop {
                    let round = ledger.expire(moment, *limit).await.unwrap();
                    assert!(round.len() <= *limit as usize);
                    if round.is_empty() {
                        gone.sort();
                        return format!("{gone:?}");
                    }
                    gone.extend(round);
                }
            }
            Move::Recover => format!("{:?}", ledger.recover(moment).await),
            Move::Prune(age, limit) => {
                let mut removed = 0;
                loop {
                    match ledger.prune(moment.now.minus(*age), *limit).await.unwrap() {
                        0 => return removed.to_string(),
                        round => removed += round,
                    }
                }
            }
            _ => String::new(),
        }
    }

    /// What a move adds to the story before it is made.
    fn advance(&mut self, step: &Move) {
        match step {
            Move::Reserve {
                contact,
                title,
                window_ms,
                on_unknown,
                runner,
            } => {
                let guarding = Guarding {
                    window_ms: *window_ms,
                    lease_ms: 10_000,
                    on_unknown: *on_unknown,
                };
                let call = self.new_call(*contact, *title, guarding, *runner);
                self.calls.push(call);
            }
            Move::Avoid(index) if !self.calls.is_empty() => {
                let record = self.new_record(index.get(&self.calls));
                self.records.push(record);
            }
            Move::Later(ms) => self.moment.now = self.moment.now.plus(*ms),
            Move::Step(ms) => {
                let from = self.moment.now;
                self.moment.now.0 += ms;
                let to = self.moment.now;
                self.moment.steps.push(ClockStep { from, to });
            }
            _ => {}
        }
    }

    fn new_call(
        &self,
        contact: usize,
        title: usize,
        guarding: Guarding,
        runner: Runner,
    ) -> NewCall {
        let contact = ["ana", "rui"][contact].to_owned();
        let whom = SessionKey {
            channel: "shop".to_owned(),
            account: String::new(),
            conversation: contact.clone(),
            contact,
        };
        let title = ["Psicología", "Dentista"][title];
        let arguments = json!({ "title": title });
        let comparison = Recipe::default().compare("t", &arguments);
        NewCall {
            action: ActionId(self.calls.len() as u128 + 1),
            fingerprint: Fingerprint::of("t", &comparison, Scope::Contact, &whom),
            tool: "t".to_owned(),
            whom,
            turn: Some(TurnId(1)),
            arguments,
            comparison,
            guarding,
            runner,
        }
    }

    fn new_record(&self, call: &NewCall) -> NewDuplicate {
        NewDuplicate {
            id: DuplicateId(self.records.len() as u128 + 1),
            first: call.action,
            fingerprint: call.fingerprint,
            avoided: Avoided::Repeated,
            tool: call.tool.clone(),
            whom: call.whom.clone(),
            turn: Some(TurnId(self.records.len() as u128 % 3)),
            arguments: call.arguments.clone(),
            comparison: call.comparison.clone(),
            age_ms: 1,
            note: "note".to_owned(),
            at: self.moment.now,
        }
    }
}

fn by(request: &str) -> By {
    By {
        name: "ana".to_owned(),
        reason: None,
        request_id: request.to_owned(),
    }
}

fn told<T: std::fmt::Debug, E: std::fmt::Display>(answer: Result<T, E>) -> String {
    match answer {
        Ok(value) => format!("{value:?}"),
        Err(error) => format!("refused: {error}"),
    }
}

/// Everything that can be listed.
async fn observed(ledger: &dyn Ledger) -> String {
    let calls = CallQuery {
        limit: 1_000,
        ..CallQuery::default()
    };
    let open = CallQuery {
        states: vec![CallState::Running, CallState::Unknown],
        ..calls.clone()
    };
    let records = DuplicateQuery {
        limit: 1_000,
        ..DuplicateQuery::default()
    };
    format!(
        "{:?}\n{:?}\n{:?}",
        ledger.calls(&calls).await,
        ledger.calls(&open).await,
        ledger.duplicates(&records).await
    )
}

async fn play(adapter: &dyn Ledger, life: &[Move]) -> Result<(), String> {
    let model = MemoryStore::new();
    let mut play = Play {
        moment: Moment::at(EPOCH),
        calls: Vec::new(),
        records: Vec::new(),
    };
    for (number, step) in life.iter().enumerate() {
        play.advance(step);
        let expected = play.make(&model, step).await;
        let found = play.make(adapter, step).await;
        if expected != found {
            return Err(format!("move {number} {step:?}:\n{expected}\n{found}"));
        }
        let (expected, found) = (observed(&model).await, observed(adapter).await);
        if expected != found {
            return Err(format!(
                "after move {number} {step:?}:\n{expected}\n\n{found}"
            ));
        }
    }
    Ok(())
}

/// Plays `cases` random lives on the adapter and on the model. A difference is shrunk to the shortest life that shows it.
pub fn compare<H: LedgerHarness>(cases: u32) {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let life = proptest::collection::vec(any_move(), 1..LONGEST);
    let outcome = TestRunner::new(config).run(&life, |life| {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let difference = runtime.block_on(async {
            match begin::<H>().await {
                Some(harness) => play(&*harness.ledger(), &life).await.err(),
                None => None,
            }
        });
        difference.map_or(Ok(()), |difference| Err(TestCaseError::fail(difference)))
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
