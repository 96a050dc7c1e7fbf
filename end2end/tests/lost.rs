//! What a person sees when the server, or their sign-in, goes away while they look.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator};

#[tokio::test(flavor = "multi_thread")]
async fn a_page_says_that_it_is_cut_off_and_catches_up_by_itself() -> Result<()> {
    let (mut instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let operator = Operator::begin(&browser, &instance, Look::DESK).await?;
    operator.watches().await?;
    let before = Customer::arrive(&browser, &instance, Look::DESK).await?;
    before.says("What are your opening hours?").await?;
    operator.sees_reply("DELIVERED").await?;

    instance.dies().await?;
    operator.shows(1, ".live[data-live=broken]").await?;
    operator.sees_reply("DELIVERED").await?;

    instance.comes_back().await?;
    operator.shows(1, ".live[data-live=live]").await?;
    let after = Customer::arrive(&browser, &instance, Look::DESK).await?;
    after.says("Do you take cards?").await?;
    after.hears().await?;
    operator.shows(1, ".waiting:not([hidden])").await?;
    operator.find(".waiting button").click(None).await?;
    operator.shows(2, "tbody tr").await?;
    assert!(operator.is_marked().await?, "the page was loaded again");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_is_over_leads_to_the_door_and_back_to_the_page() -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let left = Operator::begin(&browser, &instance, Look::DESK).await?;
    left.open(&instance.page("/messages?status=PARKED")).await?;
    let elsewhere = Operator::sign_in(&browser, &instance, Look::PLAIN).await?;
    elsewhere.changes_password(&instance).await?;

    left.reload().await?;
    let door = instance.page("/sign-in?next=%2Fmessages%3Fstatus%3DPARKED");
    left.arrives_at(&door).await?;
    left.find("input[name=name]").fill("admin", None).await?;
    left.find("input[name=password]")
        .fill("another horse battery staple", None)
        .await?;
    left.find("button.primary").click(None).await?;
    left.arrives_at(&instance.page("/messages?status=PARKED"))
        .await
}
