//! The clients under `docs/examples`, run as they are against a server.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::house::{House, QUICK};
use crate::program::Program;

/// The oldest Node that runs TypeScript as it is.
const TYPESCRIPT: (u32, u32) = (22, 18);

fn example(path: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join("docs/examples").join(path)
}

/// Runs an example; what it says in the end.
async fn run(house: &House, program: PathBuf, path: &str) -> Value {
    let token = Program::with_scope(house, "actions").token;
    let (url, path) = (house.running.url(), example(path));
    let ran = tokio::task::spawn_blocking(move || {
        let mut command = Command::new(program);
        command.arg(path).env("REPLYGATE_URL", url);
        command.env("REPLYGATE_TOKEN", token).output().unwrap()
    });
    let ran = ran.await.unwrap();
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{told}");
    serde_json::from_slice(&ran.stdout).unwrap()
}

fn check(told: &Value) {
    assert_eq!(told["events"], 2);
    assert_eq!(told["replayed"], json!([false, false, true, true]));
    let results = told["results"].as_array().unwrap();
    assert_eq!((&results[0], &results[1]), (&results[2], &results[3]));
    assert!(
        told["notes"][0]
            .as_str()
            .is_some_and(|note| !note.is_empty())
    );
}

/// A Node that runs TypeScript: `TYPESCRIPT_NODE`, else the usual one. Without one the test fails in CI and is skipped
/// elsewhere.
#[expect(
    clippy::disallowed_methods,
    reason = "the runner of the tests says where Node is"
)]
fn node() -> Option<PathBuf> {
    let program = std::env::var_os("TYPESCRIPT_NODE").map_or_else(|| "node".into(), PathBuf::from);
    let asked = Command::new(&program)
        .arg("--version")
        .stderr(Stdio::null())
        .output();
    let version = asked.map(|output| output.stdout).unwrap_or_default();
    let version = String::from_utf8_lossy(&version).into_owned();
    let mut numbers = version.trim().trim_start_matches('v').split('.');
    let mut number = || numbers.next().and_then(|text| text.parse::<u32>().ok());
    let found = (number().unwrap_or(0), number().unwrap_or(0));
    if found >= TYPESCRIPT {
        return Some(program);
    }
    let missing = format!(
        "no Node 22.18 at {}: `{}`",
        program.display(),
        version.trim()
    );
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
    eprintln!("skipped, {missing}");
    None
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_does_no_work_twice() {
    let house = House::open(QUICK).await;
    check(&run(&house, "python3".into(), "python/agent.py").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_client_does_no_work_twice() {
    let Some(node) = node() else { return };
    let house = House::open(QUICK).await;
    check(&run(&house, node, "typescript/agent.ts").await);
}
