//! The pieces that pages are made of. They show what they are given and ask nobody.

mod badge;
mod clock_face;
mod export;
mod filter;
mod icon;
#[cfg(feature = "ssr")]
mod keys_dialog;
mod notice;
mod personal;
mod reader;
mod shell;
mod trouble;
mod veil;
mod views;

pub(crate) use badge::{StateBadge, StatusBadge};
pub(crate) use clock_face::{Ago, Moment, Stamp};
pub(crate) use export::ExportLinks;
pub(crate) use filter::{FilterField, Options, Paging};
#[cfg(feature = "ssr")]
pub(crate) use keys_dialog::{KeysDialog, KeysList};
#[cfg(feature = "ssr")]
pub(crate) use notice::Came;
pub(crate) use notice::Notice;
pub(crate) use personal::PersonalText;
pub(crate) use reader::{Reader, zone};
#[cfg(feature = "ssr")]
pub(crate) use shell::Heading;
pub(crate) use shell::{LiveMark, Masthead, WaitingRows};
pub(crate) use trouble::Trouble;
pub(crate) use veil::VeilNote;
pub(crate) use views::Views;
