//! How long what the console reads takes with a million messages, and how many statements it is.

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use futures::future::BoxFuture;
use replygate::simulate::Spread;
use replygate_embedded::Database;
use replygate_gate::{At, MessageId, ReplyStatus, SessionId};
use replygate_ports::clock::Clock;
use replygate_ports::store::StoreError;
use replygate_ports::views::{Line, MessageQuery, ReplyQuery, SessionQuery, Views};
use tempfile::TempDir;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::Bench;
use crate::seeded::{self, CHANNEL, EACH_MS, EPOCH, Past, key};

/// Messages stored, each with its reply.
const MESSAGES: usize = 1_000_000;
/// Customers who wrote them.
const CUSTOMERS: usize = 50_000;
/// Of so many messages one is of the first customer, whose conversation is long.
const REGULAR: usize = seeded::AT_ONCE;
/// Rows of a page.
const PAGE: u32 = 50;
/// How often each is asked for.
const TIMES: usize = 20;

static STATEMENTS: AtomicUsize = AtomicUsize::new(0);

/// Counts what the database driver says it ran.
struct Count;

impl<S: tracing::Subscriber> Layer<S> for Count {
    fn on_event(&self, _event: &tracing::Event<'_>, _context: Context<'_, S>) {
        STATEMENTS.fetch_add(1, Ordering::Relaxed);
    }
}

/// Stores the past and measures.
pub(crate) async fn run(bench: &Bench) -> Result<()> {
    let driver = Targets::new().with_target("sqlx::query", tracing::Level::DEBUG);
    tracing_subscriber::registry()
        .with(Count.with_filter(driver))
        .init();
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR"))?;
    let database = Database::open(folder.path()).await?;
    let began = bench.clock.elapsed();
    let (customers, messages) = bench.pick((CUSTOMERS, MESSAGES), (1_000, 10_000));
    let past = Past {
        customers,
        exchanges: messages,
        began: EPOCH,
        parked_of: None,
    };
    seeded::store(&database, &past, |number| who(number, customers)).await?;
    let took = bench.clock.elapsed().saturating_sub(began).as_secs_f64();
    println!("{messages} messages of {customers} customers stored in {took:.0} s\n");
    println!("| what | rows | statements | p50 ms | max ms |");
    println!("|---|---|---|---|---|");
    for view in views() {
        measure(bench, &database, view).await?;
    }
    println!();
    database.close().await;
    Ok(())
}

fn who(number: usize, customers: usize) -> usize {
    if number.is_multiple_of(REGULAR) {
        0
    } else {
        number % customers
    }
}

type Asked<'a> = BoxFuture<'a, Result<usize, StoreError>>;

/// What is asked, and how; the answer is the number of rows.
type View = (&'static str, fn(&Database) -> Asked<'_>);

fn views() -> Vec<View> {
    vec![
        ("sessions, newest", |store| {
            sessions(store, SessionQuery::default())
        }),
        ("sessions, from the middle on", |store| {
            let after = Some((last_hours(), SessionId(0)));
            sessions(
                store,
                SessionQuery {
                    after,
                    ..SessionQuery::default()
                },
            )
        }),
        (
            "sessions with open work, of which there are none",
            |store| {
                let open_only = true;
                sessions(
                    store,
                    SessionQuery {
                        open_only,
                        ..SessionQuery::default()
                    },
                )
            },
        ),
        ("sessions of a contact, searched for", |store| {
            let contact = Some("CUSTOMER-31415".to_owned());
            sessions(
                store,
                SessionQuery {
                    contact,
                    ..SessionQuery::default()
                },
            )
        }),
        ("messages, newest", |store| {
            messages(store, MessageQuery::default())
        }),
        ("messages, from the middle on", |store| {
            let after = Some((middle(), MessageId(0)));
            messages(
                store,
                MessageQuery {
                    after,
                    ..MessageQuery::default()
                },
            )
        }),
        ("messages with a word that all have", |store| {
            search(store, "NOBODY CALLED")
        }),
        ("messages with a word that one of the oldest has", |store| {
            search(store, "order 271?")
        }),
        ("messages with a word that none has", |store| {
            search(store, "kangaroo")
        }),
        ("a conversation of 2,000 messages, newest", |store| {
            Box::pin(async {
                let session = key(0).session();
                Ok(store.conversation(session, None, PAGE).await?.len())
            })
        }),
        ("the same, from the middle on", |store| {
            Box::pin(async {
                let session = key(0).session();
                let lines: Vec<Line> = store
                    .conversation(session, Some((middle(), 0)), PAGE)
                    .await?;
                Ok(lines.len())
            })
        }),
        ("its timeline", |store| {
            Box::pin(async { Ok(store.timeline(key(0).session(), None, PAGE).await?.len()) })
        }),
        ("50 sessions by id", |store| {
            Box::pin(async {
                let ids: Vec<SessionId> = (0..PAGE as usize)
                    .map(|number| key(number * 997).session())
                    .collect();
                Ok(store.session_summaries(&ids).await?.len())
            })
        }),
        ("parked replies, of which there are none", |store| {
            replies(store, vec![ReplyStatus::Parked])
        }),
        ("replies in any status", |store| replies(store, Vec::new())),
        (
            "a channel's figures and the counts of open replies",
            |store| {
                Box::pin(async {
                    store.channel_figures(CHANNEL).await?;
                    Ok(store.open_counts().await?.len())
                })
            },
        ),
    ]
}

/// Half of the customers wrote before it for the last time.
fn last_hours() -> At {
    EPOCH.plus((MESSAGES - CUSTOMERS / 2) as u64 * EACH_MS)
}

fn middle() -> At {
    EPOCH.plus(MESSAGES as u64 / 2 * EACH_MS)
}

fn sessions(store: &Database, query: SessionQuery) -> Asked<'_> {
    Box::pin(async move {
        let query = SessionQuery {
            limit: PAGE,
            ..query
        };
        Ok(store.sessions(&query).await?.len())
    })
}

fn messages(store: &Database, query: MessageQuery) -> Asked<'_> {
    Box::pin(async move {
        let query = MessageQuery {
            limit: PAGE,
            ..query
        };
        Ok(store.messages(&query).await?.len())
    })
}

fn search<'a>(store: &'a Database, text: &str) -> Asked<'a> {
    let query = MessageQuery {
        text: Some(text.to_owned()),
        ..MessageQuery::default()
    };
    messages(store, query)
}

fn replies(store: &Database, statuses: Vec<ReplyStatus>) -> Asked<'_> {
    Box::pin(async move {
        let query = ReplyQuery {
            statuses,
            limit: PAGE,
            ..ReplyQuery::default()
        };
        Ok(store.reply_list(&query).await?.len())
    })
}

async fn measure(bench: &Bench, store: &Database, (what, ask): View) -> Result<()> {
    let times = bench.pick(TIMES, 1);
    let mut took_ms = Vec::with_capacity(times);
    let mut rows = 0;
    let before = STATEMENTS.load(Ordering::Relaxed);
    for _ in 0..times {
        let began = bench.clock.elapsed();
        rows = ask(store).await?;
        let took = bench.clock.elapsed().saturating_sub(began);
        took_ms.push(took.as_secs_f64() * 1_000.0);
    }
    let statements = (STATEMENTS.load(Ordering::Relaxed) - before) / times;
    let spread = Spread::of(took_ms);
    println!(
        "| {what} | {rows} | {statements} | {:.1} | {:.1} |",
        spread.p50, spread.max
    );
    Ok(())
}
