//! The console in a pocket.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator};

#[tokio::test(flavor = "multi_thread")]
async fn the_console_fits_a_narrow_phone() -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let operator = Operator::begin(&browser, &instance, Look::PHONE).await?;
    operator.watches().await?;
    operator.fits().await?;

    let customer = Customer::arrive(&browser, &instance, Look::DESK).await?;
    customer.says("What are your opening hours?").await?;
    operator.sees_reply("DELIVERED").await?;
    operator.fits().await?;

    operator.find("tbody th a").click(None).await?;
    operator.shows(2, ".bubble").await?;
    operator.fits().await?;
    operator.is_quiet()
}
