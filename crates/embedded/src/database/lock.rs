//! The data directory belongs to one process. The lock ends with the process, however that ends.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::path::Path;

use super::OpenError;

const LOCK: &str = "replygate.lock";

/// Holds the data directory while it lives.
pub(crate) struct DataLock {
    _file: File,
}

impl DataLock {
    pub fn take(dir: &Path) -> Result<Self, OpenError> {
        let io = |source| OpenError::Io {
            path: dir.to_owned(),
            source,
        };
        private_dir().create(dir).map_err(io)?;
        let path = dir.join(LOCK);
        let io = |source| OpenError::Io {
            path: path.clone(),
            source,
        };
        let file = private_file().open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(OpenError::InUse {
                dir: dir.to_owned(),
            }),
            Err(TryLockError::Error(source)) => Err(io(source)),
        }
    }
}

/// Makes the file for the owner's eyes only; what SQLite puts beside it gets the same mode.
pub(super) fn make_private(file: &Path) -> Result<(), OpenError> {
    private_file()
        .open(file)
        .map(drop)
        .map_err(|source| OpenError::Io {
            path: file.to_owned(),
            source,
        })
}

fn private_dir() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
