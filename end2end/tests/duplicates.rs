//! An agent makes the same call twice: the second one is held back, seen, judged, and runs once by leave.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator};

const CONFIRMS: &str = "Confirmo las horas de psicología.";
const ASKS: &str = "Agéndame las horas en mi calendario.";
/// What the agent says when something was booked, and when nothing had to be.
const BOOKED: &str = ".line.them:has-text('Listo')";
const BOOKED_BEFORE: &str = ".line.them:has-text('no las agregué otra vez')";

#[tokio::test(flavor = "multi_thread")]
async fn a_call_made_twice_is_seen_judged_and_allowed_once() -> Result<()> {
    judged(Look::DESK).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_without_scripts() -> Result<()> {
    judged(Look::PLAIN).await
}

/// One operator watches the list, another one with this look judges.
async fn judged(look: Look) -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let watcher = Operator::begin(&browser, &instance, Look::DESK).await?;
    let list = instance.page("/duplicates");
    watcher.open(&list).await?;
    watcher.shows(1, ".panel .empty").await?;
    watcher.watches().await?;

    let customer = Customer::arrive(&browser, &instance, Look::DESK).await?;
    customer.says(CONFIRMS).await?;
    customer.shows(1, BOOKED).await?;
    customer.says(ASKS).await?;
    customer.shows(1, BOOKED_BEFORE).await?;
    // The agent books two hours, so two calls are held back. The first one fills the empty list.
    watcher.shows(1, "tbody tr:first-child th a").await?;
    watcher.shows(0, ".panel .empty").await?;

    watcher.open(&list).await?;
    watcher.shows(2, "tbody tr").await?;
    watcher.watches().await?;
    customer.says(ASKS).await?;
    customer.shows(2, BOOKED_BEFORE).await?;
    watcher
        .shows(1, ".waiting:not([hidden]):has-text('2 more came')")
        .await?;
    watcher.shows(2, "tbody tr").await?;
    watcher.find(".waiting button").click(None).await?;
    watcher.shows(4, "tbody tr").await?;

    let judge = Operator::sign_in(&browser, &instance, look).await?;
    judge
        .open(&instance.page("/duplicates?verdict=none"))
        .await?;
    judge.find("tbody tr:first-child th a").click(None).await?;
    judge
        .shows(1, "tr[data-differs]:has-text('end_datetime')")
        .await?;
    judge
        .find("form:has(button[name=opinion]) input[name=reason]")
        .fill("a second hour, for her mother", None)
        .await?;
    judge
        .find("button[value=should_have_run]")
        .click(None)
        .await?;
    judge.shows(1, ".notice.done").await?;
    judge
        .shows(1, ".state[data-opinion=should_have_run]")
        .await?;
    // The row on the other screen changes where it is.
    watcher
        .shows(1, "tbody .state[data-opinion=should_have_run]")
        .await?;
    assert!(watcher.is_marked().await?);

    judge
        .find("form:has(button[value=allow_once]) input[name=reason]")
        .fill("she asked for it", None)
        .await?;
    judge.find("button[value=allow_once]").click(None).await?;
    judge.shows(1, ".notice.done:has-text('once more')").await?;
    customer.says(ASKS).await?;
    customer.shows(2, BOOKED).await?;
    // The other hour was held back once more, and nothing else was.
    watcher
        .shows(1, ".waiting:not([hidden]):has-text('1 more came')")
        .await?;
    watcher.is_quiet()?;
    judge.is_quiet()
}
