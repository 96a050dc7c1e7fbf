//! The page on which a person plays the customer.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look};
use serde_json::Value;

/// Sends one message twice, as a page does that never heard whether the first time arrived.
const TWICE: &str = r#"async () => {
    const send = async () => {
        const body = JSON.stringify({ id: "the-same", text: "Do you take cards?" });
        const headers = { "content-type": "application/json" };
        const answer = await fetch("/chat/demo/messages", { method: "POST", headers, body });
        return { status: answer.status, ...(await answer.json()) };
    };
    return [await send(), await send()];
}"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_still_there_after_a_reload() -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let customer = Customer::arrive(&browser, &instance, Look::DESK).await?;
    customer.says("What are your opening hours?").await?;
    let reply = customer.hears().await?;
    customer.is_heard().await?;
    let before = customer.lines().await?;
    assert_eq!(
        before,
        [
            "you: What are your opening hours?",
            &format!("them: {reply}")
        ]
    );

    customer.reload().await?;

    assert_eq!(customer.lines().await?, before);
    let stranger = Customer::arrive(&browser, &instance, Look::DESK).await?;
    assert!(
        stranger.lines().await?.is_empty(),
        "one visitor sees another's conversation"
    );
    customer.is_quiet()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_sent_again_with_the_same_id_is_one_message() -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let customer = Customer::arrive(&browser, &instance, Look::DESK).await?;

    let answers: [Value; 2] = customer.ask(TWICE).await?;

    assert_eq!(
        (&answers[0]["status"], &answers[0]["duplicate"]),
        (&202.into(), &false.into())
    );
    assert_eq!(
        (&answers[1]["status"], &answers[1]["duplicate"]),
        (&202.into(), &true.into())
    );
    assert_eq!(answers[0]["message"], answers[1]["message"]);
    let reply = customer.hears().await?;
    customer.reload().await?;
    let lines = customer.lines().await?;
    assert_eq!(
        lines,
        ["you: Do you take cards?", &format!("them: {reply}")]
    );
    customer.is_quiet()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_fits_a_narrow_phone() -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let customer = Customer::arrive(&browser, &instance, Look::PHONE).await?;
    customer.fits().await?;

    customer
        .says(&format!("My order is {}", "0123456789".repeat(12)))
        .await?;
    customer.hears().await?;

    customer.fits().await?;
    customer.is_quiet()
}
