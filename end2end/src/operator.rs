//! A person at the console.

use std::ops::Deref;

use anyhow::{Result, ensure};

use crate::{Browser, Instance, Look, Window};

const PASSWORD: &str = "correct horse battery staple";

/// Keeps every word of state and status that was ever on the page, in the order of appearance.
const REMEMBER: &str = r#"() => {
    window.everShown = [];
    new MutationObserver(() => {
        for (const badge of document.querySelectorAll("tbody [data-state], tbody [data-status]")) {
            const word = badge.dataset.state ?? badge.dataset.status;
            if (!window.everShown.includes(word)) window.everShown.push(word);
        }
    }).observe(document.querySelector("tbody"), { childList: true, subtree: true, attributes: true });
}"#;

/// The cells that hold no age: an age differs between two readings of the same list.
const CELLS: &str = r#"() => [...document.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("th, td:not(:has(time))")].map((cell) => cell.innerText.trim()))"#;

/// An operator, signed in, in a window of their own.
pub struct Operator {
    window: Window,
}

impl Operator {
    /// Sets the admin's password by the one-time link; leads to the sessions page.
    ///
    /// # Errors
    /// When the link does not lead there.
    pub async fn begin(browser: &Browser, instance: &Instance, look: Look) -> Result<Self> {
        Self::set_password(browser, instance, instance.first_run(), look).await
    }

    async fn set_password(
        browser: &Browser,
        instance: &Instance,
        link: &str,
        look: Look,
    ) -> Result<Self> {
        let window = browser.window(look).await?;
        window.open(link).await?;
        for field in ["password", "repeat"] {
            let input = window.find(&format!("input[name={field}]"));
            input.fill(PASSWORD, None).await?;
        }
        window.find("button.primary").click(None).await?;
        window.arrives_at(&instance.page("/sessions")).await?;
        Ok(Self { window })
    }

    /// Signs in with the password that [`Operator::begin`] set; leads to the sessions page.
    ///
    /// # Errors
    /// When the console lets nobody in, or lets somebody in unasked.
    pub async fn sign_in(browser: &Browser, instance: &Instance, look: Look) -> Result<Self> {
        let window = browser.window(look).await?;
        let sessions = instance.page("/sessions");
        window.open(&sessions).await?;
        ensure!(
            window.address() != sessions,
            "nobody was asked for a password"
        );
        window.find("input[name=name]").fill("admin", None).await?;
        window
            .find("input[name=password]")
            .fill(PASSWORD, None)
            .await?;
        window.find("button.primary").click(None).await?;
        window.arrives_at(&sessions).await?;
        Ok(Self { window })
    }

    /// Sets another password, which ends every sign-in of this person.
    ///
    /// # Errors
    /// When the console does not say so.
    pub async fn changes_password(&self, instance: &Instance) -> Result<()> {
        const ANOTHER: &str = "another horse battery staple";
        self.open(&instance.page("/settings/me")).await?;
        for (field, value) in [
            ("present", PASSWORD),
            ("password", ANOTHER),
            ("repeat", ANOTHER),
        ] {
            let field = self.find(&format!("input[name={field}]"));
            field.fill(value, None).await?;
        }
        self.find("form[action='/settings/password'] button")
            .click(None)
            .await?;
        self.arrives_at(&instance.page("/sign-in?why=changed"))
            .await
    }

    /// Invites somebody with a role, who sets their password by the link; they are at the sessions page, in a window of their own.
    ///
    /// # Errors
    /// When the team page or the link does not lead there.
    pub async fn invites(
        &self,
        browser: &Browser,
        instance: &Instance,
        name: &str,
        role: &str,
    ) -> Result<Self> {
        self.open(&instance.page("/settings/team")).await?;
        let form = "form:has(button[value=invite])";
        let named = self.find(&format!("{form} input[name=name]"));
        named.fill(name, None).await?;
        let roles = self.find(&format!("{form} select[name=role]"));
        roles.select_option(role, None).await?;
        self.find(&format!("{form} button[value=invite]"))
            .click(None)
            .await?;
        let link = self.find("code.link").inner_text().await?;
        let path = link.find("/first-run").map_or("", |start| &link[start..]);
        Self::set_password(browser, instance, &instance.page(path), Look::DESK).await
    }

    /// Has the page's hidden texts shown, where it hides any, and says why when it is asked.
    ///
    /// # Errors
    /// When they stay hidden.
    pub async fn has_texts_shown(&self) -> Result<()> {
        if self.find(".veil").count().await? == 0 {
            return Ok(());
        }
        self.find(".veil button").click(None).await?;
        self.shows(0, ".veil").await?;
        let why = self.find("form[action='/reveal'] input[name=reason]");
        if why.count().await? > 0 {
            why.fill("to help the customer", None).await?;
            self.find("form[action='/reveal'] button.primary")
                .click(None)
                .await?;
        }
        self.shows(0, "form[action='/reveal']").await
    }

    /// Waits until the page follows what happens; from then on it remembers what it showed and that it was not left.
    ///
    /// # Errors
    /// When the page stays still.
    pub async fn watches(&self) -> Result<()> {
        self.shows(1, ".live[data-live=live]").await?;
        self.mark().await?;
        self.ask(REMEMBER).await
    }

    /// Waits until a session's last reply has this status.
    ///
    /// # Errors
    /// When it never gets it.
    pub async fn sees_reply(&self, status: &str) -> Result<()> {
        let badge = format!("td[data-label='Last reply'] [data-status={status}]");
        self.shows(1, &badge).await
    }

    /// Waits until a session is in this state.
    ///
    /// # Errors
    /// When it never is.
    pub async fn sees_state(&self, state: &str) -> Result<()> {
        let badge = format!("tbody [data-state={state}]");
        self.shows(1, &badge).await
    }

    /// Every word of state and status that was on the page since [`Operator::watches`].
    ///
    /// # Errors
    /// When the page was loaded again.
    pub async fn ever_saw(&self) -> Result<Vec<String>> {
        self.ask("() => window.everShown").await
    }

    /// What stands in the rows, without ages.
    ///
    /// # Errors
    /// When the page is gone.
    pub async fn rows(&self) -> Result<Vec<Vec<String>>> {
        self.ask(CELLS).await
    }
}

impl Deref for Operator {
    type Target = Window;

    fn deref(&self) -> &Window {
        &self.window
    }
}
