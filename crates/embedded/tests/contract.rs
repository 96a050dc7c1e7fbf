//! The SQLite store, the delay queue and the feed keep the contract.
#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use replygate_embedded::{Database, DelayQueue, LocalBudgets, LocalFeed};
use replygate_ports::accounts::Accounts;
use replygate_ports::activity::ActivityLog;
use replygate_ports::budgets::Budgets;
use replygate_ports::calendar::Calendar;
use replygate_ports::clock::Clock;
use replygate_ports::feed::Feed;
use replygate_ports::figures::Figures;
use replygate_ports::ledger::Ledger;
use replygate_ports::mailbox::Mailbox;
use replygate_ports::operations::Operations;
use replygate_ports::saved::SavedViews;
use replygate_ports::settings::SettingsStore;
use replygate_ports::store::Store;
use replygate_ports::tickets::Tickets;
use replygate_ports::tools::Tool;
use replygate_ports::upkeep::Upkeep;
use replygate_ports::views::Views;
use replygate_testkit::clock::SimClock;
use replygate_testkit::contract::{
    AccountsHarness, ActivityHarness, BudgetsHarness, CalendarHarness, FeedHarness, FiguresHarness,
    Harness, LedgerHarness, MailboxHarness, Missing, OperationsHarness, SavedViewsHarness,
    SettingsHarness, StoreHarness, TicketsHarness, UpkeepHarness, ViewsHarness,
};
use tempfile::TempDir;

struct Sqlite {
    dir: TempDir,
    database: Database,
}

impl Sqlite {
    async fn open(dir: TempDir) -> Self {
        let database = Database::open(dir.path()).await.unwrap();
        Self { dir, database }
    }
}

/// The files as a crash would leave them at this moment.
fn crash_image(from: &Path) -> TempDir {
    let to = TempDir::new().unwrap();
    for name in ["replygate.db", "replygate.db-wal"] {
        std::fs::copy(from.join(name), to.path().join(name)).unwrap();
    }
    to
}

impl Harness for Sqlite {
    async fn start() -> Result<Self, Missing> {
        Ok(Self::open(TempDir::new().unwrap()).await)
    }

    async fn restart(self) -> Option<Self> {
        Some(Self::open(crash_image(self.dir.path())).await)
    }
}

impl StoreHarness for Sqlite {
    fn store(&self) -> Arc<dyn Store> {
        Arc::new(self.database.clone())
    }
}

impl FiguresHarness for Sqlite {
    fn figures(&self) -> Arc<dyn Figures> {
        Arc::new(self.database.clone())
    }
}

impl ViewsHarness for Sqlite {
    fn views(&self) -> Arc<dyn Views> {
        Arc::new(self.database.clone())
    }
}

impl UpkeepHarness for Sqlite {
    fn upkeep(&self) -> Arc<dyn Upkeep> {
        Arc::new(self.database.clone())
    }
}

impl SettingsHarness for Sqlite {
    fn settings(&self) -> Arc<dyn SettingsStore> {
        Arc::new(self.database.clone())
    }
}

impl SettingsHarness<Tool> for Sqlite {
    fn settings(&self) -> Arc<dyn SettingsStore<Tool>> {
        Arc::new(self.database.clone())
    }
}

impl LedgerHarness for Sqlite {
    fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::new(self.database.clone())
    }
}

impl CalendarHarness for Sqlite {
    fn calendar(&self) -> Arc<dyn Calendar> {
        Arc::new(self.database.clone())
    }
}

impl MailboxHarness for Sqlite {
    fn mailbox(&self) -> Arc<dyn Mailbox> {
        Arc::new(self.database.clone())
    }
}

impl AccountsHarness for Sqlite {
    fn accounts(&self) -> Arc<dyn Accounts> {
        Arc::new(self.database.clone())
    }
}

impl OperationsHarness for Sqlite {
    fn operations(&self) -> Arc<dyn Operations> {
        Arc::new(self.database.clone())
    }
}

impl SavedViewsHarness for Sqlite {
    fn saved_views(&self) -> Arc<dyn SavedViews> {
        Arc::new(self.database.clone())
    }
}

impl ActivityHarness for Sqlite {
    fn activity(&self) -> Arc<dyn ActivityLog> {
        Arc::new(self.database.clone())
    }
}

struct Queue {
    clock: Arc<SimClock>,
    tickets: Arc<DelayQueue>,
}

impl Harness for Queue {
    async fn start() -> Result<Self, Missing> {
        let clock = Arc::new(SimClock::start());
        let tickets = Arc::new(DelayQueue::new(clock.clone()));
        Ok(Self { clock, tickets })
    }

    async fn restart(self) -> Option<Self> {
        None
    }
}

impl TicketsHarness for Queue {
    fn tickets(&self) -> Arc<dyn Tickets> {
        self.tickets.clone()
    }

    fn clock(&self) -> Arc<dyn Clock> {
        self.clock.clone()
    }

    fn unit(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn lateness(&self) -> Duration {
        Duration::from_millis(1)
    }

    async fn advance(&self, by: Duration) {
        self.clock.sleep(by).await;
    }
}

struct InProcess(Arc<LocalFeed>);

impl Harness for InProcess {
    async fn start() -> Result<Self, Missing> {
        Ok(Self(Arc::new(LocalFeed::new())))
    }

    async fn restart(self) -> Option<Self> {
        None
    }
}

impl FeedHarness for InProcess {
    fn feed(&self) -> Arc<dyn Feed> {
        self.0.clone()
    }

    fn flood(&self) -> usize {
        1_025
    }
}

struct InProcessBudgets {
    clock: Arc<SimClock>,
    budgets: Arc<LocalBudgets>,
}

impl Harness for InProcessBudgets {
    async fn start() -> Result<Self, Missing> {
        let clock = Arc::new(SimClock::start());
        let budgets = Arc::new(LocalBudgets::new(clock.clone()));
        Ok(Self { clock, budgets })
    }

    async fn restart(self) -> Option<Self> {
        None
    }
}

impl BudgetsHarness for InProcessBudgets {
    fn budgets(&self) -> Arc<dyn Budgets> {
        self.budgets.clone()
    }

    fn unit(&self) -> Duration {
        Duration::from_millis(1)
    }

    async fn advance(&self, by: Duration) {
        self.clock.sleep(by).await;
    }
}

replygate_testkit::store_contract!(store, Sqlite);
replygate_testkit::views_contract!(views, Sqlite);
replygate_testkit::figures_contract!(figures, Sqlite);
replygate_testkit::upkeep_contract!(upkeep, Sqlite);
replygate_testkit::settings_contract!(settings, Sqlite);
replygate_testkit::accounts_contract!(accounts, Sqlite);
replygate_testkit::operations_contract!(operations, Sqlite);
replygate_testkit::activity_contract!(activity, Sqlite);
replygate_testkit::saved_views_contract!(saved, Sqlite);
replygate_testkit::tool_settings_contract!(tool_settings, Sqlite);
replygate_testkit::ledger_contract!(ledger, Sqlite);
replygate_testkit::calendar_contract!(calendar, Sqlite);
replygate_testkit::mailbox_contract!(mailbox, Sqlite);
replygate_testkit::tickets_contract!(tickets, Queue, start_paused = true);
replygate_testkit::feed_contract!(feed, InProcess);
replygate_testkit::store_model!(model, Sqlite, 24);
replygate_testkit::budgets_contract!(budgets, InProcessBudgets, start_paused = true);
replygate_testkit::ledger_model!(ledger_model, Sqlite, 24);
