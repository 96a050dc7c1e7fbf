//! Everything is complete HTML first.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator};

#[tokio::test(flavor = "multi_thread")]
async fn without_scripts_a_person_can_write_and_the_sessions_page_shows_the_same_rows() -> Result<()>
{
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let live = Operator::begin(&browser, &instance, Look::DESK).await?;
    live.watches().await?;
    let customer = Customer::arrive(&browser, &instance, Look::PLAIN).await?;

    customer.says("What are your opening hours?").await?;
    live.sees_reply("DELIVERED").await?;
    live.sees_state("idle").await?;

    customer.reload().await?;
    let lines = customer.lines().await?;
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "you: What are your opening hours?");

    let plain = Operator::sign_in(&browser, &instance, Look::PLAIN).await?;
    let rows = plain.rows().await?;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows, live.rows().await?);
    plain.shows(1, ".live[data-live=still]").await?;

    plain.find("tbody th a").click(None).await?;
    plain.shows(2, ".bubble").await?;
    plain.is_quiet()?;
    live.is_quiet()
}
