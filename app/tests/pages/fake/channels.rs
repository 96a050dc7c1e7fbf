//! One channel with two versions of its settings.

use super::{Fake, NOW, ago, page, shop};
use async_trait::async_trait;
use replygate_app::console::Channels;
use replygate_app::view::*;
use replygate_gate::debounce::Windows;

fn setting(key: &str, value: &str, default: &str, allowed: &str) -> Setting {
    Setting {
        key: key.to_owned(),
        value: value.to_owned(),
        default: default.to_owned(),
        allowed: allowed.to_owned(),
    }
}

fn settings(version: u32) -> ChannelSettings {
    let neutral = if version == 1 { "2500" } else { "3000" };
    ChannelSettings {
        channel: shop(),
        version: numbered(version),
        settings: vec![
            setting("agent", "demo", "demo", "demo, echo, or a table"),
            setting(
                "guarantee",
                "at_most_once",
                "at_most_once",
                "at_most_once, at_least_once",
            ),
            setting("debounce.enabled", "true", "true", "true, false"),
            setting("debounce.closed_ms", "1200", "1200", "0 to 120000"),
            setting("debounce.neutral_ms", neutral, "2500", "0 to 120000"),
            setting("debounce.greeting_ms", "4000", "4000", "0 to 120000"),
            setting("debounce.dangling_ms", "4000", "4000", "0 to 120000"),
            setting("debounce.max_wait_ms", "", "", "1 to 120000, or not set"),
            setting("debounce.max_messages", "20", "20", "1 to 1000"),
            setting(
                "ladder_ms",
                "[600, 300, 600, 1200]",
                "[600, 300, 600, 1200]",
                "at most 16 waits",
            ),
        ],
    }
}

fn numbered(number: u32) -> SettingsVersion {
    SettingsVersion {
        number,
        by: if number == 1 {
            "configuration file"
        } else {
            "Ana"
        }
        .to_owned(),
        at: ago(7_200 / i64::from(number)),
        reason: (number == 2).then(|| "people pause longer here".to_owned()),
    }
}

fn there(channel: &ChannelId) -> Result<(), ConsoleError> {
    if channel.as_str() == "shop" {
        return Ok(());
    }
    Err(ConsoleError::NotFound {
        what: "channel".to_owned(),
    })
}

#[async_trait]
impl Channels for Fake {
    async fn channels(&self, who: &Caller) -> Result<Vec<Channel>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(vec![Channel {
            channel: shop(),
            kind: "webchat".to_owned(),
            settings_version: 2,
            debounce: Windows::default(),
            strategy: "triage".to_owned(),
            ladder_ms: vec![600, 300, 600, 1_200],
            last_inbound: Some(ago(60)),
            last_delivery: None,
            parked: 2,
        }])
    }

    async fn settings(
        &self,
        who: &Caller,
        channel: ChannelId,
        version: Option<u32>,
    ) -> Result<ChannelSettings, ConsoleError> {
        who.need(Permission::See)?;
        there(&channel)?;
        match version {
            None => Ok(settings(2)),
            Some(number @ 1..=2) => Ok(settings(number)),
            Some(_) => Err(ConsoleError::NotFound {
                what: "version".to_owned(),
            }),
        }
    }

    async fn settings_versions(
        &self,
        who: &Caller,
        channel: ChannelId,
        _: PageQuery,
    ) -> Result<Page<SavedVersion>, ConsoleError> {
        who.need(Permission::See)?;
        there(&channel)?;
        let saved = |number: u32, changes| SavedVersion {
            version: numbered(number),
            changes,
        };
        let changes = SettingChange::between(&settings(1).settings, &settings(2).settings);
        Ok(page(vec![saved(2, changes), saved(1, Vec::new())], None))
    }

    async fn save_settings(
        &self,
        who: &Caller,
        save: SaveSettings,
    ) -> Result<ChannelSettings, ConsoleError> {
        who.need(Permission::SaveSettings)?;
        if save.base != 2 {
            return Err(ConsoleError::Conflict {
                now: "version 2".to_owned(),
                by: Some("Ana".to_owned()),
                at: Some(NOW),
            });
        }
        for change in &save.changes {
            let is_ms = change.key.starts_with("debounce.") && change.key.ends_with("_ms");
            if is_ms && !change.value.is_empty() && change.value.parse::<u32>().is_err() {
                return Err(ConsoleError::Invalid {
                    field: change.key.clone(),
                    value: change.value.clone(),
                    allowed: "0 to 120000".to_owned(),
                });
            }
        }
        let mut next = settings(2);
        next.version.number = 3;
        Ok(next)
    }

    async fn roll_back(
        &self,
        who: &Caller,
        back: RollBack,
    ) -> Result<ChannelSettings, ConsoleError> {
        who.need(Permission::SaveSettings)?;
        let mut next = settings(back.to);
        next.version.number = 3;
        Ok(next)
    }
}
