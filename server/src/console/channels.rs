//! The area of channels: settings as keys and texts.

use async_trait::async_trait;
use replygate_app::console::Channels;
use replygate_app::view::{
    Caller, Channel, ChannelId, ChannelSettings, ConsoleError, Cursor, Page, PageQuery, Permission,
    RollBack, SaveSettings, SavedVersion, Setting, SettingChange, SettingValue, SettingsVersion,
};
use replygate_engine::SaveError;
use replygate_ports::settings::{self as ports, SettingError, StaleSettings};

use super::{ServerConsole, at, channel, cursor, not_found, unavailable};
use crate::activity::Entry;
use crate::config::keys;

#[async_trait]
impl Channels for ServerConsole {
    async fn channels(&self, who: &Caller) -> Result<Vec<Channel>, ConsoleError> {
        who.need(Permission::See)?;
        let mut channels = Vec::new();
        for live in self.service.engine.board().channels() {
            let id = &live.settings.id;
            let figures = self
                .service
                .stores
                .views
                .channel_figures(id)
                .await
                .map_err(unavailable)?;
            channels.push(Channel {
                channel: channel(id),
                kind: live.settings.kind.clone(),
                settings_version: live.version as u32,
                debounce: live.settings.debounce,
                strategy: strategy(&live.settings),
                ladder_ms: live.settings.ladder_ms.clone(),
                last_inbound: figures.last_inbound.map(at),
                last_delivery: figures.last_delivery.map(at),
                parked: figures.parked,
            });
        }
        Ok(channels)
    }

    async fn settings(
        &self,
        who: &Caller,
        channel: ChannelId,
        version: Option<u32>,
    ) -> Result<ChannelSettings, ConsoleError> {
        who.need(Permission::See)?;
        let what = if version.is_some() {
            "version"
        } else {
            "channel"
        };
        let found = self.version(&channel, version).await?;
        found.as_ref().map(shown).ok_or_else(|| not_found(what))
    }

    async fn settings_versions(
        &self,
        who: &Caller,
        channel: ChannelId,
        page: PageQuery,
    ) -> Result<Page<SavedVersion>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let before = cursor::number(page.after.as_ref())?;
        let limit = cursor::limit(&page);
        let found = self
            .service
            .stores
            .settings
            .versions(channel.as_str(), before, limit + 1);
        // One more than is shown: it tells what the last one changed.
        let found = found.await.map_err(unavailable)?;
        if found.is_empty() && before.is_none() {
            return Err(not_found("channel"));
        }
        let shown = &found[..found.len().min(limit as usize)];
        let earlier = found.iter().skip(1).map(Some).chain([None]);
        let rows = shown.iter().zip(earlier);
        let last = shown.last().filter(|_| found.len() > shown.len());
        Ok(Page {
            next: last.map(|last| Cursor(last.version.to_string())),
            rows: rows
                .map(|(version, before)| saved(version, before))
                .collect(),
            as_of,
            total: None,
        })
    }

    async fn save_settings(
        &self,
        who: &Caller,
        save: SaveSettings,
    ) -> Result<ChannelSettings, ConsoleError> {
        who.need(Permission::SaveSettings)?;
        let present = self.version(&save.channel, None).await?;
        let present = present.ok_or_else(|| not_found("channel"))?;
        let settings = changed(&present.settings, &save.changes)?;
        if settings == present.settings && present.version == u64::from(save.base) {
            return Err(refused("settings", "", "at least one that differs"));
        }
        let request = save.request_id.as_str();
        let present = &present.settings;
        self.save(
            who,
            "save_settings",
            present,
            settings,
            save.base,
            save.reason,
            request,
        )
        .await
    }

    async fn roll_back(
        &self,
        who: &Caller,
        back: RollBack,
    ) -> Result<ChannelSettings, ConsoleError> {
        who.need(Permission::SaveSettings)?;
        let earlier = self.version(&back.channel, Some(back.to)).await?;
        let earlier = earlier.ok_or_else(|| not_found("version"))?;
        let present = self.version(&back.channel, None).await?;
        let present = present.ok_or_else(|| not_found("channel"))?;
        let (present, request) = (&present.settings, back.request_id.as_str());
        self.save(
            who,
            "roll_back",
            present,
            earlier.settings,
            back.base,
            back.reason,
            request,
        )
        .await
    }
}

impl ServerConsole {
    async fn version(
        &self,
        channel: &ChannelId,
        version: Option<u32>,
    ) -> Result<Option<ports::SettingsVersion>, ConsoleError> {
        let found = self
            .service
            .stores
            .settings
            .version(channel.as_str(), version.map(u64::from));
        found.await.map_err(unavailable)
    }

    async fn save(
        &self,
        who: &Caller,
        verb: &str,
        present: &ports::ChannelSettings,
        settings: ports::ChannelSettings,
        base: u32,
        reason: Option<String>,
        request_id: &str,
    ) -> Result<ChannelSettings, ConsoleError> {
        let (before, after) = difference(present, &settings);
        let next = ports::SettingsVersion {
            version: u64::from(base) + 1,
            settings,
            by: who.name.clone(),
            at: self.service.stores.clock.now(),
            reason,
            request_id: Some(request_id.to_owned()),
        };
        let entry = Entry {
            verb: verb.to_owned(),
            object: format!("channel:{}", next.settings.id),
            before: Some(before),
            after: Some(after),
            reason: next.reason.clone(),
            request_id: next.request_id.clone(),
        };
        match self.service.engine.save_settings(next.clone()).await {
            Ok(()) => {
                self.done(who, entry).await;
                Ok(shown(&next))
            }
            Err(SaveError::Invalid(errors)) => Err(invalid(&next.settings.id, errors.first())),
            Err(SaveError::Stale(StaleSettings::Repeated(first))) => Ok(shown(&first)),
            Err(SaveError::Stale(StaleSettings::Conflict { present })) => {
                let newer = self
                    .version(&next.settings.id.as_str().into(), None)
                    .await?;
                Err(ConsoleError::Conflict {
                    now: format!("version {present}"),
                    by: newer.as_ref().map(|newer| newer.by.clone()),
                    at: newer.map(|newer| at(newer.at)),
                })
            }
            Err(SaveError::Stale(StaleSettings::Store(error))) => Err(unavailable(error)),
        }
    }
}

/// What differs between two settings, as it was and as it is.
fn difference(before: &ports::ChannelSettings, after: &ports::ChannelSettings) -> (String, String) {
    let changed: Vec<_> = keys::flatten(before)
        .into_iter()
        .zip(keys::flatten(after))
        .filter(|((_, before), (_, after))| before != after)
        .collect();
    let told = |pick: fn(&(Pair, Pair)) -> &Pair| {
        let each = changed.iter().map(|pair| {
            let (key, value) = pick(pair);
            format!("{} = {value}", key.path)
        });
        each.collect::<Vec<_>>().join(", ")
    };
    (told(|(before, _)| before), told(|(_, after)| after))
}

type Pair = (&'static keys::Key, String);

/// The settings with these changes.
fn changed(
    present: &ports::ChannelSettings,
    changes: &[SettingValue],
) -> Result<ports::ChannelSettings, ConsoleError> {
    let mut json = serde_json::to_value(present).map_err(|_| ConsoleError::Unavailable)?;
    for change in changes {
        let key = keys::SETTINGS.iter().find(|key| key.path == change.key);
        let key =
            key.ok_or_else(|| refused(&change.key, &change.value, "a setting of this channel"))?;
        let value = keys::parse(key, &change.value).filter(|value| keys::fits(key, value));
        let value = value.ok_or_else(|| refused(&change.key, &change.value, key.allowed))?;
        keys::put(&mut json, key.path, value);
    }
    serde_json::from_value(json).map_err(|_| ConsoleError::Unavailable)
}

fn refused(key: &str, value: &str, allowed: &str) -> ConsoleError {
    ConsoleError::Invalid {
        field: key.to_owned(),
        value: value.to_owned(),
        allowed: allowed.to_owned(),
    }
}

fn invalid(channel: &str, error: Option<&SettingError>) -> ConsoleError {
    let Some(error) = error else {
        return ConsoleError::Unavailable;
    };
    let prefix = format!("channels.{channel}.");
    let key = error.key.strip_prefix(&prefix).unwrap_or(&error.key);
    refused(key, &error.value, &error.allowed)
}

fn shown(version: &ports::SettingsVersion) -> ChannelSettings {
    ChannelSettings {
        channel: channel(&version.settings.id),
        version: numbered(version),
        settings: rows(&version.settings),
    }
}

fn rows(settings: &ports::ChannelSettings) -> Vec<Setting> {
    let unset = ports::ChannelSettings::new(&settings.id, &settings.kind);
    keys::flatten(settings)
        .into_iter()
        .zip(keys::flatten(&unset))
        .map(|((key, value), (_, default))| Setting {
            key: key.path.to_owned(),
            value,
            default,
            allowed: key.allowed.to_owned(),
        })
        .collect()
}

fn saved(
    version: &ports::SettingsVersion,
    before: Option<&ports::SettingsVersion>,
) -> SavedVersion {
    let changes = before.map(|before| {
        let (old, new) = (rows(&before.settings), rows(&version.settings));
        SettingChange::between(&old, &new)
    });
    SavedVersion {
        version: numbered(version),
        changes: changes.unwrap_or_default(),
    }
}

fn strategy(settings: &ports::ChannelSettings) -> String {
    let found = keys::flatten(settings)
        .into_iter()
        .find(|(key, _)| key.path == "strategy");
    found.map(|(_, word)| word).unwrap_or_default()
}

pub(super) fn numbered(version: &ports::SettingsVersion) -> SettingsVersion {
    SettingsVersion {
        number: version.version as u32,
        by: version.by.clone(),
        at: at(version.at),
        reason: version.reason.clone(),
    }
}
