//! One channel.

use super::{Fake, shop};
use async_trait::async_trait;
use replygate_app::console::Channels;
use replygate_app::view::*;

/// Nothing here asks for these; whoever calls them has made a mistake.
const UNASKED: ConsoleError = ConsoleError::Unavailable;

#[async_trait]
impl Channels for Fake {
    async fn channels(&self, who: &Caller) -> Result<Vec<Channel>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(vec![Channel {
            channel: shop(),
            kind: "webchat".to_owned(),
            settings_version: 1,
            last_inbound: None,
            last_delivery: None,
            parked: 0,
        }])
    }

    async fn settings(
        &self,
        _: &Caller,
        _: ChannelId,
        _: Option<u32>,
    ) -> Result<ChannelSettings, ConsoleError> {
        Err(UNASKED)
    }

    async fn settings_versions(
        &self,
        _: &Caller,
        _: ChannelId,
        _: PageQuery,
    ) -> Result<Page<SettingsVersion>, ConsoleError> {
        Err(UNASKED)
    }

    async fn save_settings(
        &self,
        _: &Caller,
        _: SaveSettings,
    ) -> Result<ChannelSettings, ConsoleError> {
        Err(UNASKED)
    }

    async fn roll_back(&self, _: &Caller, _: RollBack) -> Result<ChannelSettings, ConsoleError> {
        Err(UNASKED)
    }
}
