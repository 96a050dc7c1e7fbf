//! How each blow is struck, and what is known of it afterwards.

use std::sync::Arc;
use std::time::Duration;

use replygate_cluster::{Rabbit, RabbitOptions};
use replygate_embedded::OsEntropy;
use replygate_gate::At;
use replygate_ports::clock::Clock as _;
use replygate_testkit::proxy::TcpProxy;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

use super::Blow;
use super::day::{Aside, Day};
use crate::mortal::{End, Mortal};
use crate::passage::Service;

/// Into the day.
const STRIKES_MS: u64 = 1_500;
/// A service that is away comes back after it.
const AWAY: Duration = Duration::from_secs(1);
/// A disk has room again after it.
const FULL: Duration = Duration::from_secs(2);
/// Hand-overs that end before the one that is not answered.
const BEFORE_SENDING: usize = 3;

/// What is known of a blow.
#[derive(Default)]
pub struct Struck {
    pub deaths: Vec<At>,
    pub asides: Vec<Aside>,
    pub differs: Vec<String>,
}

impl Blow {
    /// Strikes; what is known of it, and the process that lives in the end.
    pub async fn strike(self, day: &Day, process: Mortal) -> (Struck, Mortal) {
        match self {
            Self::Dies(ends) => dies(day, process, ends).await,
            Self::DiesAnswered => dies_answered(day, process).await,
            Self::DiesSending => dies_sending(day, process).await,
            Self::BrokerRestarts => (broker_restarts(day).await, process),
            Self::RedisFailsOver => (redis_fails_over(day).await, process),
            Self::DiskIsFull => (disk_is_full(day).await, process),
            Self::ClockIsSet(times) => clock_is_set(day, process, times).await,
        }
    }
}

async fn dies(day: &Day, mut process: Mortal, ends: &[End]) -> (Struck, Mortal) {
    let mut struck = Struck::default();
    for (place, end) in ends.iter().enumerate() {
        if !process.died().await {
            struck
                .differs
                .push(format!("the process did not die at {end:?}"));
            return (struck, process);
        }
        struck.deaths.push(day.clock.now());
        process = day.start(ends.get(place + 1));
    }
    (struck, process)
}

async fn dies_answered(day: &Day, mut process: Mortal) -> (Struck, Mortal) {
    day.until(STRIKES_MS).await;
    let aside = day
        .say("storm-debounce", "answered", "One more thing.")
        .await;
    process.kill();
    let struck = Struck {
        deaths: vec![day.clock.now()],
        asides: vec![aside],
        ..Struck::default()
    };
    (struck, day.start(None))
}

async fn dies_sending(day: &Day, mut process: Mortal) -> (Struck, Mortal) {
    while day.stand.endpoint.total() <= BEFORE_SENDING {
        day.clock.sleep(Duration::from_millis(2)).await;
    }
    process.kill();
    let struck = Struck {
        deaths: vec![day.clock.now()],
        ..Struck::default()
    };
    (struck, day.start(None))
}

async fn broker_restarts(day: &Day) -> Struck {
    day.until(STRIKES_MS).await;
    let way = day.passages.to(Service::Rabbit);
    way.close_door();
    let services = day.stand.place.services();
    let options = RabbitOptions::new(&services.amqp_url, &services.queue_prefix);
    let clock = Arc::new(day.clock.clone());
    let deleted = Rabbit::delete(&options, clock, Arc::new(OsEntropy)).await;
    deleted.unwrap();
    is_away(day, way).await
}

async fn redis_fails_over(day: &Day) -> Struck {
    day.until(STRIKES_MS).await;
    let way = day.passages.to(Service::Redis);
    way.close_door();
    day.stand.place.flush_redis().await;
    is_away(day, way).await
}

/// A closed door is opened after a while, and used again.
async fn is_away(day: &Day, way: &TcpProxy) -> Struck {
    day.clock.sleep(AWAY).await;
    let mut struck = Struck::default();
    if way.live() > 0 {
        struck.differs.push("the service was not away".to_owned());
    }
    way.open_door();
    replygate_testkit::wait::until(|| way.live() > 0).await;
    struck
}

/// Every append meets what PostgreSQL says when it cannot write.
async fn disk_is_full(day: &Day) -> Struck {
    day.until(STRIKES_MS).await;
    let schema = &day.stand.place.name;
    let mut connection = PgConnection::connect(&day.stand.place.database_url)
        .await
        .unwrap();
    let full = format!(
        "CREATE FUNCTION {schema}.full_disk() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
         CREATE TRIGGER full_disk BEFORE INSERT ON {schema}.step EXECUTE FUNCTION {schema}.full_disk()"
    );
    let script = sqlx::raw_sql(AssertSqlSafe(full));
    script.execute(&mut connection).await.unwrap();
    day.clock.sleep(FULL).await;
    let room = format!("DROP FUNCTION {schema}.full_disk() CASCADE");
    let script = sqlx::raw_sql(AssertSqlSafe(room));
    script.execute(&mut connection).await.unwrap();
    Struck::default()
}

/// The clock of customers, deliver address and process, which share a machine; not that of the services.
async fn clock_is_set(day: &Day, mut process: Mortal, times: &[(u64, i64)]) -> (Struck, Mortal) {
    for (at, ahead_ms) in times {
        day.until(*at).await;
        process.set_clock(*ahead_ms);
        day.clock.set(*ahead_ms);
    }
    (Struck::default(), process)
}
