//! Rules about the text of the sources that no compiler checks.
//!
//! Each finding names the file, the line and the rule; a rule that cannot be told in one line does
//! not belong here.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

/// These rooms get time and chance from the caller or through a port, in tests as well.
const TIMELESS: [&str; 3] = ["crates/gate/src", "crates/ports/src", "crates/engine/src"];

const CLOCKS_AND_CHANCE: [&str; 8] = [
    "SystemTime::now",
    "Instant::now",
    "tokio::time",
    "thread_rng",
    "rand::rng(",
    "rand::random",
    "Uuid::new_v4",
    "Uuid::now_v7",
];

/// Work left for later belongs into an issue, not into a comment.
const LEFT_FOR_LATER: [&str; 2] = ["TODO", "FIXME"];

/// Made by tools, or nobody's source.
const SKIPPED: [&str; 6] = [".git", ".cache", "target", "node_modules", "dist", "data"];

/// Fails with one line for each finding.
pub fn check(root: &Path) -> Result<()> {
    let mut files = Vec::new();
    collect(root, &mut files)?;
    let mut findings = Vec::new();
    for file in &files {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let shown = file.strip_prefix(root).unwrap_or(file);
        findings.extend(findings_in(root, shown, &text));
    }
    if findings.is_empty() {
        println!("{} files, nothing found", files.len());
        return Ok(());
    }
    bail!(
        "rules about the sources are broken:\n  {}",
        findings.join("\n  ")
    );
}

/// All Rust and Markdown files.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            if !SKIPPED.iter().any(|skipped| name == *skipped) {
                collect(&path, files)?;
            }
        } else if path
            .extension()
            .is_some_and(|end| end == "rs" || end == "md")
        {
            files.push(path);
        }
    }
    Ok(())
}

fn findings_in(root: &Path, file: &Path, text: &str) -> Vec<String> {
    let is_markdown = file.extension().is_some_and(|end| end == "md");
    let timeless = TIMELESS.iter().any(|room| file.starts_with(room));
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut report = |rule: String| {
            findings.push(format!("{}:{}: {rule}", file.display(), index + 1));
        };
        if is_markdown {
            broken_links(root, file, line).for_each(&mut report);
            continue;
        }
        if let Some(comment) = comment_of(line) {
            left_for_later(comment).for_each(&mut report);
        } else if timeless {
            own_clocks(line).for_each(&mut report);
        }
    }
    findings
}

fn comment_of(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("//")
}

fn own_clocks(line: &str) -> impl Iterator<Item = String> {
    CLOCKS_AND_CHANCE
        .iter()
        .filter(move |source| line.contains(*source))
        .map(|source| format!("`{source}`: time and chance come through the ports here"))
}

fn left_for_later(comment: &str) -> impl Iterator<Item = String> {
    LEFT_FOR_LATER
        .iter()
        .filter(move |mark| {
            comment
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == **mark)
        })
        .map(|mark| format!("{mark}: finish it, or say it in an issue"))
}

/// Links to files of this repository that are not there.
fn broken_links(root: &Path, file: &Path, line: &str) -> impl Iterator<Item = String> {
    let folder = root.join(file.parent().unwrap_or(Path::new("")));
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(link, _)| link))
        .map(|link| link.split('#').next().unwrap_or(link))
        .filter(|path| !path.is_empty() && !path.contains(':') && !path.starts_with('/'))
        .filter(move |path| !folder.join(path).exists())
        .map(|path| format!("the link {path} leads nowhere"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &str, text: &str) -> Vec<String> {
        findings_in(Path::new("/nowhere"), Path::new(file), text)
    }

    #[test]
    fn a_clock_inside_the_timeless_rooms_is_found_with_its_line() {
        let text = "fn f() {\n    let now = std::time::Instant::now();\n}\n";
        assert_eq!(
            found("crates/engine/src/intake.rs", text),
            [
                "crates/engine/src/intake.rs:2: `Instant::now`: time and chance come through the ports here"
            ]
        );
        assert!(found("crates/embedded/src/clock.rs", text).is_empty());
    }

    #[test]
    fn a_comment_may_name_a_clock() {
        assert!(found("crates/gate/src/lib.rs", "// never SystemTime::now here\n").is_empty());
    }

    #[test]
    fn work_left_for_later_is_found_in_comments_and_not_in_texts() {
        assert_eq!(found("app/src/lib.rs", "    // TODO: later\n").len(), 1);
        assert!(found("app/src/lib.rs", "let all = \"TODO bien\";\n").is_empty());
    }

    #[test]
    fn a_link_to_a_missing_file_is_found_and_others_are_not() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("docs")).unwrap();
        fs::write(root.path().join("docs/here.md"), "").unwrap();
        let text = "[a](here.md#part) [b](gone.md) [c](https://example.org) [d](#part)\n";
        assert_eq!(
            findings_in(root.path(), Path::new("docs/index.md"), text),
            ["docs/index.md:1: the link gone.md leads nowhere"]
        );
    }
}
