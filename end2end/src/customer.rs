//! A person at the chat page.

use std::ops::Deref;

use anyhow::Result;

use crate::{Browser, Instance, Look, Scripts, Window};

/// Keeps the text of every reply that was ever on the page, also of one that is gone again.
const REMEMBER: &str = r#"() => {
    window.everSaid = [];
    new MutationObserver(() => {
        for (const text of document.querySelectorAll(".line.them .text")) {
            if (!window.everSaid.includes(text.textContent)) window.everSaid.push(text.textContent);
        }
    }).observe(document.getElementById("lines"), { childList: true, subtree: true, characterData: true });
}"#;

/// A customer, in a window of their own.
pub struct Customer {
    window: Window,
}

impl Customer {
    /// Opens the page of the channel `demo`.
    ///
    /// # Errors
    /// When it does not come up, or never connects.
    pub async fn arrive(browser: &Browser, instance: &Instance, look: Look) -> Result<Self> {
        let window = browser.window(look).await?;
        window.open(&instance.page("/chat/demo")).await?;
        let customer = Self { window };
        if look.scripts == Scripts::On {
            customer.shows(1, "#state:not(.away):not(:empty)").await?;
            customer.ask::<()>(REMEMBER).await?;
        }
        Ok(customer)
    }

    /// Writes a message and sends it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn says(&self, text: &str) -> Result<()> {
        self.find("#text").fill(text, None).await?;
        self.find("#composer button").click(None).await?;
        Ok(())
    }

    /// Waits until the server has everything that was sent.
    ///
    /// # Errors
    /// When something stays behind.
    pub async fn is_heard(&self) -> Result<()> {
        self.shows(0, ".line.pending, .line.failed").await
    }

    /// Waits for the first reply and returns its text.
    ///
    /// # Errors
    /// When none comes, or more than one.
    pub async fn hears(&self) -> Result<String> {
        self.shows(1, ".line.them").await?;
        Ok(self.find(".line.them .text").inner_text().await?)
    }

    /// Every reply that was ever on the page since it was opened.
    ///
    /// # Errors
    /// When the page was loaded again.
    pub async fn ever_heard(&self) -> Result<Vec<String>> {
        self.ask("() => window.everSaid").await
    }

    /// The lines on the page, each `you: …` or `them: …`, oldest first.
    ///
    /// # Errors
    /// When the page is gone.
    pub async fn lines(&self) -> Result<Vec<String>> {
        let script = r#"() => [...document.querySelectorAll(".line")].map((line) =>
            (line.matches(".you") ? "you: " : "them: ") + line.querySelector(".text").textContent)"#;
        self.ask(script).await
    }
}

impl Deref for Customer {
    type Target = Window;

    fn deref(&self) -> &Window {
        &self.window
    }
}
