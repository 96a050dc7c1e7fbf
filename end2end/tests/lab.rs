//! A window is tried out, replayed, saved, in force for the next message, and rolled back.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator, Scripts};

/// A text without a sign at its end: it waits for the neutral window.
const NEUTRAL: &str = "a pepperoni pizza please";

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_tried_replayed_saved_in_force_and_rolled_back() -> Result<()> {
    tuned(Look::DESK).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_without_scripts() -> Result<()> {
    tuned(Look::PLAIN).await
}

async fn tuned(look: Look) -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let operator = Operator::begin(&browser, &instance, look).await?;
    let first = Customer::arrive(&browser, &instance, Look::DESK).await?;
    first.says(NEUTRAL).await?;
    first.hears().await?;

    let lab = instance.page("/channels/demo/debounce");
    operator.open(&lab).await?;
    writes(&operator).await?;
    if look.scripts == Scripts::Off {
        operator
            .find(".lab button:text-is('Play')")
            .click(None)
            .await?;
    }
    operator.shows(1, &summary()).await?;

    operator
        .find("button[name=replay][value='24h']")
        .click(None)
        .await?;
    operator.shows(1, ".state[data-change=later]").await?;
    operator
        .shows(1, ".lab :text('1 message was replayed.')")
        .await?;

    operator
        .find("input[name=reason]")
        .fill("they pause for long", None)
        .await?;
    operator
        .find(".lab button:text-is('Save and use')")
        .click(None)
        .await?;
    operator.arrives_at(&format!("{lab}?saved=2")).await?;
    operator
        .shows(
            1,
            ".notice.done:has-text('Version 2 is in force from the next message on.')",
        )
        .await?;

    let second = Customer::arrive(&browser, &instance, Look::DESK).await?;
    second.says(NEUTRAL).await?;
    second.is_heard().await?;
    operator
        .open(&instance.page("/sessions?state=collecting"))
        .await?;
    // The longest wait from the first message is 15 s, however long a window is.
    operator
        .shows(1, "td:has-text('of 15.0 s, 1 message, neutral')")
        .await?;

    operator.open(&lab).await?;
    operator.find("button[value=roll_back]").click(None).await?;
    operator
        .arrives_at(&instance.page("/channels/demo?saved=3"))
        .await?;
    operator
        .shows(1, "#versions ~ .panel ins:text-is('2500')")
        .await?;
    let third = Customer::arrive(&browser, &instance, Look::DESK).await?;
    third.says(NEUTRAL).await?;
    third.hears().await?;
    operator.is_quiet()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_before_the_scripts_are_there_is_kept_and_played() -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let operator = Operator::begin(&browser, &instance, Look::DESK).await?;

    let scripts = operator.hold_browser_half().await?;
    let lab = instance.page("/channels/demo/debounce");
    operator.open(&lab).await?;
    writes(&operator).await?;
    operator.shows(0, &summary()).await?;
    drop(scripts);

    operator.shows(1, &summary()).await?;
    let script = operator.find("textarea[name=script]");
    assert_eq!(script.input_value(None).await?, SCRIPT);
    operator.find(".presets a").first().click(None).await?;
    operator.shows(0, &summary()).await?;
    assert_ne!(script.input_value(None).await?, SCRIPT);
    operator.is_quiet()
}

/// Two messages that only a long window answers together.
const SCRIPT: &str = "0s a pizza\n9s a coke";

/// Writes a burst and a window into the lab.
async fn writes(operator: &Operator) -> Result<()> {
    let script = operator.find("textarea[name=script]");
    script.fill(SCRIPT, None).await?;
    let window = operator.find("input[name='debounce.neutral_ms']");
    Ok(window.fill("30000", None).await?)
}

/// What they would do.
fn summary() -> String {
    let told = "In force: 2 turns. Proposed: 1 turn. Fixed 3 s: 2 turns.";
    format!(".summary:text-is('{told}')")
}
