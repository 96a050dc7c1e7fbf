//! A person answers instead of the agent, and hands the session back.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator, Scripts};

#[tokio::test(flavor = "multi_thread")]
async fn a_person_takes_a_session_over_writes_and_hands_it_back() -> Result<()> {
    by_hand(Look::DESK).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_without_scripts() -> Result<()> {
    by_hand(Look::PLAIN).await
}

async fn by_hand(look: Look) -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let operator = Operator::begin(&browser, &instance, look).await?;
    let customer = Customer::arrive(&browser, &instance, Look::DESK).await?;
    customer.says("What are your opening hours?").await?;
    customer.hears().await?;

    operator.reload().await?;
    operator.find("tbody th a").click(None).await?;
    operator
        .shows(1, ".bubble.reply[data-status=DELIVERED]")
        .await?;
    operator.shows(0, "textarea[name=text]").await?;
    operator.find("button[value=take_over]").click(None).await?;
    operator.shows(1, ".notice.done").await?;
    operator.shows(1, "[data-state=taken-over]").await?;

    operator
        .find("textarea[name=text]")
        .fill("This is Ana from the shop.", None)
        .await?;
    operator.find("button[value=say]").click(None).await?;
    operator.shows(2, ".bubble.reply").await?;
    customer.shows(2, ".line.them").await?;
    assert!(
        customer
            .lines()
            .await?
            .contains(&"them: This is Ana from the shop.".to_owned())
    );

    customer.says("Thank you Ana").await?;
    customer.is_heard().await?;
    if look.scripts == Scripts::Off {
        operator.reload().await?;
    }
    operator.shows(2, ".bubble.customer").await?;
    operator.find("button[value=hand_back]").click(None).await?;
    operator.shows(1, "button[value=take_over]").await?;
    customer.says("What are your opening hours?").await?;
    customer.shows(3, ".line.them").await?;

    operator.open(&instance.page("/activity")).await?;
    for deed in ["Take over", "Write to the customer", "Hand back"] {
        let entry = format!("tbody td:text-is('{deed}')");
        operator.shows(1, &entry).await?;
    }
    operator.is_quiet()
}
