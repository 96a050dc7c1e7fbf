//! `/channels/{cid}/debounce`: a setting that is tried out before it is in force. One form: it is tried by its address, with
//! GET, and saved by POST. With scripts what is typed is played at once, by the very rules of the server.

mod lanes;
mod played;
mod replayed;
mod sheet;

pub(super) use sheet::LabSheet;

#[cfg(feature = "ssr")]
use super::{live, opened::LivePage};
#[cfg(feature = "ssr")]
use crate::view::SettingValue;

/// A channel's lab.
#[cfg(feature = "ssr")]
pub(super) async fn open(asked: crate::plain::Asked) -> Result<LivePage, leptos::prelude::AnyView> {
    let asked = crate::api::LabAsked {
        channel: crate::view::ChannelId(asked.segment(1)),
        typed: typed(&asked),
        script: asked.term("script"),
        replay: asked.term("replay"),
        saved: asked.term("saved"),
        said: crate::api::SaidTerms::of(&asked.query),
    };
    let view = crate::api::open_lab(asked.clone()).await;
    Ok(LivePage::Lab(asked, view.map_err(live::trouble)?))
}

/// The settings in an address, also those that are there and empty.
#[cfg(feature = "ssr")]
fn typed(asked: &crate::plain::Asked) -> Vec<SettingValue> {
    let keys = crate::view::LAB_KEYS.into_iter();
    keys.filter_map(|key| {
        Some(SettingValue {
            key: key.to_owned(),
            value: asked.query.get(key)?,
        })
    })
    .collect()
}
