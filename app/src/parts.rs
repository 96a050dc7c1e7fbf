//! The pieces that pages are made of. They show what they are given and ask nobody.

mod badge;
mod changing;
mod clock_face;
mod erased;
mod export;
mod filter;
mod icon;
#[cfg(feature = "ssr")]
mod keys_dialog;
mod notice;
mod personal;
mod reader;
mod shell;
mod still;
mod title;
#[cfg(feature = "ssr")]
mod trouble;
mod veil;
mod views;

pub(crate) use badge::{StateBadge, StatusBadge};
pub(crate) use changing::{changing, lines};
pub(crate) use clock_face::{Ago, Moment, Stamp};
pub(crate) use erased::{Erase, Erased};
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
#[cfg(feature = "ssr")]
pub(crate) use shell::Masthead;
pub(crate) use shell::{LiveMark, WaitingRows};
pub(crate) use still::{Still, still};
pub(crate) use title::title;
#[cfg(feature = "ssr")]
pub(crate) use trouble::Trouble;
pub(crate) use veil::VeilNote;
pub(crate) use views::Views;
