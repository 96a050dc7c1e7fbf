//! The console on a full store and in many browsers: how long its pages take to come, what a filter that matches nothing
//! costs, and what open consoles cost the pipeline.

mod open;
mod pages;
mod past;
mod sign_in;

use anyhow::Result;

use crate::Bench;

/// Pages first, then open consoles.
pub(crate) async fn run(bench: &Bench) -> Result<()> {
    pages::run(bench).await?;
    open::run(bench).await
}
