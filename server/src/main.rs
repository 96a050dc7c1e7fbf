//! The program `replygate`.

use std::process::ExitCode;

fn main() -> ExitCode {
    replygate::cli::run()
}
