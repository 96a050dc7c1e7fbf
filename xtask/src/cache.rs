//! The folder under the user's cache where prepared tools live: shared by all checkouts.
//!
//! Whatever lies here can be deleted at any time; the next command prepares it again.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// `$XDG_CACHE_HOME/replygate`, else `~/.cache/replygate`.
pub fn folder() -> Result<PathBuf> {
    let base = match std::env::var_os("XDG_CACHE_HOME") {
        Some(set) if !set.is_empty() => PathBuf::from(set),
        _ => std::env::home_dir()
            .context("neither XDG_CACHE_HOME nor a home folder is known: set XDG_CACHE_HOME")?
            .join(".cache"),
    };
    Ok(base.join("replygate"))
}

/// Makes a folder fresh and empty.
pub fn emptied(folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)
            .with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// A file that says for what a folder was prepared; anything else in it means: prepare again.
pub struct Stamp {
    file: PathBuf,
    made_for: String,
}

impl Stamp {
    /// The stamp of `folder`, for what `made_for` describes.
    pub fn of(folder: &Path, made_for: String) -> Self {
        Self {
            file: folder.join("made-for"),
            made_for,
        }
    }

    /// Whether the folder was prepared for exactly this.
    pub fn holds(&self) -> bool {
        std::fs::read_to_string(&self.file).is_ok_and(|text| text == self.made_for)
    }

    /// Says that the folder is ready; the last thing that a preparation does.
    pub fn set(&self) -> Result<()> {
        std::fs::write(&self.file, &self.made_for)
            .with_context(|| format!("cannot write {}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_holds_only_for_what_it_was_set_for() {
        let folder = tempfile::tempdir().unwrap();
        let stamp = Stamp::of(folder.path(), "tool 1".to_owned());
        assert!(!stamp.holds());
        stamp.set().unwrap();
        assert!(stamp.holds());
        assert!(!Stamp::of(folder.path(), "tool 2".to_owned()).holds());
    }
}
