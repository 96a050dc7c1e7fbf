//! What is wrong with a configuration. Must never repeat a secret.

use std::fmt;
use std::path::Path;

use replygate_ports::settings::SettingError;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This line of the file, from 1.
    Line(usize),
    /// This environment variable.
    Variable(String),
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    origin: Option<Origin>,
    message: String,
}

impl Problem {
    pub(super) fn new(origin: Option<Origin>, message: impl Into<String>) -> Self {
        Self {
            origin,
            message: message.into(),
        }
    }

    pub(super) fn setting(origin: Option<Origin>, error: &SettingError) -> Self {
        Self::new(origin, error.to_string())
    }

    pub(super) fn unreadable(file: &Path, error: &std::io::Error) -> Self {
        Self::new(None, format!("{} cannot be read: {error}", file.display()))
    }
}

/// Everything that is wrong, one per line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problems {
    file: Option<String>,
    all: Vec<Problem>,
}

impl Problems {
    pub(super) fn new(file: Option<&Path>, all: Vec<Problem>) -> Self {
        Self {
            file: file.map(|file| file.display().to_string()),
            all,
        }
    }

    pub(super) fn one(problem: Problem) -> Self {
        Self::new(None, vec![problem])
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.as_deref().unwrap_or("configuration");
        for (place, problem) in self.all.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            match &problem.origin {
                Some(Origin::Line(line)) => write!(f, "{file}:{line}: ")?,
                Some(Origin::Variable(name)) => write!(f, "{name}: ")?,
                None => {}
            }
            f.write_str(&problem.message)?;
        }
        Ok(())
    }
}
