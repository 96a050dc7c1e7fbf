//! A process of an installation that dies where it is told. It is this test program, started once more: the product's
//! server on ports behind the simulator's faults, whose crashes abort the process. Lives among the tests, so that no build
//! of the product can hold it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::SocketAddr;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use replygate::config::Environment;
use replygate::{Config, Foundation, Server};
use replygate_cluster::Cluster;
use replygate_embedded::{OsEntropy, SystemClock};
use replygate_ports::clock::Clock;
use replygate_testkit::faults::{
    Fault, Faults, FaultyLeases, FaultyLedger, FaultyStore, FaultyTickets, Life, Plan, Site,
};
use serde_json::{Value, json};

use crate::place::Place;
use crate::shifted::Shifted;
use crate::visitor::Visitor;

/// The variable that tells this program to be a process of an installation, and how it dies.
const WILL: &str = "REPLYGATE_TEST_WILL";
/// The test that is the process.
const PROGRAM: &str = "mortal::a_process_dies_at_its_point_and_not_before";
/// A point that is not met by then is not met.
const PATIENCE: Duration = Duration::from_mins(1);
const SIGABRT: i32 = 6;
/// A process that does not start so many times does not start.
const STARTS: usize = 5;
/// What stands before the address on the line that tells it.
const LISTENS: &str = "listens on ";
/// Connections to PostgreSQL for reads, so that many processes fit.
const READERS: usize = 3;

/// A call of a port at which a process dies.
#[derive(Clone, Copy, Debug)]
pub struct End {
    call: &'static str,
    about: &'static str,
    nth: usize,
    behind: bool,
}

impl End {
    /// Right before the `nth` call that is about that does its work.
    pub const fn before(nth: usize, call: &'static str, about: &'static str) -> Self {
        Self {
            call,
            about,
            nth,
            behind: false,
        }
    }

    /// Right behind the work of the `nth` call that is about that, before anybody here learns of it.
    pub const fn behind(nth: usize, call: &'static str, about: &'static str) -> Self {
        Self {
            call,
            about,
            nth,
            behind: true,
        }
    }

    /// Whether it is a call of that name.
    pub fn is_in(&self, call: &str) -> bool {
        self.call == call
    }
}

/// A running process.
pub struct Mortal {
    child: Child,
    /// Where it listens; `None` for one that died before it did.
    pub address: Option<SocketAddr>,
    stdin: ChildStdin,
    /// Kept open: a server whose output leads nowhere does not start.
    _stdout: BufReader<ChildStdout>,
}

impl Mortal {
    /// Starts one that does everything, and waits until it listens or has died at its point. One that cannot start, on a
    /// machine where the database is too slow for it, is started again, as whoever keeps processes running does.
    pub fn start(place: &Place, end: Option<&End>) -> Self {
        for _ in 0..STARTS {
            let mut process = Self::attempt(place, end);
            let is_here = process.address.is_some();
            if is_here || process.child.wait().unwrap().signal() == Some(SIGABRT) {
                return process;
            }
        }
        panic!("the process does not start");
    }

    fn attempt(place: &Place, end: Option<&End>) -> Self {
        let end = end.map(|end| {
            json!({ "call": end.call, "about": end.about, "nth": end.nth, "behind": end.behind })
        });
        let will = json!({ "config": place.file(), "end": end });
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([PROGRAM, "--exact", "--nocapture"])
            .env(WILL, will.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let told = |line: String| line.strip_prefix(LISTENS)?.parse().ok();
        let address = stdout.by_ref().lines().map_while(Result::ok).find_map(told);
        Self {
            stdin: child.stdin.take().unwrap(),
            child,
            address,
            _stdout: stdout,
        }
    }

    /// Waits until it has died at its point; whether it did.
    pub async fn died(&mut self) -> bool {
        let clock = SystemClock::start();
        while clock.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.signal() == Some(SIGABRT);
            }
            clock.sleep(Duration::from_millis(5)).await;
        }
        false
    }

    /// Kills it from outside.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sets its machine's clock so far ahead.
    pub fn set_clock(&mut self, ahead_ms: i64) {
        writeln!(self.stdin, "{ahead_ms}").unwrap();
        self.stdin.flush().unwrap();
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What this process is to be, where it is no test.
struct Will {
    config: PathBuf,
    plan: Plan,
}

impl Will {
    fn of_this_process() -> Option<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "how a test tells its own program what to be"
        )]
        let text = std::env::var(WILL).ok()?;
        let will: Value = serde_json::from_str(&text).unwrap();
        let end = &will["end"];
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let plan = match end["nth"].as_u64() {
            None => Plan::none(),
            Some(nth) => Plan::Once {
                site: Site {
                    call: word(&end["call"]),
                    about: word(&end["about"]),
                    nth: nth as usize,
                },
                fault: if end["behind"] == true {
                    Fault::CrashAfter
                } else {
                    Fault::CrashBefore
                },
            },
        };
        Some(Self {
            config: word(&will["config"]).into(),
            plan,
        })
    }

    /// Serves until it dies.
    async fn carry_out(self) {
        let text = std::fs::read_to_string(&self.config).unwrap();
        let config = Config::read(Some(&self.config), &text, &Environment::default()).unwrap();
        let clock = Shifted::start();
        follow(clock.clone());
        let foundation = foundation(&config, Arc::new(clock), self.plan).await;
        let running = Server::start_on(config, foundation).await.unwrap();
        println!("{LISTENS}{}", running.address());
        running.ended().await.unwrap();
    }
}

/// Sets the clock as whoever started this process says.
fn follow(clock: Shifted) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            clock.set(line.trim().parse().unwrap());
        }
        // Whoever started this process is gone.
        std::process::exit(0);
    });
}

async fn foundation(config: &Config, clock: Arc<dyn Clock>, plan: Plan) -> Foundation {
    let mut services = config.cluster.as_ref().unwrap().services();
    services.postgres.readers = READERS;
    let cluster = Cluster::connect(&services, clock.clone(), Arc::new(OsEntropy)).await;
    let faults = Arc::new(Faults::new(clock.clone(), plan).deadly());
    let life = Life::begin(faults);
    let mut foundation = Foundation::cluster(cluster.unwrap(), clock, config.server.role);
    let stores = &mut foundation.stores;
    stores.store = Arc::new(FaultyStore::new(stores.store.clone(), life.clone()));
    stores.tickets = Arc::new(FaultyTickets::new(stores.tickets.clone(), life.clone()));
    stores.ledger = Arc::new(FaultyLedger::new(stores.ledger.clone(), life.clone()));
    if let Some(peers) = &mut foundation.peers {
        peers.leases = Arc::new(FaultyLeases::new(peers.leases.clone(), life));
    }
    foundation
}

const CHAT: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "echo"
    debounce = { enabled = false }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_process_dies_at_its_point_and_not_before() {
    if let Some(will) = Will::of_this_process() {
        return will.carry_out().await;
    }
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let end = End::behind(2, "store.append", "committed");
    let mut mortal = tokio::task::block_in_place(|| Mortal::start(&place, Some(&end)));
    let address = mortal.address.expect("it listens");
    let visitor = Visitor::at(&format!("http://{address}")).await;
    let mut page = visitor.listen().await;
    visitor.say("first", "hello").await;
    page.next_of("reply").await;
    assert!(mortal.child.try_wait().unwrap().is_none(), "it lives");
    visitor.say("second", "hello again").await;
    assert!(mortal.died().await);
}
