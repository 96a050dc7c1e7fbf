//! One window and what can be said about the page in it. Must never wait without a deadline.

use std::path::Path;

use anyhow::{Result, ensure};
use playwright_rs::{Locator, Page, expect, expect_page};
use serde::de::DeserializeOwned;

use crate::PATIENCE;

/// Set on a page that is to stay; a page that was loaded again has lost it.
const MARK: &str = "window.neverLeft = true";

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

    /// Takes a picture of what the window shows.
    ///
    /// # Errors
    /// When it cannot be taken or written.
    pub async fn picture(&self, file: &Path) -> Result<()> {
        std::fs::write(file, self.page.screenshot(None).await?)?;
        Ok(())
    }
}
