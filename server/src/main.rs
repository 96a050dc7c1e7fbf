//! The program `replygate`.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Gives memory back after a burst, which the system's allocator keeps; see `docs/performance.md`.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    replygate::cli::run()
}
