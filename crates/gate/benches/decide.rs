//! What one message costs the pure domain: reading its ending, judging it against a held reply, deciding, evolving.
#![expect(
    clippy::unwrap_used,
    reason = "a bench ends when something is not as it says"
)]

use divan::{Bencher, black_box};
use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::{Sample, Signal, classify};
use replygate_gate::text::Languages;
use replygate_gate::triage::{Pair, judge};
use replygate_gate::{
    Admission, Arrival, At, ClaimToken, Command, Commit, Draft, Event, Late, MessageId, Neighbours,
    Outcome, ReplyId, Rules, Scene, Sender, Session, TurnId, decide, evolve,
};

fn main() {
    // The word lists are read once per process, not per message.
    let _ = Languages::all();
    divan::main();
}

const TEXTS: [&str; 3] = [
    "Hi, I ordered two pizzas an hour ago and nothing has come yet, could you look where they are?",
    "na verdade não cancela, acabei de receber",
    "y también una coca de dos litros…",
];

#[divan::bench(args = TEXTS)]
fn classify_a_message(bencher: Bencher<'_, '_>, text: &str) {
    let (commands, languages) = (ControlCommands::default(), Languages::all());
    bencher.bench(|| classify(Sample::text(black_box(text)), &commands, languages));
}

#[divan::bench(args = TEXTS)]
fn judge_a_pair(bencher: Bencher<'_, '_>, text: &str) {
    let languages = Languages::all();
    let pair = Pair {
        held: "I want to cancel my order",
        newer: &[text],
    };
    bencher.bench(|| judge(black_box(&pair), languages));
}

fn arrive(message: u128) -> Command {
    let (message, signal, admission) = (MessageId(message), Signal::Closed, Admission::Turn);
    Command::Arrive(Arrival {
        message,
        signal,
        edit_of: None,
        awaits_ms: None,
        admission,
        sender: Sender::Reads,
    })
}

/// The commands of one message from its arrival to its reply's delivery, with their times in milliseconds.
fn life(rules: &Rules) -> Vec<(Command, At)> {
    let commit = Commit {
        fence: 1,
        verdicts: Vec::new(),
        draft: Some(Draft {
            reply: ReplyId(3),
            parts: 1,
        }),
        effects: false,
        run_ms: 0,
        usage: replygate_gate::Usage::default(),
        late: Late::Accept,
    };
    let token = ClaimToken(4);
    let (window, delay) = (
        u64::from(rules.windows.closed_ms),
        rules.operational_delay_ms,
    );
    let (ripe, due) = (At(0).plus(window), At(0).plus(window + delay));
    vec![
        (arrive(1), At(0)),
        (Command::Take { turn: TurnId(2) }, ripe),
        (Command::Commit(commit), ripe),
        (
            Command::Claim {
                reply: ReplyId(3),
                token,
            },
            due,
        ),
        (
            Command::Settle {
                token,
                outcome: Outcome::Accepted { receipt: None },
            },
            due,
        ),
    ]
}

fn step(session: &Session, command: &Command, now: At, rules: &Rules) -> (Session, Vec<Event>) {
    let scene = Scene {
        now,
        rules,
        neighbours: Neighbours::default(),
    };
    let events = decide(session, command, &scene).unwrap();
    let after = events.iter().fold(session.clone(), evolve);
    (after, events)
}

#[divan::bench]
fn a_message_from_arrival_to_delivery(bencher: Bencher<'_, '_>) {
    let rules = Rules::default();
    let life = life(&rules);
    bencher.bench(|| {
        life.iter()
            .fold(Session::default(), |session, (command, now)| {
                step(&session, black_box(command), *now, &rules).0
            })
    });
}

#[divan::bench(args = [1, 20])]
fn an_arrival_behind_others(bencher: Bencher<'_, '_>, waiting: u128) {
    let rules = Rules::default();
    let session = (0..waiting).fold(Session::default(), |session, message| {
        step(&session, &arrive(message), At(0), &rules).0
    });
    bencher.bench(|| step(&session, black_box(&arrive(99)), At(1), &rules));
}
