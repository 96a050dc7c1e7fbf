//! Elements of a live page that never change: the server writes them, and the browser half passes over them. What they
//! are made of is no part of it.

/// One element that never changes, of a page that the server wrote as a whole.
macro_rules! still {
    ($view:expr) => {
        $crate::parts::Still::of(move || $view)
    };
}

pub(crate) use still;

#[cfg(feature = "ssr")]
mod on_the_server {
    use leptos::prelude::{AnyView, IntoAny};

    /// An element that never changes, as it is written.
    pub(crate) struct Still;

    impl Still {
        /// Writes the element.
        pub(crate) fn of<T: IntoAny>(element: impl FnOnce() -> T) -> AnyView {
            element().into_any()
        }
    }
}

#[cfg(not(feature = "ssr"))]
#[path = "still/browser.rs"]
mod in_the_browser;

#[cfg(not(feature = "ssr"))]
pub(crate) use in_the_browser::Still;
#[cfg(feature = "ssr")]
pub(crate) use on_the_server::Still;
