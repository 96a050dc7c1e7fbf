//! A reply that newer messages made wrong is never seen by the person it was for.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator};

/// A delay that leaves time to write again however busy the machine is, and short windows to make up for it.
const UNHURRIED: &str = r#"
[[channels]]
id = "demo"
kind = "webchat"
operational_delay_ms = 8000
debounce = { closed_ms = 300, neutral_ms = 300, greeting_ms = 300, dangling_ms = 300 }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_cancellation_that_is_taken_back_in_time_is_answered_once() -> Result<()> {
    let instance = Instance::start_with(UNHURRIED).await?;
    let browser = Browser::launch().await?;
    let operator = Operator::begin(&browser, &instance, Look::DESK).await?;
    operator.watches().await?;
    let customer = Customer::arrive(&browser, &instance, Look::DESK).await?;

    customer.says("Quero cancelar meu pedido").await?;
    operator.sees_reply("PENDING").await?;
    customer
        .says("Na verdade não cancela, acabei de receber")
        .await?;

    let reply = customer.hears().await?;
    operator.sees_state("idle").await?;
    assert!(
        !reply.contains("Posso encaminhar"),
        "the first reply came through: {reply}"
    );
    assert_eq!(customer.ever_heard().await?, [reply]);

    operator.find("tbody th a").click(None).await?;
    operator
        .shows(1, ".bubble.reply[data-status=CANCELLED]")
        .await?;
    operator
        .shows(1, ".bubble.reply[data-status=DELIVERED]")
        .await?;
    operator.shows(2, ".bubble.reply").await?;
    operator.is_quiet()?;
    customer.is_quiet()
}
