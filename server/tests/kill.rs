//! The server dies in the middle of a storm: what it acknowledged is not lost, nothing is delivered twice, what was being
//! sent is told to be unknown, and everything else goes on at once.
#![expect(
    clippy::unwrap_used,
    reason = "a test ends when something is not as it says"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use replygate::simulate::storm::{Plan, Record, Shot, Tally, script};
use replygate::simulate::{Accepted, Customer, Endpoint, Place, Saying, new_secret, storm_toml};
use replygate_channels::generic::Secret;
use replygate_embedded::{Database, SystemClock};
use replygate_gate::{
    At, Event, MessageId, ReplyId, ReplyStatus, Rules, Session, SessionId, evolve,
};
use replygate_ports::clock::Clock;
use replygate_ports::store::{Step, Store};
use tokio::task::JoinSet;

const PLAN: Plan = Plan {
    sessions: 80,
    rate: 150.0,
    seconds: 4.0,
    seed: 11,
};
/// Into the storm.
const KILL_AFTER: Duration = Duration::from_secs(2);
/// How soon after its start the server has to see to everything that is due.
const GOES_ON_MS: u64 = 2_000;
/// The deliver address takes its time, so that at any moment something is being sent.
const ANSWER_AFTER: Duration = Duration::from_millis(250);
const CHANNELS: [&str; 2] = ["storm", "storm-debounce"];

struct Process {
    child: Child,
    url: String,
    /// Kept open: a server whose output leads nowhere does not start.
    _stdout: BufReader<ChildStdout>,
}

impl Process {
    fn start(config: &Path, data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_replygate"))
            .args(["serve", "--listen", "127.0.0.1:0", "--config"])
            .arg(config)
            .arg("--data")
            .arg(data)
            .env("REPLYGATE_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let url = line.trim().rsplit_once(' ').unwrap().1.to_owned();
        assert!(url.starts_with("http://"), "{line}");
        Self {
            child,
            url,
            _stdout: stdout,
        }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Storm {
    clock: Arc<dyn Clock>,
    began: Duration,
    sessions: BTreeMap<u32, (SessionId, BTreeSet<MessageId>)>,
}

impl Storm {
    /// Sends these on time; those that were not acknowledged come back.
    async fn send(&mut self, customer: &Customer, shots: &[Shot]) -> Vec<Shot> {
        let mut under_way = JoinSet::new();
        for shot in shots.iter().cloned() {
            let wait = (self.began + shot.at).saturating_sub(self.clock.elapsed());
            self.clock.sleep(wait).await;
            let customer = customer.clone();
            under_way.spawn(async move {
                let channel = CHANNELS[shot.session as usize % CHANNELS.len()];
                let answer = customer.say(channel, &saying(&shot)).await;
                (shot, answer.ok())
            });
        }
        let done = under_way.join_all().await;
        done.into_iter()
            .filter_map(|(shot, answer)| self.note(shot, answer))
            .collect()
    }

    fn note(&mut self, shot: Shot, answer: Option<Accepted>) -> Option<Shot> {
        let Some(accepted) = answer else {
            return Some(shot);
        };
        let session = self.sessions.entry(shot.session);
        session
            .or_insert((accepted.session, BTreeSet::new()))
            .1
            .insert(accepted.message);
        None
    }
}

fn contact(session: u32) -> String {
    format!("customer-{session}")
}

fn saying(shot: &Shot) -> Saying {
    let (message_id, text) = (shot.message.clone(), shot.text.clone());
    Saying {
        message_id,
        contact: contact(shot.session),
        text,
        sent_at: None,
    }
}

fn configured(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("replygate.toml");
    std::fs::write(&path, text).unwrap();
    path
}

fn state(steps: &[Step]) -> Session {
    steps
        .iter()
        .flat_map(|step| &step.events)
        .fold(Session::default(), evolve)
}

async fn quiet(endpoint: &Endpoint, clock: &dyn Clock) {
    let began = clock.now();
    while clock.now().since(endpoint.last().max(began)) < 3_500 {
        clock.sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_in_a_storm_loses_nothing_and_repeats_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let text = new_secret();
    let secret = Secret::parse(&text).unwrap();
    let anywhere = ([127, 0, 0, 1], 0).into();
    let endpoint = Endpoint::start(anywhere, secret.clone(), ANSWER_AFTER, clock.clone())
        .await
        .unwrap();
    let config = configured(folder.path(), &storm_toml(&endpoint.url(), &text));
    let customer = |process: &Process| {
        let (url, token) = (process.url.clone(), String::new());
        Customer::new(
            Place {
                url,
                secret: secret.clone(),
                token,
            },
            clock.clone(),
        )
        .unwrap()
    };

    let mut process = Process::start(&config, &data);
    let shots = script(&PLAN);
    let (before, after) = shots.split_at(shots.partition_point(|shot| shot.at < KILL_AFTER));
    let (began, sessions) = (clock.elapsed(), BTreeMap::new());
    let mut storm = Storm {
        clock: clock.clone(),
        began,
        sessions,
    };
    let first = customer(&process);
    let killer = {
        let clock = clock.clone();
        async move {
            clock
                .sleep((began + KILL_AFTER).saturating_sub(clock.elapsed()))
                .await;
            process.kill();
            clock.now()
        }
    };
    let (mut unanswered, killed_at) = tokio::join!(storm.send(&first, before), killer);

    let mut process = Process::start(&config, &data);
    let restarted_at = clock.now();
    unanswered.extend_from_slice(after);
    let refused = storm.send(&customer(&process), &unanswered).await;
    assert!(
        refused.is_empty(),
        "{} messages were refused after the restart",
        refused.len()
    );
    quiet(&endpoint, &*clock).await;
    process.kill();

    let database = Database::open(&data).await.unwrap();
    let (mut tally, mut in_flight) = (Tally::default(), 0);
    for (number, (session, accepted)) in &storm.sessions {
        let steps = database.events(*session, 0, 10_000).await.unwrap();
        let receipts = endpoint.of(&contact(*number));
        tally.take(
            &Record {
                accepted,
                steps: &steps,
                receipts: &receipts,
            },
            600,
        );
        in_flight += unknown_is_what_was_being_sent(&steps, killed_at);
        goes_on_soon(&steps, killed_at, restarted_at);
    }
    database.close().await;
    assert_eq!(tally.breaches.total(), 0, "{:?}", tally.breaches);
    assert_eq!((tally.open, tally.unlogged), (0, 0));
    assert!(
        in_flight > 0,
        "nothing was being sent at the kill: the test shows nothing"
    );
    assert_eq!(tally.ends.get(&ReplyStatus::Unknown), Some(&in_flight));
}

/// Every reply that was being sent is unknown, and no other; how many there are.
fn unknown_is_what_was_being_sent(steps: &[Step], killed_at: At) -> usize {
    let split = steps.partition_point(|step| step.at <= killed_at);
    let at_kill = state(&steps[..split]);
    let sending: BTreeSet<ReplyId> = at_kill
        .replies
        .iter()
        .filter(|reply| reply.status == ReplyStatus::Dispatching)
        .map(|reply| reply.id)
        .collect();
    let unknown: BTreeSet<ReplyId> = steps
        .iter()
        .flat_map(|step| &step.events)
        .filter_map(|event| match event {
            Event::OutcomeUnknown { reply, .. } => Some(*reply),
            _ => None,
        })
        .collect();
    assert_eq!(unknown, sending);
    sending.len()
}

/// What was due when the server came back was seen to within two seconds.
fn goes_on_soon(steps: &[Step], killed_at: At, restarted_at: At) {
    let split = steps.partition_point(|step| step.at <= killed_at);
    let at_kill = state(&steps[..split]);
    let due = at_kill.next_deadline(&Rules::default());
    if due.is_none_or(|due| due > restarted_at) && at_kill.owner.is_none() {
        return;
    }
    let next = steps.get(split).map(|step| step.at);
    let soon = restarted_at.plus(GOES_ON_MS);
    assert!(
        next.is_some_and(|at| at <= soon),
        "due {due:?}, restarted {restarted_at:?}, next {next:?}"
    );
}
