//! `/sessions`: what is going on, newest activity first.

mod filter;
mod list;
mod row;
mod rows;

pub(super) use filter::Wanted;
pub(super) use list::SessionList;
pub(super) use row::WindowBar;

#[cfg(feature = "ssr")]
use super::{live, opened::LivePage};
#[cfg(feature = "ssr")]
use crate::parts::title;
#[cfg(feature = "ssr")]
use leptos::prelude::*;

/// The sessions page.
#[cfg(feature = "ssr")]
pub(super) async fn open(asked: crate::plain::Asked) -> Result<LivePage, AnyView> {
    let words = crate::words::words();
    title(|| words.titled(words.sessions.title));
    let wanted = Wanted::read(&asked.query).map_err(live::trouble)?;
    let view = crate::api::list_sessions(wanted.filter.clone(), wanted.page()).await;
    Ok(LivePage::Sessions(wanted, view.map_err(live::trouble)?))
}
