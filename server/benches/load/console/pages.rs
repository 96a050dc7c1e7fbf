//! How long the first HTML of a page takes with 100,000 sessions and a million messages, as a browser sees it: over HTTP,
//! signed in, complete.

use std::time::Duration;

use anyhow::{Context as _, Result};
use replygate::simulate::{Spread, new_secret};
use replygate_ports::clock::Clock;

use super::past;
use super::sign_in::Browser;
use crate::process::{Process, data_in, folder};
use crate::{Bench, steady};

const CUSTOMERS: usize = 100_000;
const MESSAGES: usize = 1_000_000;
/// How often a page is asked for.
const TIMES: usize = 200;
/// How long one page is asked for at most: what takes two seconds is not asked for two hundred times.
const LONGEST: Duration = Duration::from_secs(12);
/// The same for a run that is only looked at.
const QUICK_TIMES: usize = 2;

/// What people open.
const PAGES: [(&str, &str); 12] = [
    ("sessions", "/sessions"),
    ("messages", "/messages"),
    ("parked", "/parked"),
    ("duplicates avoided", "/duplicates"),
    ("overview, a day", "/"),
    ("overview, seven days", "/?from=now-7d"),
    ("decisions", "/decisions"),
    ("activity", "/activity"),
    ("channels", "/channels"),
    ("health", "/health"),
    ("one session", ""),
    ("its events", "?tab=events"),
];

/// Filters, those that match little or nothing among them.
const FILTERS: [(&str, &str); 12] = [
    ("sessions, idle", "/sessions?state=idle"),
    ("sessions, stuck", "/sessions?state=stuck"),
    ("sessions, taken over: none", "/sessions?state=taken-over"),
    ("sessions, a contact", "/sessions?q=customer-31415"),
    (
        "sessions, a contact that nobody has",
        "/sessions?q=kangaroo",
    ),
    ("messages, a word that all have", "/messages?q=Monday"),
    ("messages, a word that none has", "/messages?q=kangaroo"),
    ("messages, delivered", "/messages?status=delivered"),
    ("messages, cancelled: none", "/messages?status=cancelled"),
    (
        "messages, an hour six days ago",
        "/messages?from=now-145h&to=now-144h",
    ),
    ("parked, safe to send", "/parked?view=safe"),
    ("parked, a word that none has", "/parked?q=kangaroo"),
];

/// Fills a store, starts a server on it and asks.
pub(crate) async fn run(bench: &Bench) -> Result<()> {
    let (customers, messages) = bench.pick((CUSTOMERS, MESSAGES), (500, 5_000));
    let folder = folder()?;
    let began = bench.clock.elapsed();
    past::fill(&data_in(folder.path()), customers, messages)?;
    let took = bench.clock.elapsed().saturating_sub(began).as_secs_f64();
    let channel = steady::channel("http://127.0.0.1:9/", &new_secret(), 600);
    let server = Process::on_past(bench, &channel, folder)?;
    println!(
        "{messages} messages of {customers} customers stored in {took:.0} s, {:.0} MB\n",
        server.stored_mb().await?
    );
    let browser = Browser::sign_in(&server).await?;
    let session = first_session(&browser).await?;
    println!(
        "| page | asked | status | HTML KB | first byte p50 ms | p99 ms | whole p50 ms | p99 ms | max ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (what, path) in PAGES.into_iter().chain(FILTERS) {
        let path = match path {
            of_session if !of_session.starts_with('/') => format!("{session}{of_session}"),
            whole => whole.to_owned(),
        };
        measure(bench, &browser, what, &path).await?;
    }
    println!(
        "\nserver: {:.0} MB resident, {:.1} s of processor time\n",
        server.resident_mb()?,
        server.processor()?.as_secs_f64()
    );
    server.stop().await
}

/// The address of the session on top of the list.
async fn first_session(browser: &Browser) -> Result<String> {
    let html = browser.get("/sessions").send().await?.text().await?;
    let address = html
        .split("href=\"")
        .find(|rest| rest.starts_with("/sessions/ses_"));
    let address = address.and_then(|rest| rest.split('"').next());
    Ok(address.context("the list of sessions is empty")?.to_owned())
}

async fn measure(bench: &Bench, browser: &Browser, what: &str, path: &str) -> Result<()> {
    let times = bench.pick(TIMES, QUICK_TIMES);
    let (mut first_ms, mut whole_ms) = (Vec::new(), Vec::new());
    let (mut status, mut bytes) = (0, 0);
    let began = bench.clock.elapsed();
    let since = |then: Duration| bench.clock.elapsed().saturating_sub(then);
    while whole_ms.len() < times && since(began) < LONGEST {
        let asked = bench.clock.elapsed();
        let mut answer = browser.get(path).send().await?;
        status = answer.status().as_u16();
        bytes = 0;
        while let Some(chunk) = answer.chunk().await? {
            if bytes == 0 {
                first_ms.push(since(asked).as_secs_f64() * 1_000.0);
            }
            bytes += chunk.len();
        }
        whole_ms.push(since(asked).as_secs_f64() * 1_000.0);
    }
    let asked = whole_ms.len();
    let (first, whole) = (Spread::of(first_ms), Spread::of(whole_ms));
    println!(
        "| {what} | {asked} | {status} | {:.0} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
        bytes as f64 / 1_024.0,
        first.p50,
        first.p99,
        whole.p50,
        whole.p99,
        whole.max
    );
    Ok(())
}
