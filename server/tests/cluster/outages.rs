//! Each service away in the middle of a storm, in every way in which a network takes it away: nothing is lost, nothing is
//! doubled, whoever asks is told, and soon after its return all is as before.

mod ill;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use replygate::simulate::storm::{self, Plan};
use replygate::simulate::storm_toml;
use replygate_embedded::SystemClock;
use replygate_gate::ReplyStatus;
use replygate_ports::clock::Clock;

use crate::apart;
use crate::passage::{Passages, Service};
use crate::place::Place;
use crate::process::Process;
use crate::stand::Stand;
use ill::{ILLS, Ill};
use watch::{Watch, Watched};

/// How long a service is away, unless the variable says another time: a broker that says nothing is found out five seconds
/// after the next message.
const USUAL_S: u64 = 8;
/// The variable that says so, in seconds.
const AWAY: &str = "REPLYGATE_OUTAGE_S";
/// The storm before and behind it.
const BEFORE: Duration = Duration::from_secs(2);
const BEHIND: Duration = Duration::from_secs(3);
/// So many trials at once find room in what PostgreSQL usually allows.
const AT_ONCE: usize = 3;
/// All is as before within this time.
const RECOVERY: Duration = Duration::from_secs(10);
/// What a process may need for what waits.
const MOST_MB: f64 = 128.0;
/// A message that was not acknowledged is sent again after it.
const AGAIN: Duration = Duration::from_millis(500);

fn away() -> Duration {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a trial takes, whoever starts it says"
    )]
    let said = std::env::var(AWAY).ok();
    let seconds = said.map_or(USUAL_S, |text| text.parse().expect("seconds"));
    Duration::from_secs(seconds)
}

/// One trial.
struct Trial {
    service: Service,
    ill: Ill,
    stand: Stand,
    passages: Passages,
    processes: [Process; 2],
    clock: Arc<dyn Clock>,
}

impl Trial {
    async fn open(service: Service, ill: Ill) -> Self {
        let stand = Stand::open(storm_toml).await;
        let stand = stand.expect("the services are there");
        let passages = Passages::open(&stand.place, &stand.channels).await;
        let start = |role| Process::start(&stand.place, role);
        let processes = tokio::task::block_in_place(|| ["web", "worker"].map(start));
        Self {
            service,
            ill,
            stand,
            passages,
            processes,
            clock: Arc::new(SystemClock::start()),
        }
    }

    async fn storm(&self) -> storm::Outcome {
        let customer = self.stand.customer(&self.processes[0].url, &self.clock);
        let channels = storm::Channels {
            ids: vec!["storm".to_owned(), "storm-debounce".to_owned()],
            delay_ms: 600,
        };
        let run = storm::Storm {
            customer: &customer,
            endpoint: &self.stand.endpoint,
            channels: &channels,
            clock: self.clock.clone(),
            run: "outage".to_owned(),
            again: Some(AGAIN),
        };
        let plan = Plan {
            sessions: 120,
            rate: 12.0,
            seconds: (BEFORE + away() + BEHIND).as_secs_f64(),
            seed: 7,
        };
        storm::run(&run, &storm::script(&plan)).await.unwrap()
    }

    /// Takes the service away and gives it back; what was seen meanwhile.
    async fn outage(&self) -> Watched {
        let mut watch = Watch::new(self).await;
        watch.look_for(BEFORE).await;
        self.ill.begin(self.passages.to(self.service));
        if self.service == Service::Redis {
            self.stand.place.flush_redis().await;
        }
        watch.look_while_away(away()).await;
        self.ill.end(self.passages.to(self.service));
        watch.look_until_well(RECOVERY).await;
        watch.end().await
    }

    /// What differs from what has to be.
    async fn differs(self) -> Vec<String> {
        let (outcome, watched) = tokio::join!(self.storm(), self.outage());
        println!(
            "| {:?} {:?} | {} | {:?} | {} | {} | {:.1} s | {:.0} MB |",
            self.service,
            self.ill,
            outcome.delivered,
            outcome.refusals,
            outcome.ends.get(&ReplyStatus::Unknown).unwrap_or(&0),
            watched.told.map_or("-".to_owned(), |told| format!(
                "{:.1} s",
                told.as_secs_f64()
            )),
            watched.recovered.unwrap_or_default().as_secs_f64(),
            watched.grown_mb,
        );
        let mut differs = Vec::new();
        if !outcome.ok || outcome.refused > 0 {
            differs.push(format!("the storm: {outcome:?}"));
        }
        let may_refuse = self.service == Service::Postgres;
        if outcome
            .refusals
            .keys()
            .any(|status| !may_refuse || *status != 503)
        {
            differs.push(format!("webhooks were refused: {:?}", outcome.refusals));
        }
        if watched.grown_mb > MOST_MB {
            differs.push(format!("memory grew by {:.0} MB", watched.grown_mb));
        }
        differs.extend(watched.wrong);
        differs
    }
}

fn is_survived(service: Service) {
    if apart::runtime().block_on(Place::with("")).is_none() {
        return;
    }
    println!("| away | replies | refusals | unknown | told after | well again after | memory |");
    let name = |ill: &Ill| format!("{service:?} {ill:?}");
    let differs = apart::all(&ILLS, AT_ONCE, name, |ill| {
        let ill = *ill;
        async move { Trial::open(service, ill).await.differs().await }
    });
    assert_eq!(differs, [""; 0]);
}

#[test]
fn a_storm_without_postgresql_is_survived() {
    is_survived(Service::Postgres);
}

#[test]
fn a_storm_without_redis_is_survived() {
    is_survived(Service::Redis);
}

#[test]
fn a_storm_without_rabbitmq_is_survived() {
    is_survived(Service::Rabbit);
}
