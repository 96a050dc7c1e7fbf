//! Which installation a command is about: its configuration and its data.

use std::path::PathBuf;

use clap::Args;

use crate::config::{Config, Environment};

/// Which installation.
#[derive(Args, Clone, Debug)]
pub(super) struct Place {
    /// The configuration file; `replygate.toml` here, where it is
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// The folder with the database, in place of the configuration's
    #[arg(long, value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
}

impl Place {
    /// The configuration, with what the arguments say in place of what the file says.
    pub(super) fn config(&self, environment: &Environment) -> anyhow::Result<Config> {
        let mut config = Config::load(self.config.as_deref(), environment)?;
        if let Some(data) = &self.data {
            config.server.data_dir.clone_from(data);
        }
        Ok(config)
    }
}
