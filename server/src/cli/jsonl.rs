//! Files with one JSON object per line.

use std::path::Path;

use anyhow::Context as _;
use serde::de::DeserializeOwned;

/// Every object of the file; a line that cannot be read is named by its number.
pub(super) fn read<T: DeserializeOwned>(file: &Path) -> anyhow::Result<Vec<T>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let lines = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            serde_json::from_str(line).with_context(|| format!("{}:{number}", file.display()))
        })
        .collect()
}
