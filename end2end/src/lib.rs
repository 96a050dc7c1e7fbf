//! What the browser tests stand on: a fresh installation, a real Chromium, and the two people who use them.
//!
//! Must never reach into the server: everything is seen and done through what it prints and what its pages show. The
//! tests are started by `cargo xtask test`, which prepares what they need and names it in the environment.

mod browser;
mod customer;
mod instance;
mod operator;
mod window;

use std::ffi::OsString;
use std::time::Duration;

use anyhow::{Context as _, Result};

pub use browser::{Browser, Look, Scheme, Scripts};
pub use customer::Customer;
pub use instance::Instance;
pub use operator::Operator;
pub use window::{Held, Window};

/// How long anything may take that is expected to happen. Long, because a build machine may be busy; nothing waits for
/// it unless it fails.
pub const PATIENCE: Duration = Duration::from_secs(45);

fn variable(name: &str) -> Result<OsString> {
    std::env::var_os(name).with_context(|| {
        format!("{name} is not set: start the browser tests by `cargo xtask test`")
    })
}
