//! One window and what can be said about the page in it. Must never wait without a deadline.

use std::path::Path;

use anyhow::{Result, ensure};
use playwright_rs::{Locator, Page, Route, ScreenshotOptions, expect, expect_page};
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use crate::{PATIENCE, variable};

/// Set on a page that is to stay; a page that was loaded again has lost it.
const MARK: &str = "window.neverLeft = true";

/// Every broken rule with the elements that break it.
const BROKEN_RULES: &str = r#"async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run(document, { runOnly: tags });
    return violations.map((rule) =>
        `${rule.id} (${rule.help}): ` + rule.nodes.map((node) => node.html.slice(0, 200)).join(" | "));
}"#;

/// Remembers every control that a person can reach with the Tab key, and tells how many there are.
const CONTROLS: &str = r#"() => {
    document.activeElement?.blur();
    const all = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    window.controls = new Map([...document.querySelectorAll(all)]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }))
        .filter((control) => !control.disabled && control.type !== "hidden")
        .map((control) => [control, "not met"]));
    return window.controls.size;
}"#;

/// Notes the control that has the focus, and whether it shows that.
const MEET: &str = r#"() => {
    const control = document.activeElement;
    if (!window.controls.has(control)) return false;
    const look = getComputedStyle(control);
    const shows = look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 1;
    window.controls.set(control, shows ? "met" : "shows no focus");
    return true;
}"#;

/// The controls that were not met, or not seen.
const MISSED: &str = r#"() => [...window.controls]
    .filter(([_, how]) => how !== "met")
    .map(([control, how]) => `${how}: ${control.outerHTML.slice(0, 200)}`)"#;

/// The browser half, as pages ask for it.
const BROWSER_HALF: &str = "**/*_bg.wasm";

/// Holds the browser half back until it is dropped.
pub struct Held(#[expect(dead_code, reason = "its end is the sign")] watch::Sender<()>);

/// A browser window.
pub struct Window {
    page: Page,
}

impl Window {
    pub(crate) const fn new(page: Page) -> Self {
        Self { page }
    }

    /// Goes to an address.
    ///
    /// # Errors
    /// When nothing answers there.
    pub async fn open(&self, address: &str) -> Result<()> {
        self.page.goto(address, None).await?;
        Ok(())
    }

    /// Loads the page again.
    ///
    /// # Errors
    /// When nothing answers any more.
    pub async fn reload(&self) -> Result<()> {
        self.page.reload(None).await?;
        Ok(())
    }

    /// From here on pages get their browser half only when what this gives is dropped.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn hold_browser_half(&self) -> Result<Held> {
        let (held, end) = watch::channel(());
        let wait = move |route: Route| {
            let mut end = end.clone();
            async move {
                // Ends with an error, because nothing is ever sent.
                let _ = end.changed().await;
                route.continue_(None).await
            }
        };
        self.page.route(BROWSER_HALF, wait).await?;
        Ok(Held(held))
    }

    /// Where the window is.
    #[must_use]
    pub fn address(&self) -> String {
        self.page.url()
    }

    /// Waits until the window is at this address.
    ///
    /// # Errors
    /// When it never gets there.
    pub async fn arrives_at(&self, address: &str) -> Result<()> {
        let arrival = expect_page(&self.page).with_timeout(PATIENCE);
        Ok(arrival.to_have_url(address).await?)
    }

    /// Elements on the page.
    #[must_use]
    pub fn find(&self, selector: &str) -> Locator {
        self.page.locator(selector)
    }

    /// Waits until there are so many of these elements.
    ///
    /// # Errors
    /// With how many there were in the end.
    pub async fn shows(&self, count: usize, selector: &str) -> Result<()> {
        let elements = expect(self.find(selector)).with_timeout(PATIENCE);
        Ok(elements.to_have_count(count).await?)
    }

    /// What a script says.
    ///
    /// # Errors
    /// When it fails, or says something else than is expected.
    pub async fn ask<T: DeserializeOwned>(&self, script: &str) -> Result<T> {
        Ok(self.page.evaluate(script, None::<&()>).await?)
    }

    /// Remembers that this page was not loaded again since.
    ///
    /// # Errors
    /// When the page runs no scripts.
    pub async fn mark(&self) -> Result<()> {
        Ok(self.page.evaluate_expression(MARK).await?)
    }

    /// Whether the page is still the one that was marked.
    ///
    /// # Errors
    /// When the page runs no scripts.
    pub async fn is_marked(&self) -> Result<bool> {
        self.ask("() => window.neverLeft === true").await
    }

    /// Checks that the page said nothing in the console that is an error or a warning.
    ///
    /// # Errors
    /// With what it said.
    pub fn is_quiet(&self) -> Result<()> {
        let said: Vec<_> = self
            .page
            .console_messages()
            .iter()
            .filter(|message| matches!(message.type_(), "error" | "warning" | "assert"))
            .map(|message| format!("{}: {}", message.type_(), message.text()))
            .chain(self.page.page_errors())
            .collect();
        ensure!(said.is_empty(), "{} said {said:#?}", self.address());
        Ok(())
    }

    /// Checks that the page is not wider than its window.
    ///
    /// # Errors
    /// With both widths.
    pub async fn fits(&self) -> Result<()> {
        let (page, window): (u32, u32) = self
            .ask("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            .await?;
        ensure!(
            page <= window,
            "{} is {page} wide, the window {window}",
            self.address()
        );
        Ok(())
    }

    /// Checks the page by the rules of accessible pages: WCAG 2.2, levels A and AA, and what axe-core calls good practice.
    ///
    /// # Errors
    /// With every rule that is broken, and where.
    pub async fn is_accessible(&self) -> Result<()> {
        let axe = std::fs::read_to_string(variable("AXE_CORE")?)?;
        self.page.evaluate_expression(&axe).await?;
        let broken: Vec<String> = self.ask(BROKEN_RULES).await?;
        ensure!(broken.is_empty(), "{}: {broken:#?}", self.address());
        Ok(())
    }

    /// Goes through the page with the Tab key and checks that every control is met, and that it shows that it is.
    ///
    /// # Errors
    /// With what was not met, or not seen.
    pub async fn is_used_by_keyboard(&self) -> Result<()> {
        let all: usize = self.ask(CONTROLS).await?;
        // The first round begins where the page left off, perhaps in its middle, and passes the end once.
        for _ in 0..2 * (all + 1) {
            self.page.keyboard().press("Tab", None).await?;
            self.ask::<bool>(MEET).await?;
        }
        let missed: Vec<String> = self.ask(MISSED).await?;
        ensure!(missed.is_empty(), "{}: {missed:#?}", self.address());
        Ok(())
    }

    /// Takes a picture of the whole page, however long it is.
    ///
    /// # Errors
    /// When it cannot be taken or written.
    pub async fn whole_picture(&self, file: &Path) -> Result<()> {
        let options = ScreenshotOptions::builder().full_page(true).build();
        std::fs::write(file, self.page.screenshot(Some(options)).await?)?;
        Ok(())
    }

    /// Takes a picture of what the window shows.
    ///
    /// # Errors
    /// When it cannot be taken or written.
    pub async fn picture(&self, file: &Path) -> Result<()> {
        std::fs::write(file, self.page.screenshot(None).await?)?;
        Ok(())
    }
}
