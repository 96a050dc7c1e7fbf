//! The console after the demo's day.

use anyhow::Result;
use replygate_end2end::{Browser, Instance, Look, Operator};

use crate::Wanted;

/// A page's name as a picture, and its address.
const PAGES: [(&str, &str); 13] = [
    ("overview", "/?from=now-24h"),
    ("sessions-day", "/sessions"),
    ("messages", "/messages"),
    ("parked", "/parked"),
    ("operations", "/operations"),
    ("duplicates", "/duplicates"),
    ("decisions", "/decisions"),
    ("channels", "/channels"),
    ("activity", "/activity"),
    ("health", "/health"),
    ("me", "/settings/me"),
    ("team", "/settings/team"),
    ("not-found", "/nowhere"),
];

/// A page that is reached by the first row of a list: its name, the list, and what stands behind the row's address.
const BEHIND: [(&str, &str, &str); 9] = [
    ("session", "/sessions", ""),
    ("message", "/messages", ""),
    ("reply", "/parked", ""),
    ("operation", "/operations", ""),
    ("duplicate", "/duplicates", ""),
    ("decision", "/decisions", ""),
    ("channel", "/channels", ""),
    ("lab", "/channels", "/debounce"),
    ("versions", "/channels", "?tab=versions"),
];

/// The ones of the documentation, as high as what there is to see.
const DOCUMENTED: [(&str, u32); 6] = [
    ("overview", 1_000),
    ("session", 900),
    ("parked", 800),
    ("operation", 560),
    ("duplicate", 900),
    ("lab", 1_000),
];

/// Plays the demo's day and takes the pictures of its pages.
pub async fn take(browser: &Browser, wanted: &Wanted) -> Result<()> {
    let instance = Instance::start_demo().await?;
    let first = Operator::begin(browser, &instance, Look::DESK).await?;
    let pages = addresses(&first, &instance).await?;
    let folder = wanted.folder();
    if let Wanted::Documentation(_) = wanted {
        for (name, height) in DOCUMENTED {
            let look = Look {
                size: (1_200, height),
                ..Look::DESK
            };
            let operator = Operator::sign_in(browser, &instance, look).await?;
            for (_, address) in pages.iter().filter(|(page, _)| *page == name) {
                operator.open(address).await?;
                operator.has_texts_shown().await?;
                operator
                    .picture(&folder.join(format!("{name}.png")))
                    .await?;
            }
        }
    }
    for (look_name, look) in wanted.looks() {
        let operator = Operator::sign_in(browser, &instance, look).await?;
        for (name, address) in &pages {
            operator.open(address).await?;
            operator.has_texts_shown().await?;
            let file = folder.join(format!("{name}-{look_name}.png"));
            operator.whole_picture(&file).await?;
        }
    }
    Ok(())
}

async fn addresses(
    operator: &Operator,
    instance: &Instance,
) -> Result<Vec<(&'static str, String)>> {
    let mut addresses: Vec<(&str, String)> = PAGES
        .iter()
        .map(|(name, path)| (*name, instance.page(path)))
        .collect();
    for (name, list, behind) in BEHIND {
        operator.open(&instance.page(list)).await?;
        let first: String = operator
            .ask("() => document.querySelector('tbody th a, tbody td a')?.href ?? ''")
            .await?;
        if !first.is_empty() {
            addresses.push((name, format!("{first}{behind}")));
        }
    }
    Ok(addresses)
}
