//! The operators' console of Replygate: its pages, and the seam behind which a server answers them.
//!
//! The crate has two halves, and a build has exactly one of them. With the feature `ssr` it renders pages on the server
//! and asks a [`Console`](console::Console) for what they show; with `hydrate` it runs in the browser and makes those
//! same pages live. It knows no store, no engine and no server, and must never come to know one.

#![recursion_limit = "256"]

#[cfg(all(feature = "ssr", feature = "hydrate"))]
compile_error!(
    "replygate-app is built either for the server (ssr) or for the browser (hydrate), never for both"
);

pub mod api;
#[cfg(feature = "hydrate")]
pub mod browser;
#[cfg(feature = "ssr")]
mod charts;
#[cfg(feature = "ssr")]
pub mod console;
#[cfg(feature = "ssr")]
mod export;
#[cfg(feature = "ssr")]
mod forms;
pub mod live;
#[cfg(feature = "ssr")]
pub mod mount;
mod pages;
mod parts;
#[cfg(feature = "ssr")]
mod plain;
pub mod view;
pub mod words;
