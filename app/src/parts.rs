//! The pieces that pages are made of. They show what they are given and ask nobody.

mod badge;
mod clock_face;
mod icon;
mod personal;
mod shell;
mod trouble;

pub(crate) use badge::{StateBadge, StatusBadge};
pub(crate) use clock_face::{Ago, Moment};
pub(crate) use personal::PersonalText;
pub(crate) use shell::{LiveMark, Masthead};
pub(crate) use trouble::Trouble;
