//! Starting other programs: with a plain error when one is missing or fails.
//!
//! Must never hide a program's own output.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// A `cargo` of the toolchain that compiled this program, started in `root`.
pub fn cargo(root: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    cargo_at(Path::new(&program), root)
}

/// This very `cargo`, started in `root`.
pub fn cargo_at(program: &Path, root: &Path) -> Command {
    let mut cargo = Command::new(program);
    cargo.current_dir(root);
    forget_outer_cargo(&mut cargo);
    cargo
}

/// Takes away what `cargo run` set for this program: build scripts that watch these names would
/// run again each time a person changes between `cargo xtask` and plain `cargo`.
fn forget_outer_cargo(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
}

/// Runs a command with its output on our own terminal.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !status.success() {
        bail!("`{}` failed: {status}", shown(command));
    }
    Ok(())
}

/// Runs a command and returns what it wrote to standard output, trimmed.
pub fn read(command: &mut Command) -> Result<String> {
    let output = command
        .output()
        .with_context(|| format!("cannot start `{}`", shown(command)))?;
    if !output.status.success() {
        bail!(
            "`{}` failed: {}\n{}",
            shown(command),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The first of these programs that lies on the `PATH`.
pub fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    names.iter().find_map(|name| {
        std::env::split_paths(&path)
            .map(|folder| folder.join(name))
            .find(|candidate| candidate.is_file())
    })
}

fn shown(command: &Command) -> String {
    let mut line = Path::new(command.get_program())
        .file_name()
        .unwrap_or(OsStr::new("?"))
        .to_string_lossy()
        .into_owned();
    for argument in command.get_args() {
        // Writing to a string cannot fail.
        let _ = write!(line, " {}", argument.to_string_lossy());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_is_named_with_its_arguments() {
        let error = run(Command::new("false").arg("--now")).unwrap_err();
        assert!(error.to_string().starts_with("`false --now` failed"));
    }

    #[test]
    fn a_missing_program_is_an_error_not_a_success() {
        let error = read(&mut Command::new("no-such-program-here")).unwrap_err();
        assert_eq!(error.to_string(), "cannot start `no-such-program-here`");
    }

    #[test]
    fn the_first_program_that_exists_is_found() {
        let found = find(&["no-such-program-here", "sh"]).unwrap();
        assert!(found.ends_with("sh"));
    }
}
