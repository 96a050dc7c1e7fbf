//! `/operations/{op}`: what is planned, how far it is, and what came of each reply.

mod sheet;
mod steering;

pub(super) use sheet::OperationSheet;

#[cfg(feature = "ssr")]
use super::{live, opened::LivePage};

/// An operation's page.
#[cfg(feature = "ssr")]
pub(super) async fn open(asked: crate::plain::Asked) -> Result<LivePage, leptos::prelude::AnyView> {
    let asked = crate::api::OperationAsked {
        id: crate::view::OperationId(asked.segment(1)),
        outcome: asked.term("outcome"),
        after: asked.term("after").map(Into::into),
        said: crate::api::SaidTerms::of(&asked.query),
    };
    let view = crate::api::open_operation(asked.clone()).await;
    Ok(LivePage::Operation(asked, view.map_err(live::trouble)?))
}
