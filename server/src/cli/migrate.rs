//! `replygate migrate`: moves an installation from a data directory into PostgreSQL, whole or not at all.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use replygate_cluster::{Postgres, PostgresOptions};
use replygate_embedded::{Database, SystemClock};
use replygate_gate::tools::Steadied;
use replygate_gate::{At, Command, Neighbours, Refusal, Rules, Scene, SessionId, decide, evolve};
use replygate_ports::clock::Clock;
use replygate_ports::ledger::Ledger;
use replygate_ports::settings::{SettingsStore, SettingsVersion};
use replygate_ports::store::{Append, Store};

/// The name under which a data directory holds its database.
const DATABASE: &str = "replygate.db";
/// Its name once everything has moved, so that no server goes on with it.
const MOVED: &str = "replygate.db.moved";
/// Sessions looked at together.
const PAGE: u32 = 256;

/// Moves an installation from a data directory into PostgreSQL
///
/// No server may run on either. Everything moves in one transaction and is read back before it is kept: sessions with their
/// events, messages, replies and dedupe keys, settings with their versions, users, tokens and sign-ins, operations and the
/// activity log, tools with their calls, the built-in calendar and mailbox. What a server was
/// sending when it ended is UNKNOWN afterwards, as after every start. The database file stays, under the name
/// `replygate.db.moved`; give it its name back to go on with it.
#[derive(Args)]
pub(super) struct Migrate {
    /// The data directory
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Where to: `postgres://user:password@host:5432/database`
    #[arg(
        long,
        value_name = "URL",
        env = "REPLYGATE_DATABASE_URL",
        hide_env_values = true
    )]
    to: String,
    /// The schema, made when it is missing; must be empty
    #[arg(long, value_name = "NAME", default_value = "replygate")]
    schema: String,
}

impl Migrate {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        super::runtime()?.block_on(self.migrate())
    }

    async fn migrate(self) -> anyhow::Result<ExitCode> {
        let file = self.from.join(DATABASE);
        if !file.is_file() {
            bail!("{} holds no {DATABASE}", self.from.display());
        }
        let clock = Arc::new(SystemClock::start());
        let options = PostgresOptions {
            schema: self.schema.clone(),
            ..PostgresOptions::new(&self.to)
        };
        // First where to: a data directory is not touched when there is nowhere to go.
        let postgres = Postgres::open(&options, clock.clone()).await?;
        let database = Database::open(&self.from).await?;
        let ended = end_claims(&database, &*clock).await?;
        let lost = end_calls(&database, &*clock).await?;
        let moved = postgres.take_over(database.records()).await;
        database.close().await;
        postgres.close().await;
        let moved = moved.context("nothing was moved")?;

        set_aside(&self.from)?;
        println!("moved: {moved}");
        if ended > 0 {
            println!(
                "{ended} sessions were busy when their server ended: turns run again, what was being sent is UNKNOWN"
            );
        }
        if lost > 0 {
            println!(
                "{lost} tool calls were running when their server ended: whether they had their effect is unknown"
            );
        }
        println!("the old file is {}", self.from.join(MOVED).display());
        Ok(ExitCode::SUCCESS)
    }
}

fn set_aside(dir: &Path) -> anyhow::Result<()> {
    let (from, to) = (dir.join(DATABASE), dir.join(MOVED));
    std::fs::rename(&from, &to).with_context(|| {
        format!(
            "everything moved, but {} cannot be renamed: see that no server starts on it",
            from.display()
        )
    })
}

/// Ends the turns and claims of the server that ran here, as the next start would; how many sessions had any.
async fn end_claims(database: &Database, clock: &dyn Clock) -> anyhow::Result<u64> {
    let settings = database.all().await?.into_iter();
    let rules: HashMap<String, Rules> = settings
        .map(|version: SettingsVersion| (version.settings.id.clone(), version.settings.rules()))
        .collect();
    let (mut ended, mut after) = (0, None);
    loop {
        let page = database.scheduled(At(i64::MAX), after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(ended);
        };
        after = Some(*last);
        for (_, session) in page {
            ended += u64::from(end_claims_of(database, session, &rules, clock.now()).await?);
        }
    }
}

/// Makes the tool calls of the server that ran here unknown, as the next start would; how many there were.
async fn end_calls(database: &Database, clock: &dyn Clock) -> anyhow::Result<u64> {
    let elapsed = u64::try_from(clock.elapsed().as_millis())?;
    let moment = Steadied::default().observe(clock.now(), elapsed);
    Ok(Ledger::recover(database, &moment).await?)
}

async fn end_claims_of(
    database: &Database,
    session: SessionId,
    rules: &HashMap<String, Rules>,
    now: At,
) -> anyhow::Result<bool> {
    let Some(stored) = database.load(session).await? else {
        return Ok(false);
    };
    let rules = rules.get(&stored.key.channel).cloned().unwrap_or_default();
    let scene = Scene {
        now,
        rules: &rules,
        neighbours: Neighbours::default(),
    };
    let events = match decide(&stored.session, &Command::Recover, &scene) {
        Ok(events) => events,
        Err(Refusal::Nothing) => return Ok(false),
        Err(refusal) => return Err(refusal.into()),
    };
    let after = events.iter().fold(stored.session, evolve);
    let append = Append {
        key: stored.key,
        id: session,
        expected: stored.version,
        at: now,
        actor: "sweeper".to_owned(),
        events,
        next_at: after.next_deadline(&rules),
        session: after,
        message: None,
        reply: None,
        action: None,
    };
    database.append(append).await?;
    Ok(true)
}
