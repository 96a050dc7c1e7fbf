//! The in-memory adapters keep the contract.

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
use replygate_ports::settings::SettingsStore;
use replygate_ports::store::Store;
use replygate_ports::tickets::Tickets;
use replygate_ports::tools::Tool;
use replygate_ports::upkeep::Upkeep;
use replygate_ports::views::Views;
use replygate_ports::wakes::Wakes;
use replygate_testkit::clock::SimClock;
use replygate_testkit::contract::{
    AccountsHarness, ActivityHarness, BudgetsHarness, CalendarHarness, FeedHarness, FiguresHarness,
    Harness, LeasesHarness, LedgerHarness, MailboxHarness, MirrorHarness, Missing,
    OperationsHarness, SavedViewsHarness, SettingsHarness, StoreHarness, TicketsHarness,
    UpkeepHarness, ViewsHarness, WakesHarness,
};
use replygate_testkit::memory::{
    MemoryBudgets, MemoryFeed, MemoryLeases, MemoryMirror, MemoryStore, MemoryTickets, MemoryWakes,
};

struct InMemory(MemoryStore);

impl Harness for InMemory {
    async fn start() -> Result<Self, Missing> {
        Ok(Self(MemoryStore::new()))
    }

    /// The tables live on, as they do through a simulated crash.
    async fn restart(self) -> Option<Self> {
        Some(self)
    }
}

impl StoreHarness for InMemory {
    fn store(&self) -> Arc<dyn Store> {
        Arc::new(self.0.clone())
    }
}

impl FiguresHarness for InMemory {
    fn figures(&self) -> Arc<dyn Figures> {
        Arc::new(self.0.clone())
    }
}

impl ViewsHarness for InMemory {
    fn views(&self) -> Arc<dyn Views> {
        Arc::new(self.0.clone())
    }
}

impl UpkeepHarness for InMemory {
    fn upkeep(&self) -> Arc<dyn Upkeep> {
        Arc::new(self.0.clone())
    }
}

impl SettingsHarness for InMemory {
    fn settings(&self) -> Arc<dyn SettingsStore> {
        Arc::new(self.0.clone())
    }
}

impl SettingsHarness<Tool> for InMemory {
    fn settings(&self) -> Arc<dyn SettingsStore<Tool>> {
        Arc::new(self.0.clone())
    }
}

impl LedgerHarness for InMemory {
    fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::new(self.0.clone())
    }
}

impl CalendarHarness for InMemory {
    fn calendar(&self) -> Arc<dyn Calendar> {
        Arc::new(self.0.clone())
    }
}

impl MailboxHarness for InMemory {
    fn mailbox(&self) -> Arc<dyn Mailbox> {
        Arc::new(self.0.clone())
    }
}

impl AccountsHarness for InMemory {
    fn accounts(&self) -> Arc<dyn Accounts> {
        Arc::new(self.0.clone())
    }
}

impl OperationsHarness for InMemory {
    fn operations(&self) -> Arc<dyn Operations> {
        Arc::new(self.0.clone())
    }
}

impl SavedViewsHarness for InMemory {
    fn saved_views(&self) -> Arc<dyn SavedViews> {
        Arc::new(self.0.clone())
    }
}

impl ActivityHarness for InMemory {
    fn activity(&self) -> Arc<dyn ActivityLog> {
        Arc::new(self.0.clone())
    }
}

struct TicketsInMemory {
    clock: Arc<SimClock>,
    tickets: Arc<MemoryTickets>,
}

impl Harness for TicketsInMemory {
    async fn start() -> Result<Self, Missing> {
        let clock = Arc::new(SimClock::start());
        let tickets = Arc::new(MemoryTickets::new(clock.clone()));
        Ok(Self { clock, tickets })
    }

    async fn restart(self) -> Option<Self> {
        None
    }
}

impl TicketsHarness for TicketsInMemory {
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

struct FeedInMemory(Arc<MemoryFeed>);

impl Harness for FeedInMemory {
    async fn start() -> Result<Self, Missing> {
        Ok(Self(Arc::new(MemoryFeed::new(8))))
    }

    async fn restart(self) -> Option<Self> {
        None
    }
}

impl FeedHarness for FeedInMemory {
    fn feed(&self) -> Arc<dyn Feed> {
        self.0.clone()
    }

    fn flood(&self) -> usize {
        9
    }
}

struct PeersInMemory {
    clock: Arc<SimClock>,
    leases: Arc<MemoryLeases>,
    mirror: Arc<MemoryMirror>,
    budgets: Arc<MemoryBudgets>,
    wakes: Arc<MemoryWakes>,
}

impl Harness for PeersInMemory {
    async fn start() -> Result<Self, Missing> {
        let clock = Arc::new(SimClock::start());
        Ok(Self {
            leases: Arc::new(MemoryLeases::new(clock.clone())),
            mirror: Arc::new(MemoryMirror::new(clock.clone())),
            budgets: Arc::new(MemoryBudgets::new(clock.clone())),
            wakes: Arc::new(MemoryWakes::new(8)),
            clock,
        })
    }

    async fn restart(self) -> Option<Self> {
        None
    }
}

impl LeasesHarness for PeersInMemory {
    fn leases(&self) -> Arc<dyn Leases> {
        self.leases.clone()
    }

    fn unit(&self) -> Duration {
        Duration::from_millis(1)
    }

    async fn advance(&self, by: Duration) {
        self.clock.sleep(by).await;
    }
}

impl MirrorHarness for PeersInMemory {
    fn mirror(&self) -> Arc<dyn Mirror> {
        self.mirror.clone()
    }

    async fn settle(&self) {}

    async fn advance(&self, by: Duration) {
        self.clock.sleep(by).await;
    }
}

impl BudgetsHarness for PeersInMemory {
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

impl WakesHarness for PeersInMemory {
    fn processes(&self) -> (Arc<dyn Wakes>, Arc<dyn Wakes>) {
        (self.wakes.clone(), self.wakes.clone())
    }

    async fn settle(&self) {}

    fn flood(&self) -> usize {
        9
    }
}

replygate_testkit::store_contract!(store, InMemory);
replygate_testkit::views_contract!(views, InMemory);
replygate_testkit::figures_contract!(figures, InMemory);
replygate_testkit::upkeep_contract!(upkeep, InMemory);
replygate_testkit::settings_contract!(settings, InMemory);
replygate_testkit::accounts_contract!(accounts, InMemory);
replygate_testkit::operations_contract!(operations, InMemory);
replygate_testkit::activity_contract!(activity, InMemory);
replygate_testkit::saved_views_contract!(saved, InMemory);
replygate_testkit::tool_settings_contract!(tool_settings, InMemory);
replygate_testkit::ledger_contract!(ledger, InMemory);
replygate_testkit::calendar_contract!(calendar, InMemory);
replygate_testkit::mailbox_contract!(mailbox, InMemory);
replygate_testkit::tickets_contract!(tickets, TicketsInMemory, start_paused = true);
replygate_testkit::feed_contract!(feed, FeedInMemory);
replygate_testkit::leases_contract!(leases, PeersInMemory, start_paused = true);
replygate_testkit::mirror_contract!(mirror, PeersInMemory, start_paused = true);
replygate_testkit::budgets_contract!(budgets, PeersInMemory, start_paused = true);
replygate_testkit::wakes_contract!(wakes, PeersInMemory);
replygate_testkit::leases_model!(leases_behave_like_the_model, PeersInMemory, 32);
replygate_testkit::mirror_model!(the_mirror_behaves_like_the_model, PeersInMemory, 32);
replygate_testkit::budgets_model!(budgets_behave_like_the_model, PeersInMemory, 32);
replygate_testkit::tickets_model!(tickets_are_never_early_nor_lost, TicketsInMemory, 32);
