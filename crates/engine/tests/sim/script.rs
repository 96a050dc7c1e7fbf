//! What happens to a world from outside: people write, operators press buttons, settings change. Everything from a seed.

use replygate_gate::debounce::MessageKind;
use replygate_gate::tools::{Field, Recipe, Spelling};
use replygate_gate::{At, Guarantee, Sender, SessionKey, Strategy};
use replygate_ports::budgets::Rate;
use replygate_ports::channel::Inbound;
use replygate_ports::settings::{ChannelSettings, Choice, Timing};
use replygate_ports::tools::{Effect, Tool};
use replygate_testkit::clock::EPOCH;
use replygate_testkit::scripted::Turnout;

use crate::dice::Dice;

/// One thing that happens.
#[derive(Clone, Debug)]
pub struct Happening {
    /// Milliseconds after the beginning.
    pub at: u64,
    pub what: What,
}

#[derive(Clone, Debug)]
pub enum What {
    /// The provider delivers a message, again and again until it is acknowledged.
    Deliver(Inbound),
    /// An operator does something, by the number of a button; with `twice` a second one presses it at the same moment.
    Press {
        session: SessionKey,
        button: u64,
        twice: bool,
    },
    /// An admin changes the channel's settings.
    Tune(Box<ChannelSettings>),
    /// A process is killed from outside.
    Kill,
}

/// A world's script.
#[derive(Clone, Debug)]
pub struct Script {
    pub processes: usize,
    /// How many of them only take messages in.
    pub webs: usize,
    /// Whether the provider can be told no.
    pub sender: Sender,
    pub settings: ChannelSettings,
    pub tool: Tool,
    /// What the tool does with its first calls.
    pub turnouts: Vec<Turnout>,
    pub sessions: Vec<SessionKey>,
    pub happenings: Vec<Happening>,
}

impl Script {
    /// When the last thing has happened.
    pub fn ends_at(&self) -> u64 {
        self.happenings
            .iter()
            .map(|happening| happening.at)
            .max()
            .unwrap_or(0)
    }
}

/// Marks that steer the scripted fakes, each with its weight.
const MARKS: &[(&str, u64)] = &[
    ("", 40),
    ("#release", 8),
    ("#cancel", 10),
    ("#merge", 12),
    ("#cancel #unsure", 2),
    ("#merge #speechless", 2),
    ("#fail", 3),
    ("#flaky", 3),
    ("#silent", 3),
    ("#effect", 6),
    ("#merge #effect", 2),
    ("#parts", 4),
    ("#parts #busy", 5),
    ("#cancel #parts", 2),
    ("#slow", 2),
    ("#streams", 4),
    ("#busy", 3),
    ("#unsent", 3),
    ("#lost", 2),
    ("#ghost", 3),
    ("#refuse", 1),
];

/// What the tool does: mostly its work.
const TURNOUTS: &[Turnout] = &[
    Turnout::Works,
    Turnout::Works,
    Turnout::Works,
    Turnout::Works,
    Turnout::Works,
    Turnout::Refuses,
    Turnout::Refuses,
    Turnout::WorksAndHangs,
    Turnout::Hangs,
    Turnout::WorksAndForgets,
];

/// The tool that agents may call: `what` makes a call's meaning, `n` is another one in each.
pub fn tool() -> Tool {
    Tool {
        recipe: Recipe::fields(vec![Field::named("what", Spelling::Text)]),
        timeout_ms: 2_000,
        window_ms: 86_400_000,
        ..Tool::new("book", Effect::Write, Choice::named("scripted"))
    }
}

/// How messages end, so that every debounce window occurs.
const ENDINGS: &[&str] = &["please.", "please", "and", "thanks!", "..."];

fn key(conversation: &str, contact: &str) -> SessionKey {
    SessionKey {
        channel: "shop".to_owned(),
        account: String::new(),
        conversation: conversation.to_owned(),
        contact: contact.to_owned(),
    }
}

struct Writer<'d> {
    dice: &'d Dice,
    written: u64,
    happenings: Vec<Happening>,
}

/// The script that belongs to a seed.
pub fn script(seed: u64) -> Script {
    let dice = Dice::new(seed ^ 0x5c21_9a77_0d3e_4b61);
    let mut sessions = vec![key("ana", "ana")];
    if dice.percent(60) {
        sessions.push(key("rui", "rui"));
    }
    if dice.percent(35) {
        sessions.extend([key("group", "ana"), key("group", "eva")]);
    }
    let mut writer = Writer {
        dice: &dice,
        written: 0,
        happenings: Vec::new(),
    };
    for session in &sessions {
        writer.conversation(session);
    }
    writer.operators(&sessions);
    let settings = any_settings(&dice);
    if dice.percent(20) {
        let changed = ChannelSettings {
            operational_delay_ms: dice.between(0, 3_000),
            ..with_strategy(settings.clone(), &dice)
        };
        writer.happens(dice.between(0, 20_000), What::Tune(Box::new(changed)));
    }
    for _ in 0..dice.between(0, 3) {
        writer.happens(dice.between(500, 30_000), What::Kill);
    }
    let mut happenings = writer.happenings;
    happenings.sort_by_key(|happening| happening.at);
    let processes = *dice.pick(&[1, 1, 1, 2, 2, 3]);
    Script {
        processes,
        webs: usize::from(processes > 1 && dice.percent(30)),
        sender: *dice.pick(&[Sender::Reads, Sender::Redelivers]),
        settings,
        tool: tool(),
        turnouts: (0..40).map(|_| *dice.pick(TURNOUTS)).collect(),
        sessions,
        happenings,
    }
}

fn any_settings(dice: &Dice) -> ChannelSettings {
    let mut settings = ChannelSettings::new("shop", "webchat");
    settings.operational_delay_ms = *dice.pick(&[0, 600, 600, 2_000]);
    settings.debounce.enabled = dice.percent(70);
    settings.send_timeout_ms = *dice.pick(&[1_000, 10_000]);
    if dice.percent(25) {
        settings.triage.timing = Timing::AtTurn;
    }
    if dice.percent(25) {
        settings.guarantee = Guarantee::AtLeastOnce;
    }
    if dice.percent(15) {
        settings.rate = Some(Rate {
            per_second: *dice.pick(&[0.2, 1.0, 5.0]),
            burst: dice.between(1, 4) as u32,
        });
    }
    with_strategy(settings, dice)
}

/// Half of all worlds under triage, which has the most to get wrong.
fn with_strategy(mut settings: ChannelSettings, dice: &Dice) -> ChannelSettings {
    settings.strategy = if dice.percent(50) {
        *dice.pick(Strategy::ALL)
    } else {
        Strategy::Triage
    };
    settings.abort_on_triage = settings.strategy == Strategy::Triage
        && settings.triage.timing == Timing::Early
        && dice.percent(30);
    settings
}

impl Writer<'_> {
    fn happens(&mut self, at: u64, what: What) {
        self.happenings.push(Happening { at, what });
    }

    /// A few bursts, close enough that some meet replies on their way.
    fn conversation(&mut self, session: &SessionKey) {
        let mut at = self.dice.between(0, 2_000);
        for _ in 0..self.dice.between(1, 5) {
            for _ in 0..self.dice.between(1, 4) {
                self.message(session, at);
                at += self.dice.between(20, 1_500);
            }
            at += match self.dice.between(0, 3) {
                0 => self.dice.between(100, 1_500),
                1 => self.dice.between(1_500, 5_000),
                _ => self.dice.between(5_000, 15_000),
            };
        }
    }

    fn message(&mut self, session: &SessionKey, at: u64) {
        self.written += 1;
        let number = self.written;
        let text = if self.dice.percent(7) {
            (*self.dice.pick(&["/stop", "/reset"])).to_owned()
        } else {
            let said = format!("<{number}> {} {}", self.mark(), self.dice.pick(ENDINGS));
            format!("{said}{}", self.calls(number))
        };
        let inbound = Inbound {
            key: session.clone(),
            provider_id: format!("m-{number}"),
            kind: MessageKind::Text,
            text,
            sent_at: Some(At(EPOCH.0 + at as i64)),
            edit: None,
            reaction_to: None,
            awaits_ms: None,
        };
        // The provider is quick, but not always in order, and may deliver twice.
        self.happens(
            at + self.dice.between(0, 400),
            What::Deliver(inbound.clone()),
        );
        if self.dice.percent(20) {
            self.happens(
                at + self.dice.between(0, 6_000),
                What::Deliver(inbound.clone()),
            );
        }
        if self.dice.percent(8) && !inbound.text.starts_with('/') {
            let edited = Inbound {
                text: format!("{} edited", inbound.text),
                edit: Some(1),
                ..inbound
            };
            self.happens(at + self.dice.between(500, 6_000), What::Deliver(edited));
        }
    }

    /// Lines that let the agent call the tool, one after the other or at once.
    fn calls(&self, number: u64) -> String {
        if !self.dice.percent(20) {
            return String::new();
        }
        let at_once = if self.dice.percent(40) { " #calls" } else { "" };
        let calls = (0..self.dice.between(1, 4)).map(|place| {
            let what = self.dice.pick(&["a", "b"]);
            format!("\n#call book {{\"what\":\"{what}\",\"n\":\"{number}.{place}\"}}")
        });
        format!("{at_once}{}", calls.collect::<String>())
    }

    fn mark(&self) -> &'static str {
        let total: u64 = MARKS.iter().map(|(_, weight)| weight).sum();
        let mut drawn = self.dice.between(0, total);
        for (mark, weight) in MARKS {
            if drawn < *weight {
                return mark;
            }
            drawn -= weight;
        }
        ""
    }

    fn operators(&mut self, sessions: &[SessionKey]) {
        if self.dice.percent(40) {
            return;
        }
        for _ in 0..self.dice.between(1, 7) {
            let session = self.dice.pick(sessions).clone();
            let (button, twice) = (self.dice.between(0, 1_000), self.dice.percent(25));
            self.happens(
                self.dice.between(1_000, 60_000),
                What::Press {
                    session,
                    button,
                    twice,
                },
            );
        }
    }
}
