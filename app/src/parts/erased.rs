//! A piece of a page whose type is forgotten. Where pieces of many types meet, each needs its code once only.

#[cfg(feature = "ssr")]
mod on_the_server {
    use leptos::prelude::{AnyView, IntoAny};

    /// Some piece of a page. It is written as if its type were known.
    pub(crate) type Erased = AnyView;

    /// Forgets a piece's type.
    pub(crate) trait Erase {
        /// The same piece; where it changes, another takes its place.
        fn erased(self) -> Erased;

        /// The same piece; where it changes, it changes in place, and what is open or has the focus keeps it.
        fn kept(self) -> Erased;
    }

    impl<T: IntoAny> Erase for T {
        fn erased(self) -> Erased {
            self.into_any()
        }

        fn kept(self) -> Erased {
            self.into_any()
        }
    }
}

#[cfg(not(feature = "ssr"))]
#[path = "erased/browser.rs"]
mod in_the_browser;

#[cfg(not(feature = "ssr"))]
pub(crate) use in_the_browser::{Erase, Erased};
#[cfg(feature = "ssr")]
pub(crate) use on_the_server::{Erase, Erased};
