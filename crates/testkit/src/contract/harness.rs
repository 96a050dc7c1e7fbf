//! What a suite needs of an adapter under test: to be started, to be restarted, and to let time pass in its own way.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use replygate_ports::accounts::Accounts;
use replygate_ports::activity::ActivityLog;
use replygate_ports::budgets::Budgets;
use replygate_ports::calendar::Calendar;
use replygate_ports::clock::Clock;
use replygate_ports::feed::Feed;
use replygate_ports::figures::Figures;
use replygate_ports::leases::Leases;
use replygate_ports::ledger::Ledger;
use replygate_ports::mailbox::Mailbox;
use replygate_ports::mirror::Mirror;
use replygate_ports::operations::Operations;
use replygate_ports::saved::SavedViews;
use replygate_ports::settings::{ChannelSettings, Kept, SettingsStore};
use replygate_ports::store::Store;
use replygate_ports::tickets::Tickets;
use replygate_ports::upkeep::Upkeep;
use replygate_ports::views::Views;
use replygate_ports::wakes::Wakes;

/// The service that the adapter talks to is not there.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Missing(pub String);

/// An adapter under test.
pub trait Harness: Sized + Send {
    /// Starts the adapter in a fresh namespace: a new file, schema, key prefix or virtual host.
    ///
    /// # Errors
    /// `Missing` when a service it needs is not there.
    fn start() -> impl Future<Output = Result<Self, Missing>> + Send;

    /// Stops the adapter as a dying process would and starts it over what it had made durable; `None` when it is not
    /// durable.
    fn restart(self) -> impl Future<Output = Option<Self>> + Send;
}

/// An adapter of the store port.
pub trait StoreHarness: Harness {
    /// The adapter.
    fn store(&self) -> Arc<dyn Store>;
}

/// An adapter of the console's read port.
pub trait ViewsHarness: StoreHarness {
    /// The adapter, over the same tables as the store.
    fn views(&self) -> Arc<dyn Views>;
}

/// An adapter of the figures port.
pub trait FiguresHarness: StoreHarness {
    /// The adapter, over the same tables as the store.
    fn figures(&self) -> Arc<dyn Figures>;
}

/// An adapter of the upkeep port.
pub trait UpkeepHarness: ViewsHarness + AccountsHarness {
    /// The adapter, over the same tables as the store.
    fn upkeep(&self) -> Arc<dyn Upkeep>;
}

/// An adapter of the settings port, for settings of one kind.
pub trait SettingsHarness<S: Kept = ChannelSettings>: Harness {
    /// The adapter.
    fn settings(&self) -> Arc<dyn SettingsStore<S>>;
}

/// An adapter of the ledger port.
pub trait LedgerHarness: UpkeepHarness {
    /// The adapter, beside the store's tables.
    fn ledger(&self) -> Arc<dyn Ledger>;
}

/// An adapter of the built-in calendar.
pub trait CalendarHarness: UpkeepHarness {
    /// The adapter, beside the store's tables.
    fn calendar(&self) -> Arc<dyn Calendar>;
}

/// An adapter of the built-in mailbox.
pub trait MailboxHarness: UpkeepHarness {
    /// The adapter, beside the store's tables.
    fn mailbox(&self) -> Arc<dyn Mailbox>;
}

/// An adapter of the accounts port.
pub trait AccountsHarness: Harness {
    /// The adapter.
    fn accounts(&self) -> Arc<dyn Accounts>;
}

/// An adapter of the operations port.
pub trait OperationsHarness: Harness {
    /// The adapter.
    fn operations(&self) -> Arc<dyn Operations>;
}

/// An adapter of the activity port.
pub trait ActivityHarness: Harness {
    /// The adapter.
    fn activity(&self) -> Arc<dyn ActivityLog>;
}

/// An adapter of the port of saved views.
pub trait SavedViewsHarness: Harness {
    /// The adapter.
    fn saved_views(&self) -> Arc<dyn SavedViews>;
}

/// An adapter of the tickets port.
pub trait TicketsHarness: Harness {
    /// The adapter.
    fn tickets(&self) -> Arc<dyn Tickets>;

    /// The clock by which due times are meant.
    fn clock(&self) -> Arc<dyn Clock>;

    /// A wait that the adapter tells apart from none: 1 ms of simulated time, more against a service.
    fn unit(&self) -> Duration;

    /// How late a ticket may arrive.
    fn lateness(&self) -> Duration;

    /// Lets time pass.
    fn advance(&self, by: Duration) -> impl Future<Output = ()> + Send;
}

/// An adapter of the feed port.
pub trait FeedHarness: Harness {
    /// The adapter.
    fn feed(&self) -> Arc<dyn Feed>;

    /// More news than it keeps for a reader that does not read.
    fn flood(&self) -> usize;
}

/// An adapter of the leases port.
pub trait LeasesHarness: Harness {
    /// The adapter.
    fn leases(&self) -> Arc<dyn Leases>;

    /// A wait that the adapter tells apart from none: 1 ms of simulated time, more against a service.
    fn unit(&self) -> Duration;

    /// Lets time pass.
    fn advance(&self, by: Duration) -> impl Future<Output = ()> + Send;
}

/// An adapter of the mirror port.
pub trait MirrorHarness: Harness {
    /// The adapter.
    fn mirror(&self) -> Arc<dyn Mirror>;

    /// Returns when everything told before can be seen.
    fn settle(&self) -> impl Future<Output = ()> + Send;

    /// Lets time pass.
    fn advance(&self, by: Duration) -> impl Future<Output = ()> + Send;
}

/// An adapter of the budgets port.
pub trait BudgetsHarness: Harness {
    /// The adapter.
    fn budgets(&self) -> Arc<dyn Budgets>;

    /// A wait that the adapter tells apart from none: 1 ms of simulated time, more against a service.
    fn unit(&self) -> Duration;

    /// Lets time pass.
    fn advance(&self, by: Duration) -> impl Future<Output = ()> + Send;
}

/// An adapter of the wake-ups port.
pub trait WakesHarness: Harness {
    /// The adapter in two processes.
    fn processes(&self) -> (Arc<dyn Wakes>, Arc<dyn Wakes>);

    /// Returns when everybody who listens is heard of.
    fn settle(&self) -> impl Future<Output = ()> + Send;

    /// More wake-ups than it keeps for a listener that does not listen.
    fn flood(&self) -> usize;
}

/// The harness of one case, or nothing when a service is missing; see [`there`].
///
/// # Panics
/// In CI, when a service is missing.
pub async fn begin<H: Harness>() -> Option<H> {
    there(H::start().await)
}

/// What was started. A missing service fails the case in CI (`CI=true`); elsewhere the case is skipped and says so.
///
/// # Panics
/// In CI, when a service is missing.
pub fn there<T>(started: Result<T, Missing>) -> Option<T> {
    match started {
        Ok(started) => Some(started),
        Err(missing) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("{missing}"),
        Err(missing) => {
            println!("skipped, {missing}");
            None
        }
    }
}

/// Restarts a durable adapter; an adapter that is not durable skips what follows and says so.
pub(super) async fn restarted<H: Harness>(harness: H) -> Option<H> {
    let restarted = harness.restart().await;
    if restarted.is_none() {
        println!("skipped: the adapter is not durable");
    }
    restarted
}
