//! What goes wrong, and when.

use std::collections::BTreeMap;
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What goes wrong with one port call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails and does nothing.
    Before,
    /// It does its work, and fails.
    After,
    /// It is said to have worked and did nothing; for calls that promise nothing, else like [`Fault::Before`].
    Lost,
    /// It works twice, as when a driver repeats what it got no answer to.
    Twice,
    /// Half of this time passes before its work, half behind it.
    Delay(Duration),
    /// The process dies before its work.
    CrashBefore,
    /// The process dies behind its work, before it learns of it.
    CrashAfter,
}

impl Fault {
    const fn is_crash(self) -> bool {
        matches!(self, Self::CrashBefore | Self::CrashAfter)
    }
}

/// A fault that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injected {
    /// The call's number, counted from 0.
    pub number: usize,
    /// Its name, such as `store.append`.
    pub call: &'static str,
    /// What went wrong.
    pub fault: Fault,
}

/// A call among many, told by what it is and how many of its kind came before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its name, such as `store.append`.
    pub call: String,
    /// What it has to be about, where its kind tells that: an event's name for `store.append`, `first` or `again` for
    /// `tickets.publish`. Empty for any.
    pub about: String,
    /// Which of them, counted from 1.
    pub nth: usize,
}

impl Site {
    fn is(&self, call: &str, about: &[&str]) -> bool {
        self.call == call && (self.about.is_empty() || about.contains(&self.about.as_str()))
    }
}

/// Which calls go wrong.
#[derive(Clone, Debug)]
pub enum Plan {
    /// These, by their numbers; no others.
    Exactly(BTreeMap<usize, Fault>),
    /// This one.
    Once {
        /// Which call.
        site: Site,
        /// What goes wrong with it.
        fault: Fault,
    },
    /// As chance has it.
    Random {
        /// Decides everything.
        seed: u64,
        /// How likely a call is to go wrong. 0 to 1.
        rate: f64,
        /// How many times processes may die.
        crashes: u32,
    },
}

impl Plan {
    /// Nothing goes wrong.
    #[must_use]
    pub const fn none() -> Self {
        Self::Exactly(BTreeMap::new())
    }

    /// Exactly what went wrong in another run.
    #[must_use]
    pub fn again(injected: &[Injected]) -> Self {
        Self::Exactly(
            injected
                .iter()
                .map(|injected| (injected.number, injected.fault))
                .collect(),
        )
    }
}

pub(super) enum Chooser {
    Exactly(BTreeMap<usize, Fault>),
    Once {
        site: Site,
        fault: Fault,
        met: usize,
    },
    Random {
        rng: Box<ChaCha8Rng>,
        rate: f64,
        crashes: u32,
    },
}

impl Chooser {
    pub fn new(plan: Plan) -> Self {
        match plan {
            Plan::Exactly(faults) => Self::Exactly(faults),
            Plan::Once { site, fault } => Self::Once {
                site,
                fault,
                met: 0,
            },
            Plan::Random {
                seed,
                rate,
                crashes,
            } => Self::Random {
                rng: Box::new(ChaCha8Rng::seed_from_u64(seed)),
                rate,
                crashes,
            },
        }
    }

    /// What goes wrong with the call of that number and name.
    pub fn choose(&mut self, number: usize, call: &str, about: &[&str]) -> Option<Fault> {
        match self {
            Self::Exactly(faults) => faults.get(&number).copied(),
            Self::Once { site, fault, met } => {
                *met += usize::from(site.is(call, about));
                (*met == site.nth && site.is(call, about)).then_some(*fault)
            }
            Self::Random { rng, rate, crashes } => {
                if !rng.random_bool(*rate) {
                    return None;
                }
                let fault = any_fault(rng);
                if !fault.is_crash() {
                    return Some(fault);
                }
                let left = *crashes > 0;
                *crashes = crashes.saturating_sub(1);
                left.then_some(fault)
            }
        }
    }
}

fn any_fault(rng: &mut ChaCha8Rng) -> Fault {
    match rng.random_range(0..100) {
        0..20 => Fault::Before,
        20..45 => Fault::After,
        45..53 => Fault::Lost,
        53..60 => Fault::Twice,
        60..88 => Fault::Delay(any_delay(rng)),
        88..94 => Fault::CrashBefore,
        _ => Fault::CrashAfter,
    }
}

/// Mostly short; now and then long enough for a hold, a claim or a lease to end meanwhile.
fn any_delay(rng: &mut ChaCha8Rng) -> Duration {
    let ms = match rng.random_range(0..10) {
        0..6 => rng.random_range(2..200),
        6..9 => rng.random_range(500..4_000),
        _ => rng.random_range(6_000..50_000),
    };
    Duration::from_millis(ms)
}

/// How long sound calls take.
pub(super) struct Jitter {
    rng: ChaCha8Rng,
    most_ms: u64,
}

impl Jitter {
    pub fn new(seed: u64, most_ms: u64) -> Self {
        Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            most_ms,
        }
    }

    pub fn draw(&mut self) -> Duration {
        Duration::from_millis(self.rng.random_range(0..=self.most_ms))
    }
}
