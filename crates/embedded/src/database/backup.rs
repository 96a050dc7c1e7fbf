//! Consistent copies of a file in use. Must never overwrite anything, and never leave half a copy under the target's name.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::Connection;

use super::{FILE, beside};

/// No backup was written.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is something at the target already.
    #[error("{} exists; a backup never overwrites", .0.display())]
    Exists(PathBuf),
    /// There is nothing to copy.
    #[error("there is no database at {}", .0.display())]
    Missing(PathBuf),
    /// The target could not be written.
    #[error("cannot write {}", .path.display())]
    Io {
        /// What could not be written.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The copy failed.
    #[error("cannot copy {}", .file.display())]
    Sql {
        /// The database.
        file: PathBuf,
        /// Why.
        #[source]
        source: sqlx::Error,
    },
}

/// Copies the database of a data directory to `target`, whether or not another process is using it.
///
/// The copy is restored by putting it as `replygate.db` into an empty data directory.
pub async fn backup_file(data_dir: &Path, target: &Path) -> Result<(), BackupError> {
    copy(&data_dir.join(FILE), target).await
}

pub(super) async fn copy(file: &Path, target: &Path) -> Result<(), BackupError> {
    if !file.exists() {
        return Err(BackupError::Missing(file.to_owned()));
    }
    if target.symlink_metadata().is_ok() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    let partial = partial_name(target);
    let written = match vacuum_into(file, &partial).await {
        Ok(()) => publish(&partial, target),
        Err(source) => Err(BackupError::Sql {
            file: file.to_owned(),
            source,
        }),
    };
    // Gone after a success too: the target is a second name of it.
    let _ = fs::remove_file(&partial);
    written
}

async fn vacuum_into(file: &Path, partial: &Path) -> Result<(), sqlx::Error> {
    let mut connection = beside(file).await?;
    let name = partial.to_string_lossy().into_owned();
    let copied = sqlx::query("VACUUM INTO ?")
        .bind(name)
        .execute(&mut connection)
        .await;
    connection.close().await?;
    copied.map(drop)
}

/// Gives the finished copy its name, unless somebody took that meanwhile.
fn publish(partial: &Path, target: &Path) -> Result<(), BackupError> {
    let io = |source: io::Error| match source.kind() {
        io::ErrorKind::AlreadyExists => BackupError::Exists(target.to_owned()),
        _ => BackupError::Io {
            path: target.to_owned(),
            source,
        },
    };
    let file = File::open(partial).map_err(io)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))
        .map_err(io)?;
    file.sync_all().map_err(io)?;
    fs::hard_link(partial, target).map_err(io)?;
    let dir = target
        .parent()
        .filter(|dir| !dir.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(io)
}

fn partial_name(target: &Path) -> PathBuf {
    let mut name = OsString::from(target);
    name.push(format!(".partial-{}", std::process::id()));
    PathBuf::from(name)
}
