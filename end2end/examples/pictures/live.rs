//! A house of its own with three customers at once: what cannot be seen in a day that is over.

use std::path::Path;

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator};

use crate::Wanted;

/// Windows and delays that stand still long enough for a picture.
const UNHURRIED: &str = r#"
[[channels]]
id = "demo"
kind = "webchat"
operational_delay_ms = 6000
debounce = { neutral_ms = 6000, greeting_ms = 1000, closed_ms = 1000 }
"#;

/// As high as what there is to see in the README.
const README: Look = Look {
    size: (1_200, 560),
    ..Look::DESK
};

const BURST: [&str; 3] = [
    "Hi",
    "I'd like to add a pepperoni pizza to my order",
    "And a 2L Coke too",
];

/// Plays the scene; the sessions page while a burst is collected is the README's picture.
pub async fn take(browser: &Browser, wanted: &Wanted) -> Result<()> {
    let instance = Instance::start_with(UNHURRIED).await?;
    let operator = Operator::begin(browser, &instance, README).await?;
    operator.has_texts_shown().await?;
    operator.watches().await?;

    let helped = Customer::arrive(browser, &instance, Look::DESK).await?;
    helped.says("Oi, tudo bem?").await?;
    helped.hears().await?;
    let undecided = Customer::arrive(browser, &instance, Look::PHONE).await?;
    undecided.says("Quero cancelar meu pedido").await?;
    operator.sees_reply("PENDING").await?;
    undecided
        .says("Na verdade não cancela, acabei de receber")
        .await?;
    undecided.hears().await?;

    let hungry = Customer::arrive(browser, &instance, Look::DESK).await?;
    let asking = Customer::arrive(browser, &instance, Look::DESK).await?;
    asking.says("What are your opening hours?").await?;
    operator.sees_reply("PENDING").await?;
    for text in BURST {
        hungry.says(text).await?;
    }
    operator
        .shows(
            1,
            "progress + .number:text-matches('^[234][.].* 3 messages')",
        )
        .await?;
    operator
        .picture(&wanted.folder().join("sessions.png"))
        .await?;
    hungry.hears().await?;
    for (name, look) in wanted.looks() {
        chat(browser, &instance, look, &wanted.folder(), name).await?;
    }
    Ok(())
}

async fn chat(
    browser: &Browser,
    instance: &Instance,
    look: Look,
    folder: &Path,
    name: &str,
) -> Result<()> {
    let door = browser.window(look).await?;
    door.open(&instance.page("/sign-in")).await?;
    door.picture(&folder.join(format!("sign-in-{name}.png")))
        .await?;
    let customer = Customer::arrive(browser, instance, look).await?;
    customer
        .picture(&folder.join(format!("chat-empty-{name}.png")))
        .await?;
    customer.says("Do you take cards?").await?;
    customer.says("and what are your opening hours?").await?;
    customer.hears().await?;
    customer.says("Thanks!").await?;
    customer.is_heard().await?;
    customer
        .picture(&folder.join(format!("chat-{name}.png")))
        .await
}
