//! Takes the pictures of the README and of every page: light, dark and on a phone.
//!
//! `cargo run -p replygate-end2end --example pictures -- FOLDER`, with the variables that `cargo xtask browser` prints,
//! and `REPLYGATE_BIN` and `REPLYGATE_SITE`.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use replygate_end2end::{Browser, Customer, Instance, Look, Operator, Scheme};

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

const LOOKS: [(&str, Look); 3] = [
    ("light", Look::DESK),
    (
        "dark",
        Look {
            scheme: Scheme::Dark,
            ..Look::DESK
        },
    ),
    ("phone", Look::PHONE),
];

#[tokio::main]
async fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.context("which folder shall the pictures go to?")?;
    std::fs::create_dir_all(&folder)?;
    let instance = Instance::start_with(UNHURRIED).await?;
    let browser = Browser::launch().await?;
    let operator = Operator::begin(&browser, &instance, README).await?;
    operator.picture(&folder.join("empty.png")).await?;
    operator.watches().await?;

    let helped = Customer::arrive(&browser, &instance, Look::DESK).await?;
    helped.says("Oi, tudo bem?").await?;
    helped.hears().await?;
    let undecided = Customer::arrive(&browser, &instance, Look::PHONE).await?;
    undecided.says("Quero cancelar meu pedido").await?;
    operator.sees_reply("PENDING").await?;
    undecided
        .says("Na verdade não cancela, acabei de receber")
        .await?;
    undecided.hears().await?;

    let hungry = Customer::arrive(&browser, &instance, Look::DESK).await?;
    let asking = Customer::arrive(&browser, &instance, Look::DESK).await?;
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
    operator.picture(&folder.join("sessions.png")).await?;
    undecided
        .picture(&folder.join("chat-phone-light.png"))
        .await?;

    hungry.hears().await?;
    for (name, look) in LOOKS {
        pages(&browser, &instance, look, &folder, name).await?;
    }
    Ok(())
}

async fn pages(
    browser: &Browser,
    instance: &Instance,
    look: Look,
    folder: &Path,
    name: &str,
) -> Result<()> {
    let file = |page: &str| folder.join(format!("{page}-{name}.png"));
    let door = browser.window(look).await?;
    door.open(&instance.page("/sign-in")).await?;
    door.picture(&file("sign-in")).await?;
    let operator = Operator::sign_in(browser, instance, look).await?;
    operator.watches().await?;
    operator.fits().await?;
    operator.picture(&file("sessions")).await?;
    operator
        .find("tr:has-text('Na verdade') th a")
        .click(None)
        .await?;
    operator.shows(2, ".bubble.reply").await?;
    operator.fits().await?;
    operator.picture(&file("session")).await?;

    let customer = Customer::arrive(browser, instance, look).await?;
    customer.picture(&file("chat-empty")).await?;
    customer.says("Do you take cards?").await?;
    customer.says("and what are your opening hours?").await?;
    customer.hears().await?;
    customer.says("Thanks!").await?;
    customer.is_heard().await?;
    customer.picture(&file("chat")).await
}
