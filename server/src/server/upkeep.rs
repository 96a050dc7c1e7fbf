//! What a running installation does for itself besides the pipeline: retention, settings that another process saved,
//! folding of histograms. Of the processes of an installation one sees to retention. Must never stand in the pipeline's way.

use std::sync::Arc;
use std::time::Duration;

use replygate_gate::At;
use replygate_ports::store::StoreError;
use replygate_ports::upkeep::{Cutoffs, DEDUPE_LIFE_MS, Pruned};

use crate::config::Retention;
use crate::metrics;
use crate::service::Service;

use super::Work;

/// How often retention runs.
const PRUNE_EVERY: Duration = Duration::from_hours(1);
/// Another process takes retention over when this one is so late with it.
const OVERDUE: Duration = Duration::from_mins(10);
/// Rows of each sort per round, so that a round never holds up the pipeline's writes for long.
const PRUNE_ROWS: u32 = 500;
/// Between rounds of one run.
const PRUNE_PAUSE: Duration = Duration::from_millis(200);
/// How soon settings that another process saved come into force at the latest, `replygate config apply` for one.
const SETTINGS_EVERY: Duration = Duration::from_secs(2);
/// One day.
const DAY_MS: u64 = 86_400_000;

/// Starts everything; it ends with the server.
pub(super) fn start(service: &Arc<Service>, retention: Retention) {
    spawn(service, move |service| async move {
        prune(&service, retention).await;
    });
    spawn(service, move |service| async move {
        prune_tools(&service, retention).await;
    });
    spawn(service, |service| async move { follow(&service).await });
}

/// Starts work that ends with the server.
pub(super) fn spawn<F>(service: &Arc<Service>, work: impl FnOnce(Arc<Service>) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let stop = service.stop.clone();
    let work = work(service.clone());
    tokio::spawn(async move {
        tokio::select! {
            () = stop.cancelled() => {}
            () = work => {}
        }
    });
}

async fn prune(service: &Service, retention: Retention) {
    let clock = &service.stores.clock;
    let texts_ms = u64::from(retention.texts_days) * DAY_MS;
    let duty = service.duty(Work::Retention);
    loop {
        while duty.is_ours(PRUNE_EVERY + OVERDUE).await {
            let now = clock.now();
            let texts = now.minus(texts_ms);
            let before = Cutoffs {
                texts,
                // Edits name earlier messages by their keys: keys live as long as the texts, and never less than
                // channels repeat.
                dedupe_keys: now.minus(texts_ms.max(DEDUPE_LIFE_MS)),
                steps: texts,
                credentials: now,
            };
            let pruned = service.stores.upkeep.prune(&before, PRUNE_ROWS).await;
            let Ok(pruned) = pruned.inspect_err(|error| tracing::warn!(%error, "retention failed"))
            else {
                break;
            };
            if pruned == Pruned::default() {
                break;
            }
            tracing::info!(
                texts = pruned.texts,
                keys = pruned.dedupe_keys,
                steps = pruned.steps,
                credentials = pruned.credentials,
                "retention"
            );
            clock.sleep(PRUNE_PAUSE).await;
        }
        clock.sleep(PRUNE_EVERY).await;
    }
}

/// Forgets what tools did: calls, what was not carried out, and what the built-in tools keep.
async fn prune_tools(service: &Service, retention: Retention) {
    let clock = &service.stores.clock;
    let texts_ms = u64::from(retention.texts_days) * DAY_MS;
    loop {
        let before = clock.now().minus(texts_ms);
        loop {
            match prune_tools_once(service, before).await {
                Ok(0) => break,
                Ok(rows) => tracing::info!(rows, "retention of tool calls"),
                Err(error) => {
                    tracing::warn!(%error, "retention of tool calls failed");
                    break;
                }
            }
            clock.sleep(PRUNE_PAUSE).await;
        }
        clock.sleep(PRUNE_EVERY).await;
    }
}

async fn prune_tools_once(service: &Service, before: At) -> Result<u64, StoreError> {
    let stores = &service.stores;
    let calls = stores.ledger.prune(before, PRUNE_ROWS).await?;
    let events = stores.calendar.prune_events(before, PRUNE_ROWS).await?;
    let mails = stores.mailbox.prune_mails(before, PRUNE_ROWS).await?;
    Ok(calls + events + mails)
}

async fn follow(service: &Service) {
    loop {
        service.stores.clock.sleep(SETTINGS_EVERY).await;
        metrics::fold();
        if let Err(error) = service.engine.board().reload().await {
            tracing::warn!(%error, "settings could not be read again");
        }
        if let Err(error) = service.engine.toolbox().reload().await {
            tracing::warn!(%error, "tools could not be read again");
        }
    }
}
