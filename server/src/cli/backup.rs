//! `replygate backup` and `replygate restore`: the one file with everything.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use replygate_embedded::{Database, backup_file};
use replygate_ports::store::Store as _;

use super::place::Place;
use crate::config::Environment;

/// The name under which a data directory holds its database.
const DATABASE: &str = "replygate.db";

/// Writes a consistent copy of the database, of a running server too
#[derive(Args)]
pub(super) struct Backup {
    #[command(flatten)]
    place: Place,
    /// Where the copy goes; must not exist
    file: PathBuf,
}

/// Puts a backup into an empty data directory and tries it
#[derive(Args)]
pub(super) struct Restore {
    /// The backup
    file: PathBuf,
    /// The data directory; must be empty or missing
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

impl Backup {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let config = self.place.config(&Environment::of_process())?;
        if config.cluster.is_some() {
            bail!(
                "a cluster's backup is PostgreSQL's: pg_dump --schema, or base backups with archived WAL"
            );
        }
        super::runtime()?.block_on(backup_file(&config.server.data_dir, &self.file))?;
        println!("backup: {}", self.file.display());
        Ok(ExitCode::SUCCESS)
    }
}

impl Restore {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        must_be_empty(&self.data)?;
        let place = self.data.join(DATABASE);
        std::fs::create_dir_all(&self.data)
            .with_context(|| format!("cannot make {}", self.data.display()))?;
        std::fs::copy(&self.file, &place).with_context(|| {
            format!("cannot copy {} to {}", self.file.display(), place.display())
        })?;
        super::runtime()?.block_on(try_out(&self.data))?;
        println!("restored: {}", self.data.display());
        Ok(ExitCode::SUCCESS)
    }
}

fn must_be_empty(dir: &Path) -> anyhow::Result<()> {
    let is_empty = match std::fs::read_dir(dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", dir.display())),
    };
    if !is_empty {
        bail!("{} is not empty; a restore never overwrites", dir.display());
    }
    Ok(())
}

/// Opens what was restored as a server would.
async fn try_out(dir: &Path) -> anyhow::Result<()> {
    let database = Database::open(dir)
        .await
        .context("the backup cannot be used")?;
    database.ping().await.context("the backup cannot be used")?;
    database.close().await;
    Ok(())
}
