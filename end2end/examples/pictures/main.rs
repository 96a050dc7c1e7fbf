//! Takes the pictures of the documentation, or of every page in every look, so that they can be judged.
//!
//! Started by `cargo xtask screenshots [FOLDER]`, which prepares what it needs.

mod demo;
mod live;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use replygate_end2end::{Browser, Look, Scheme};

/// The looks in which every page is judged.
const LOOKS: [(&str, Look); 3] = [
    ("light", Look::DESK),
    (
        "dark",
        Look {
            scheme: Scheme::Dark,
            ..Look::DESK
        },
    ),
    ("phone", Look::PHONE),
];

/// Which pictures are taken, and where they go.
pub enum Wanted {
    /// The few of the documentation, in light only.
    Documentation(PathBuf),
    /// Every page in every look.
    Everything(PathBuf),
}

impl Wanted {
    fn read() -> Result<Self> {
        let mut arguments = std::env::args_os().skip(1);
        let folder = arguments.next().map(PathBuf::from);
        let folder = folder.context("which folder shall the pictures go to?")?;
        std::fs::create_dir_all(&folder)?;
        Ok(match arguments.next() {
            Some(word) if word == "all" => Self::Everything(folder),
            Some(word) => {
                anyhow::bail!(
                    "{} is not allowed behind the folder: `all`, or nothing",
                    word.display()
                )
            }
            None => Self::Documentation(folder),
        })
    }

    fn folder(&self) -> PathBuf {
        let (Self::Documentation(folder) | Self::Everything(folder)) = self;
        folder.clone()
    }

    fn looks(&self) -> impl Iterator<Item = (&'static str, Look)> {
        let count = match self {
            Self::Documentation(_) => 0,
            Self::Everything(_) => LOOKS.len(),
        };
        LOOKS.into_iter().take(count)
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let wanted = Wanted::read()?;
    let browser = Browser::launch().await?;
    demo::take(&browser, &wanted).await?;
    live::take(&browser, &wanted).await
}
