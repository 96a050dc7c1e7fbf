//! The first minute: a person writes in bursts, and somebody watches.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator};

const BURST: [&str; 3] = [
    "Hi",
    "I'd like to add a pepperoni pizza to my order",
    "And a 2L Coke too",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_on_the_webchat_page_becomes_one_reply_that_the_sessions_page_shows_happening()
-> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let operator = Operator::begin(&browser, &instance, Look::DESK).await?;
    operator.watches().await?;
    assert!(operator.rows().await?.is_empty());
    let customer = Customer::arrive(&browser, &instance, Look::DESK).await?;

    for text in BURST {
        customer.says(text).await?;
    }

    operator.sees_state("collecting").await?;
    let reply = customer.hears().await?;
    assert!(
        reply.contains("pizza") && reply.contains("Coke"),
        "it answers only a part: {reply}"
    );
    operator.sees_reply("DELIVERED").await?;
    operator.sees_state("idle").await?;
    let shown = operator.ever_saw().await?;
    assert_eq!(
        shown.first().map(String::as_str),
        Some("collecting"),
        "{shown:?}"
    );
    assert_eq!(operator.rows().await?.len(), 1);
    assert!(
        operator.is_marked().await?,
        "the sessions page was loaded again"
    );
    assert_eq!(customer.ever_heard().await?, [reply]);

    operator.find("tbody th a").click(None).await?;
    operator.shows(3, ".bubble.customer").await?;
    operator.shows(1, ".bubble.reply").await?;
    operator.shows(3, ".bubble.reply .fate a").await?;
    operator.shows(1, ".live[data-live=live]").await?;
    operator.is_quiet()?;
    customer.is_quiet()
}
