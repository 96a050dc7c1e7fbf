//! A channel that remembers everything that was handed to it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use replygate_gate::{At, Outcome, ReplyId, Sender, SessionKey};
use replygate_ports::channel::{Channel, Outbound, Show, Typing};
use replygate_ports::clock::Clock;

use super::Latency;

/// One hand-over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandOver {
    /// When it began.
    pub at: At,
    /// What was handed over.
    pub part: Outbound,
    /// Whether the user got it, whatever the sender was told.
    pub reached: bool,
    /// What the sender was told; `None` while it waits, and for ever when it died before.
    pub outcome: Option<Outcome>,
}

/// Something said outside the order of replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// When.
    pub at: At,
    /// To whom.
    pub to: SessionKey,
    /// What makes it recognisable.
    pub id: ReplyId,
    /// The text.
    pub text: String,
}

/// How the channel treats one hand-over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripted {
    /// Takes it.
    Accept,
    /// No for now.
    Busy {
        /// As the channel asks.
        retry_after_ms: Option<u64>,
    },
    /// No for good.
    Refuse,
    /// It never left.
    NotSent,
    /// Nobody knows, and the user did not get it.
    Lost,
    /// Nobody knows, and the user got it.
    Ghost,
}

/// A channel that records every hand-over, notice and sign of typing. What it answers is scripted for a contact with
/// [`RecordingChannel::script`], hand-over by hand-over; else a mark in the text says it: `#busy`, `#unsent`, `#lost` and
/// `#ghost` (once for every part), `#refuse` (always). Without either it accepts.
pub struct RecordingChannel {
    clock: Arc<dyn Clock>,
    latency: Latency,
    style: Typing,
    sender: Sender,
    records: Mutex<Records>,
}

#[derive(Default)]
struct Records {
    hand_overs: Vec<HandOver>,
    notices: Vec<Notice>,
    typing: Vec<(At, SessionKey, Show)>,
    scripts: BTreeMap<String, VecDeque<Scripted>>,
    /// Parts whose mark had its effect.
    marked: BTreeSet<(ReplyId, u16)>,
}

impl RecordingChannel {
    /// A channel that takes this long and shows typing on and off.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, latency: Latency) -> Self {
        Self {
            clock,
            latency,
            style: Typing::OnOff,
            sender: Sender::Reads,
            records: Mutex::default(),
        }
    }

    /// The same channel with another way to show typing.
    #[must_use]
    pub fn with_typing(self, style: Typing) -> Self {
        Self { style, ..self }
    }

    /// The same channel with another kind of sender.
    #[must_use]
    pub fn with_sender(self, sender: Sender) -> Self {
        Self { sender, ..self }
    }

    /// Treats the next hand-overs to this contact like this.
    pub fn script(&self, contact: &str, outcomes: &[Scripted]) {
        self.records()
            .scripts
            .entry(contact.to_owned())
            .or_default()
            .extend(outcomes);
    }

    /// Every hand-over so far, in the order of their beginning.
    #[must_use]
    pub fn hand_overs(&self) -> Vec<HandOver> {
        self.records().hand_overs.clone()
    }

    /// What the users have on their screens, in order: contact and text.
    #[must_use]
    pub fn delivered(&self) -> Vec<(String, String)> {
        let records = self.records();
        let reached = records
            .hand_overs
            .iter()
            .filter(|hand_over| hand_over.reached);
        reached
            .map(|hand_over| {
                (
                    hand_over.part.key.contact.clone(),
                    hand_over.part.text.clone(),
                )
            })
            .collect()
    }

    /// Every notice so far.
    #[must_use]
    pub fn notices(&self) -> Vec<Notice> {
        self.records().notices.clone()
    }

    /// Every sign of typing so far.
    #[must_use]
    pub fn typing_shown(&self) -> Vec<(At, SessionKey, Show)> {
        self.records().typing.clone()
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the beginning of a hand-over; returns its place in the record and how it will end.
    fn begin(&self, part: &Outbound) -> (usize, Scripted) {
        let mut records = self.records();
        let scripted = records.next(part);
        let reached = matches!(scripted, Scripted::Accept | Scripted::Ghost);
        records.hand_overs.push(HandOver {
            at: self.clock.now(),
            part: part.clone(),
            reached,
            outcome: None,
        });
        (records.hand_overs.len() - 1, scripted)
    }
}

impl Records {
    fn next(&mut self, part: &Outbound) -> Scripted {
        let script = self
            .scripts
            .get_mut(&part.key.contact)
            .and_then(VecDeque::pop_front);
        script
            .or_else(|| self.mark(part))
            .unwrap_or(Scripted::Accept)
    }

    fn mark(&mut self, part: &Outbound) -> Option<Scripted> {
        if part.text.contains("#refuse") {
            return Some(Scripted::Refuse);
        }
        let once = [
            (
                "#busy",
                Scripted::Busy {
                    retry_after_ms: None,
                },
            ),
            ("#unsent", Scripted::NotSent),
            ("#lost", Scripted::Lost),
            ("#ghost", Scripted::Ghost),
        ];
        let (_, scripted) = once
            .into_iter()
            .find(|(mark, _)| part.text.contains(mark))?;
        self.marked
            .insert((part.reply, part.part))
            .then_some(scripted)
    }
}

fn outcome(scripted: Scripted, place: usize) -> Outcome {
    let word = str::to_owned;
    match scripted {
        Scripted::Accept => Outcome::Accepted {
            receipt: Some(format!("receipt-{place}")),
        },
        Scripted::Busy { retry_after_ms } => Outcome::Failed {
            code: word("http_503"),
            retry_after_ms,
        },
        Scripted::Refuse => Outcome::Refused {
            code: word("http_403"),
        },
        Scripted::NotSent => Outcome::NotSent,
        Scripted::Lost | Scripted::Ghost => Outcome::Unknown {
            code: word("timeout"),
        },
    }
}

#[async_trait]
impl Channel for RecordingChannel {
    async fn send(&self, part: &Outbound, limit: Duration) -> Outcome {
        let (place, scripted) = self.begin(part);
        let latency = self.latency.draw();
        self.clock.sleep(latency.min(limit)).await;
        let outcome = if latency > limit {
            outcome(Scripted::Lost, place)
        } else {
            outcome(scripted, place)
        };
        self.records().hand_overs[place].outcome = Some(outcome.clone());
        outcome
    }

    async fn typing(&self, to: &SessionKey, show: Show) {
        self.records()
            .typing
            .push((self.clock.now(), to.clone(), show));
    }

    async fn notice(&self, to: &SessionKey, id: ReplyId, text: &str, _limit: Duration) -> Outcome {
        let notice = Notice {
            at: self.clock.now(),
            to: to.clone(),
            id,
            text: text.to_owned(),
        };
        self.records().notices.push(notice);
        Outcome::Accepted { receipt: None }
    }

    fn typing_style(&self) -> Typing {
        self.style
    }

    fn sender(&self) -> Sender {
        self.sender
    }
}
