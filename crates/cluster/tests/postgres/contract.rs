//! The suites that every store joins.

use std::sync::Arc;

use replygate_cluster::Postgres;
use replygate_ports::accounts::Accounts;
use replygate_ports::activity::ActivityLog;
use replygate_ports::calendar::Calendar;
use replygate_ports::figures::Figures;
use replygate_ports::ledger::Ledger;
use replygate_ports::mailbox::Mailbox;
use replygate_ports::operations::Operations;
use replygate_ports::saved::SavedViews;
use replygate_ports::settings::SettingsStore;
use replygate_ports::store::Store;
use replygate_ports::tools::Tool;
use replygate_ports::upkeep::Upkeep;
use replygate_ports::views::Views;
use replygate_testkit::contract::{
    AccountsHarness, ActivityHarness, CalendarHarness, FiguresHarness, Harness, LedgerHarness,
    MailboxHarness, Missing, OperationsHarness, SavedViewsHarness, SettingsHarness, StoreHarness,
    UpkeepHarness, ViewsHarness,
};

use crate::service::Schema;

/// One process on a schema of its own.
struct OnPostgres {
    postgres: Postgres,
    schema: Schema,
}

impl Harness for OnPostgres {
    async fn start() -> Result<Self, Missing> {
        let schema = Schema::new();
        let postgres = schema.open().await?;
        Ok(Self { postgres, schema })
    }

    async fn restart(self) -> Option<Self> {
        let Self { postgres, schema } = self;
        drop(postgres);
        let postgres = schema.open().await.unwrap();
        Some(Self { postgres, schema })
    }
}

impl StoreHarness for OnPostgres {
    fn store(&self) -> Arc<dyn Store> {
        Arc::new(self.postgres.clone())
    }
}

impl FiguresHarness for OnPostgres {
    fn figures(&self) -> Arc<dyn Figures> {
        Arc::new(self.postgres.clone())
    }
}

impl ViewsHarness for OnPostgres {
    fn views(&self) -> Arc<dyn Views> {
        Arc::new(self.postgres.clone())
    }
}

impl UpkeepHarness for OnPostgres {
    fn upkeep(&self) -> Arc<dyn Upkeep> {
        Arc::new(self.postgres.clone())
    }
}

impl SettingsHarness for OnPostgres {
    fn settings(&self) -> Arc<dyn SettingsStore> {
        Arc::new(self.postgres.clone())
    }
}

impl SettingsHarness<Tool> for OnPostgres {
    fn settings(&self) -> Arc<dyn SettingsStore<Tool>> {
        Arc::new(self.postgres.clone())
    }
}

impl LedgerHarness for OnPostgres {
    fn ledger(&self) -> Arc<dyn Ledger> {
        Arc::new(self.postgres.clone())
    }
}

impl CalendarHarness for OnPostgres {
    fn calendar(&self) -> Arc<dyn Calendar> {
        Arc::new(self.postgres.clone())
    }
}

impl MailboxHarness for OnPostgres {
    fn mailbox(&self) -> Arc<dyn Mailbox> {
        Arc::new(self.postgres.clone())
    }
}

impl AccountsHarness for OnPostgres {
    fn accounts(&self) -> Arc<dyn Accounts> {
        Arc::new(self.postgres.clone())
    }
}

impl OperationsHarness for OnPostgres {
    fn operations(&self) -> Arc<dyn Operations> {
        Arc::new(self.postgres.clone())
    }
}

impl SavedViewsHarness for OnPostgres {
    fn saved_views(&self) -> Arc<dyn SavedViews> {
        Arc::new(self.postgres.clone())
    }
}

impl ActivityHarness for OnPostgres {
    fn activity(&self) -> Arc<dyn ActivityLog> {
        Arc::new(self.postgres.clone())
    }
}

replygate_testkit::store_contract!(store, OnPostgres);
replygate_testkit::views_contract!(views, OnPostgres);
replygate_testkit::figures_contract!(figures, OnPostgres);
replygate_testkit::upkeep_contract!(upkeep, OnPostgres);
replygate_testkit::settings_contract!(settings, OnPostgres);
replygate_testkit::accounts_contract!(accounts, OnPostgres);
replygate_testkit::operations_contract!(operations, OnPostgres);
replygate_testkit::activity_contract!(activity, OnPostgres);
replygate_testkit::saved_views_contract!(saved, OnPostgres);
replygate_testkit::store_model!(model, OnPostgres, 24);
replygate_testkit::tool_settings_contract!(tool_settings, OnPostgres);
replygate_testkit::ledger_contract!(ledger, OnPostgres);
replygate_testkit::calendar_contract!(calendar, OnPostgres);
replygate_testkit::mailbox_contract!(mailbox, OnPostgres);
replygate_testkit::ledger_model!(ledger_model, OnPostgres, 24);
