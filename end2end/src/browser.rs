//! A real Chromium without a screen. Must never share cookies between windows.

use anyhow::{Context as _, Result};
use playwright_rs::{BrowserContextOptions, LaunchOptions, Playwright, Viewport};

use crate::window::Window;
use crate::{PATIENCE, variable};

/// Quiet on a build machine: no sandbox (there it has no rights for one), no graphics card, nothing of its own to load.
const FLAGS: [&str; 6] = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
];

/// How a window looks at the pages.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Width and height in CSS pixels.
    pub size: (u32, u32),
    /// Light or dark.
    pub scheme: Scheme,
    /// Whether scripts run.
    pub scripts: Scripts,
}

/// What a reader prefers.
#[derive(Clone, Copy, Debug)]
pub enum Scheme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Whether scripts run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scripts {
    /// As usual.
    On,
    /// Plain HTML only.
    Off,
}

impl Look {
    /// A window on a desk.
    pub const DESK: Self = Self {
        size: (1_200, 800),
        scheme: Scheme::Light,
        scripts: Scripts::On,
    };
    /// A narrow phone.
    pub const PHONE: Self = Self {
        size: (360, 740),
        ..Self::DESK
    };
    /// A desk where no script runs.
    pub const PLAIN: Self = Self {
        scripts: Scripts::Off,
        ..Self::DESK
    };
}

/// A browser; closed, with all its windows, when it is dropped.
pub struct Browser {
    browser: playwright_rs::Browser,
    _driver: Playwright,
}

impl Browser {
    /// Starts it, with a fresh folder for its data.
    ///
    /// # Errors
    /// When the driver or the browser does not start.
    pub async fn launch() -> Result<Self> {
        let chromium = variable("CHROMIUM")?;
        variable("PLAYWRIGHT_NODE_EXE")?;
        let driver = Playwright::launch().await?;
        let options = LaunchOptions::new()
            .executable_path(chromium.to_string_lossy().into_owned())
            .headless(true)
            .args(FLAGS.map(str::to_owned).to_vec());
        let browser = driver.chromium().launch_with_options(options).await;
        let browser = browser.context("Chromium does not start")?;
        Ok(Self {
            browser,
            _driver: driver,
        })
    }

    /// Opens a window with cookies of its own.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn window(&self, look: Look) -> Result<Window> {
        let (width, height) = look.size;
        let scheme = match look.scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let options = BrowserContextOptions::builder()
            .viewport(Viewport { width, height })
            .color_scheme(scheme.to_owned())
            .locale("en-GB".to_owned())
            .javascript_enabled(look.scripts == Scripts::On)
            .build();
        let context = self.browser.new_context_with_options(options).await?;
        let patience = PATIENCE.as_millis() as f64;
        context.set_default_timeout(patience).await;
        context.set_default_navigation_timeout(patience).await;
        Ok(Window::new(context.new_page().await?))
    }
}
