//! `/sessions/{sid}`: one customer's session. Looked at as a conversation, on an axis of time, or event by event; beside
//! it how it stands and what a person may do about it.

mod actions;
mod bubble;
mod conversation;
mod events;
mod sheet;
mod standing;
mod timeline;

pub(super) use sheet::SessionSheet;

#[cfg(feature = "ssr")]
use super::{live, opened::LivePage};
#[cfg(feature = "ssr")]
pub(crate) use bubble::Bubble;
#[cfg(feature = "ssr")]
pub(crate) use events::EventLine;

/// A session's page.
#[cfg(feature = "ssr")]
pub(super) async fn open(asked: crate::plain::Asked) -> Result<LivePage, leptos::prelude::AnyView> {
    let asked = crate::api::SessionAsked {
        id: crate::view::SessionId(asked.segment(1)),
        tab: asked.term("view"),
        after: asked.term("after").map(Into::into),
        said: crate::api::SaidTerms::of(&asked.query),
    };
    let view = crate::api::open_session(asked.clone()).await;
    Ok(LivePage::Session(asked, view.map_err(live::trouble)?))
}
