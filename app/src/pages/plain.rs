//! The plain pages, one file each: see [`plain`](crate::plain).

mod activity;
mod built_in;
mod channel;
mod channels;
mod decide;
mod decision;
mod decisions;
mod duplicate;
mod first_run;
mod go;
mod health;
mod me;
mod message;
mod not_found;
mod operations;
mod overview;
mod refusal;
mod reveal;
mod sign_in;
mod team;
mod views;

use crate::plain::Asked;
use crate::plain::Page;
use leptos::prelude::AnyView;
use std::pin::Pin;

pub(crate) use reveal::reveal_address;
pub(crate) use sign_in::{is_inside, sign_in_address};

type Made = Pin<Box<dyn Future<Output = AnyView> + Send>>;

macro_rules! pages {
    ($($name:ident),+ $(,)?) => {
        $(
            pub(crate) fn $name(asked: Asked) -> Made {
                Box::pin($name::page(asked))
            }
        )+
        /// Every one of them is a page.
        const _: &[Page] = &[$($name),+];
    };
}

pub(crate) use channel::RefusedSettings;
pub(crate) use decisions::decision_filter;

/// One version of a channel's settings.
pub(crate) fn channel_version(asked: Asked) -> Made {
    Box::pin(channel::version_page(asked))
}

/// Where a saved view leads.
pub(crate) fn view(asked: Asked) -> Made {
    Box::pin(views::lead(asked))
}

pages!(
    activity, built_in, channel, channels, decide, decision, decisions, duplicate, first_run, go,
    health, me, message, not_found, operations, overview, refusal, reveal, sign_in, team, views
);
