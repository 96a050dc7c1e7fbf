//! A small day: a storm of a few customers, one who books hours, one whose session another system locks and forgets, and
//! one who writes late. Its process stands behind an address that stays when it is started anew.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use replygate::simulate::storm::{self, Plan};
use replygate::simulate::{Accepted, Customer, Saying, storm_toml};
use replygate_gate::{At, MessageId, SessionId};
use replygate_ports::clock::Clock;
use replygate_testkit::proxy::TcpProxy;

use super::{Blow, verdict};
use crate::mortal::{End, Mortal};
use crate::passage::Passages;
use crate::shifted::Shifted;
use crate::stand::Stand;

const PLAN: Plan = Plan {
    sessions: 12,
    rate: 12.0,
    seconds: 3.5,
    seed: 3,
};
/// The deliver address takes its time, so that something is being sent at any moment.
const ANSWERS_AFTER: Duration = Duration::from_millis(400);
/// A message or a lock that was not acknowledged is sent again after it.
const AGAIN: Duration = Duration::from_millis(300);
/// Lease and time to live of the forgotten lock.
const LOCK_MS: (u64, u64) = (500, 30_000);

/// The storm's two channels, one whose agent books hours, one for the locked session.
fn channels(deliver_url: &str, secret: &str) -> String {
    let more = |id: &str, agent: &str| {
        format!(
            "[[channels]]\nid = \"{id}\"\nkind = \"generic\"\ndeliver_url = \"{deliver_url}\"\n\
             signing_secret = \"{secret}\"\noperational_delay_ms = 600\nagent = \"{agent}\"\nevaluator = \"rules\"\n\
             debounce = {{ enabled = false }}\n"
        )
    };
    let all = [
        storm_toml(deliver_url, secret),
        more("clinic", "demo"),
        more("locked", "echo"),
    ];
    // A claim ends after five seconds.
    let all = all.join("\n").replace(
        "operational_delay_ms",
        "send_timeout_ms = 2500\noperational_delay_ms",
    );
    let tool = "[[tools]]\nname = \"calendar.create_event\"\neffect = \"write\"\nhost = \"calendar.create_event\"\ntimeout_ms = 1000\n";
    format!("{all}\n{tool}")
}

/// One customer apart from the storm.
#[derive(Debug, Default)]
pub struct Aside {
    pub contact: &'static str,
    pub session: SessionId,
    pub accepted: BTreeSet<MessageId>,
}

/// Everything that takes part.
pub struct Day {
    pub stand: Stand,
    pub passages: Passages,
    pub clock: Shifted,
    pub began: Duration,
    front: TcpProxy,
    customer: Customer,
}

/// What was seen from outside.
pub struct Seen {
    pub outcome: storm::Outcome,
    pub asides: Vec<Aside>,
    /// When processes died.
    pub deaths: Vec<At>,
    /// What is not as it was said.
    pub differs: Vec<String>,
}

/// Plays a day with that blow; what differs from what has to be.
pub async fn play(blow: Blow) -> Vec<String> {
    let clock = Shifted::start();
    let stand = Stand::patient(channels, ANSWERS_AFTER, Arc::new(clock.clone())).await;
    let stand = stand.expect("the services are there");
    let passages = Passages::open(&stand.place, &stand.channels).await;
    let first = match blow {
        Blow::Dies(ends) => ends.first(),
        _ => None,
    };
    let process = tokio::task::block_in_place(|| Mortal::start(&stand.place, first));
    let front = TcpProxy::start(process.address.expect("it listens")).await;
    let front = front.unwrap();
    let shared: Arc<dyn Clock> = Arc::new(clock.clone());
    let customer = stand.customer(&format!("http://{}", front.address()), &shared);
    let day = Day {
        stand,
        passages,
        began: clock.elapsed(),
        clock,
        front,
        customer,
    };
    let (outcome, books, locked, (struck, process)) = tokio::join!(
        day.storm(),
        day.books(),
        day.is_locked(),
        blow.strike(&day, process)
    );
    let seen = Seen {
        outcome,
        asides: [books, locked].into_iter().chain(struck.asides).collect(),
        deaths: struck.deaths,
        differs: struck.differs,
    };
    verdict::differs(blow, &day, seen, process).await
}

impl Day {
    async fn storm(&self) -> storm::Outcome {
        let channels = storm::Channels {
            ids: vec!["storm".to_owned(), "storm-debounce".to_owned()],
            delay_ms: 600,
        };
        let storm = storm::Storm {
            customer: &self.customer,
            endpoint: &self.stand.endpoint,
            channels: &channels,
            clock: Arc::new(self.clock.clone()),
            run: "day".to_owned(),
            again: Some(AGAIN),
        };
        storm::run(&storm, &storm::script(&PLAN)).await.unwrap()
    }

    async fn books(&self) -> Aside {
        self.until(500).await;
        self.say(
            "clinic",
            "books",
            "Please schedule the hours of psychology.",
        )
        .await
    }

    async fn is_locked(&self) -> Aside {
        self.until(300).await;
        let aside = self.say("locked", "locked", "Where is my order?").await;
        let (lease_ms, ttl_ms) = LOCK_MS;
        let lock = || self.customer.lock(aside.session, "crm", lease_ms, ttl_ms);
        while lock().await.is_err() {
            self.clock.sleep(AGAIN).await;
        }
        aside
    }

    /// Says one message until it is acknowledged.
    pub async fn say(&self, channel: &str, contact: &'static str, text: &str) -> Aside {
        let saying = Saying {
            message_id: format!("aside-{contact}"),
            contact: contact.to_owned(),
            text: text.to_owned(),
            sent_at: None,
        };
        loop {
            if let Ok(Accepted {
                message, session, ..
            }) = self.customer.say(channel, &saying).await
            {
                return Aside {
                    contact,
                    session,
                    accepted: BTreeSet::from([message]),
                };
            }
            self.clock.sleep(AGAIN).await;
        }
    }

    /// Returns so many milliseconds after the day began.
    pub async fn until(&self, ms: u64) {
        let at = self.began + Duration::from_millis(ms);
        let wait = at.saturating_sub(self.clock.elapsed());
        self.clock.sleep(wait).await;
    }

    /// Starts a process in place of one that died.
    pub fn start(&self, end: Option<&End>) -> Mortal {
        let process = tokio::task::block_in_place(|| Mortal::start(&self.stand.place, end));
        if let Some(address) = process.address {
            self.front.redirect(address);
        }
        process
    }
}
