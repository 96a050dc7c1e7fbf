//! The window's title.

use leptos::prelude::*;

/// Gives the window a title that follows what `text` reads.
pub(crate) fn title(text: impl Fn() -> String + Send + Sync + 'static) {
    #[cfg(feature = "ssr")]
    drop(view! { <leptos_meta::Title text/> });
    #[cfg(not(feature = "ssr"))]
    Effect::new(move |_| document().set_title(&text()));
}
