//! What is said in each story and how it has to end. Must never depend on a run.

use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::{Sample, Windows, classify};
use replygate_gate::text::Languages;

/// How long a finished reply waits in every story.
pub const DELAY_MS: u64 = 600;
/// How long after the first message, or after the first reply was written, the second message comes.
const GAP_MS: u64 = 300;
/// The lock's lease and its time to live.
pub const LOCK_MS: (u64, u64) = (500, 30_000);
/// When attempts meet the lock: after the delay, then after each rung of 300, 600 and 1,200 ms.
pub const ATTEMPTS_MS: [u64; 4] = [600, 900, 1_500, 2_700];

/// How a story ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Both replies are delivered, the first one first.
    Release,
    /// The first reply is never delivered: what it says is not wanted any more.
    Cancel,
    /// The first reply is never delivered: the second answers both messages.
    Merge,
    /// The only reply meets a lock that nobody releases and is parked.
    Lock,
}

/// Whether bursts are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Debounce {
    /// Every message is a burst of its own, at once.
    Off,
    /// With the default windows.
    On,
}

/// A story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Story {
    /// Its name.
    pub name: &'static str,
    /// How it ends.
    pub ending: Ending,
    /// On which channel it plays.
    pub debounce: Debounce,
    /// What the customer writes; the second message only where there is one.
    pub texts: &'static [&'static str],
}

/// All of them.
pub const STORIES: &[Story] = &[
    Story {
        name: "release",
        ending: Ending::Release,
        debounce: Debounce::Off,
        texts: &["What are your business hours?", "And do you accept PIX?"],
    },
    Story {
        name: "cancel",
        ending: Ending::Cancel,
        debounce: Debounce::Off,
        texts: &[
            "I want to cancel my order",
            "Actually don't cancel it, I just received it",
        ],
    },
    Story {
        name: "merge",
        ending: Ending::Merge,
        debounce: Debounce::Off,
        texts: &["Add a pepperoni pizza", "And a 2L Coke too"],
    },
    Story {
        name: "release-debounce",
        ending: Ending::Release,
        debounce: Debounce::On,
        texts: &["Qual é o horário de funcionamento?", "E vocês aceitam PIX?"],
    },
    Story {
        name: "cancel-debounce",
        ending: Ending::Cancel,
        debounce: Debounce::On,
        texts: &[
            "Quero cancelar meu pedido.",
            "Na verdade não cancela, acabei de receber.",
        ],
    },
    Story {
        name: "merge-debounce",
        ending: Ending::Merge,
        debounce: Debounce::On,
        texts: &[
            "Adiciona uma pizza de calabresa.",
            "E uma Coca de 2L também.",
        ],
    },
    Story {
        name: "lock",
        ending: Ending::Lock,
        debounce: Debounce::Off,
        texts: &["¿Cuál es el horario de atención?"],
    },
];

impl Story {
    /// When each message is sent, in milliseconds since the first.
    #[must_use]
    pub fn sent_ms(&self) -> Vec<u64> {
        let second = match self.debounce {
            Debounce::Off => GAP_MS,
            Debounce::On => self.window_ms(0) + GAP_MS,
        };
        [0, second].into_iter().take(self.texts.len()).collect()
    }

    /// How long the debounce waits behind a message, in milliseconds.
    #[must_use]
    pub fn window_ms(&self, message: usize) -> u64 {
        let text = self.texts.get(message).copied().unwrap_or_default();
        let signal = classify(
            Sample::text(text),
            &ControlCommands::default(),
            Languages::all(),
        );
        self.windows().window(signal)
    }

    fn windows(&self) -> Windows {
        Windows {
            enabled: self.debounce == Debounce::On,
            ..Windows::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use replygate_gate::triage::{Pair, SURE, judge};
    use replygate_gate::{Decision, triage};

    use super::*;

    #[test]
    fn the_rules_judge_every_pair_as_its_story_ends() {
        for story in STORIES.iter().filter(|story| story.texts.len() == 2) {
            let pair = Pair {
                held: story.texts[0],
                newer: &story.texts[1..],
            };
            let verdict: triage::Verdict = judge(&pair, Languages::all());
            let wanted = match story.ending {
                Ending::Release => Decision::ReleaseFirst,
                Ending::Cancel => Decision::CancelFirst,
                _ => Decision::Merge,
            };
            assert_eq!(verdict.decision, wanted, "{}", story.name);
            assert!(verdict.confidence >= SURE, "{}", story.name);
        }
    }

    #[test]
    fn with_debounce_the_second_message_meets_a_reply_that_is_written_and_waits() {
        for story in STORIES
            .iter()
            .filter(|story| story.debounce == Debounce::On)
        {
            let second = story.sent_ms()[1];
            assert!(second > story.window_ms(0), "{}", story.name);
            assert!(second < story.window_ms(0) + DELAY_MS, "{}", story.name);
        }
    }
}
