//! Every page of the console for everybody: by the rules of accessible pages, by keyboard alone, enlarged, and on a phone.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator, Scheme};

/// A delay that leaves time to write again however busy the machine is, and short windows to make up for it.
const UNHURRIED: &str = r#"
[[channels]]
id = "demo"
kind = "webchat"
operational_delay_ms = 8000
debounce = { closed_ms = 300, neutral_ms = 300, greeting_ms = 300, dangling_ms = 300 }

[[tools]]
name = "calendar.create_event"
effect = "write"
host = "calendar.create_event"
"#;

/// The pages that can be named without an id.
const PAGES: [&str; 17] = [
    "/",
    "/sessions",
    "/messages",
    "/parked",
    "/operations",
    "/decisions",
    "/duplicates",
    "/activity",
    "/health",
    "/settings/me",
    "/settings/team",
    "/views",
    "/reveal?of=messages",
    "/nowhere",
    "/sessions?state=stuck",
    "/messages?status=wrong",
    "/duplicates?verdict=wrong",
];

/// The lists whose first row leads to a page.
const LISTS: [&str; 4] = ["/sessions", "/messages", "/decisions", "/duplicates"];

const DARK: Look = Look {
    scheme: Scheme::Dark,
    ..Look::DESK
};

/// A desk whose reader has doubled the size of everything.
const ENLARGED: Look = Look {
    size: (600, 400),
    ..Look::DESK
};

/// An installation where something was decided and a tool call held back, and its operator.
async fn house(browser: &Browser) -> Result<Instance> {
    let instance = Instance::start_with(UNHURRIED).await?;
    let operator = Operator::begin(browser, &instance, Look::DESK).await?;
    operator.watches().await?;
    let customer = Customer::arrive(browser, &instance, Look::DESK).await?;
    customer.says("Quero cancelar meu pedido").await?;
    operator.sees_reply("PENDING").await?;
    customer
        .says("Na verdade não cancela, acabei de receber")
        .await?;
    customer.hears().await?;
    for (text, replies) in [
        ("Confirmo as horas de terapia.", 2),
        ("Agenda as horas no meu calendário.", 3),
    ] {
        customer.says(text).await?;
        customer.shows(replies, ".line.them").await?;
    }
    operator.sees_state("idle").await?;
    Ok(instance)
}

/// The address of every page, those with an id too.
async fn addresses(operator: &Operator, instance: &Instance) -> Result<Vec<String>> {
    let mut addresses: Vec<String> = PAGES.iter().map(|page| instance.page(page)).collect();
    for list in LISTS {
        operator.open(&instance.page(list)).await?;
        let first = "() => document.querySelector('tbody th a').href";
        addresses.push(operator.ask(first).await?);
    }
    Ok(addresses)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_keeps_the_rules_of_accessible_pages_in_light_and_dark() -> Result<()> {
    let browser = Browser::launch().await?;
    let instance = house(&browser).await?;
    let door = browser.window(Look::DESK).await?;
    door.open(&instance.page("/sign-in")).await?;
    door.is_accessible().await?;
    for look in [Look::DESK, DARK] {
        let operator = Operator::sign_in(&browser, &instance, look).await?;
        for address in addresses(&operator, &instance).await? {
            operator.open(&address).await?;
            operator.is_accessible().await?;
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_control_is_reached_by_keyboard_and_shows_it() -> Result<()> {
    let browser = Browser::launch().await?;
    let instance = house(&browser).await?;
    let operator = Operator::sign_in(&browser, &instance, Look::DESK).await?;
    for address in addresses(&operator, &instance).await? {
        operator.open(&address).await?;
        operator.is_used_by_keyboard().await?;
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_is_wider_than_a_phone_or_an_enlarged_window() -> Result<()> {
    let browser = Browser::launch().await?;
    let instance = house(&browser).await?;
    for look in [Look::PHONE, ENLARGED] {
        let operator = Operator::sign_in(&browser, &instance, look).await?;
        for address in addresses(&operator, &instance).await? {
            operator.open(&address).await?;
            operator.fits().await?;
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_says_a_word_in_the_browsers_console() -> Result<()> {
    let browser = Browser::launch().await?;
    let instance = house(&browser).await?;
    let reader = Operator::sign_in(&browser, &instance, Look::DESK).await?;
    for address in addresses(&reader, &instance).await? {
        // A page that is not there, or an address that is wrong, is an error to the browser by its status alone.
        if address.ends_with("/nowhere") || address.ends_with("wrong") {
            continue;
        }
        reader.open(&address).await?;
        reader.is_quiet()?;
    }
    Ok(())
}
