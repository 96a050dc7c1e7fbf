//! A busy installation's last twelve days, which end now.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use futures::future::try_join_all;
use replygate::config::Environment;
use replygate::{Config, Server};
use replygate_embedded::{Database, SystemClock};
use replygate_engine::{Guard, Leave, Wait, Wish};
use replygate_ports::clock::Clock as _;
use replygate_ports::ledger::Settlement;
use serde_json::json;

use crate::seeded::{self, EACH_MS, Past, key};

/// One reply of so many is parked.
const PARKED_OF: usize = 200;
/// Calls that are made twice, and how many at once.
const REPEATED: usize = 2_000;
const AT_ONCE: usize = 100;

/// Fills a data folder, in a room of its own: what works on the store needs several threads.
pub(crate) fn fill(data: &Path, customers: usize, exchanges: usize) -> Result<()> {
    let data = data.to_owned();
    let filling = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            messages(&data, customers, exchanges).await?;
            duplicates(&data).await
        })
    });
    filling
        .join()
        .map_err(|_| anyhow!("the filling of the store died"))?
}

async fn messages(data: &Path, customers: usize, exchanges: usize) -> Result<()> {
    let database = Database::open(data).await?;
    let now = SystemClock::start().now();
    let past = Past {
        customers,
        exchanges,
        began: now.minus(exchanges as u64 * EACH_MS),
        parked_of: Some(PARKED_OF),
    };
    seeded::store(&database, &past, |number| number % customers).await?;
    database.close().await;
    Ok(())
}

/// Calls that were asked for twice, each by a customer of the past.
async fn duplicates(data: &Path) -> Result<()> {
    let mut config = Config::read(None, "", &Environment::default())?;
    config.server.listen = "127.0.0.1:0".parse()?;
    data.clone_into(&mut config.server.data_dir);
    let running = Server::start(config).await?;
    let guard = running.service().engine.guard();
    for first in (0..REPEATED).step_by(AT_ONCE) {
        let calls = (first..first + AT_ONCE).map(|number| twice(guard, number));
        try_join_all(calls).await?;
    }
    running.stop().await.context("the store cannot be closed")
}

async fn twice(guard: &Guard, number: usize) -> Result<()> {
    let arguments = json!({
        "title": format!("Visit {number}"),
        "start_datetime": "2030-01-08T15:00:00-03:00",
    });
    let wish = Wish::undeclared("calendar.create_event", arguments, key(number));
    let Leave::Run { action, .. } = guard.ask(&wish, Wait::ToTheEnd).await? else {
        bail!("call {number} is no new one");
    };
    let result = json!({ "event": number });
    guard.settle(action, Settlement::Done { result }).await?;
    match guard.ask(&wish, Wait::ToTheEnd).await? {
        Leave::Run { .. } => bail!("call {number} ran twice"),
        _ => Ok(()),
    }
}
