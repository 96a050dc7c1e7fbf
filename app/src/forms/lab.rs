//! `POST /channels/{cid}/debounce`: saves the setting that was tried out, as a new version. A refusal leads back to the lab with
//! everything that was typed.

use super::Posted;
use super::posted::{refusal, see};
use crate::view::{
    ChannelId, ChannelSettings, ConsoleError, LAB_KEYS, SaveSettings, SettingValue, lab_address,
};
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn post(Path(channel): Path<String>, form: Posted) -> Response {
    let channel = ChannelId(channel);
    let typed = typed(&form);
    match save(&form, channel.clone(), typed.clone()).await {
        Ok(saved) => see(&format!(
            "{}?saved={}",
            channel.lab_address(),
            saved.version.number
        )),
        Err(error) => {
            let script = form.field("script");
            let address = lab_address(&channel, &typed, script.as_deref(), None);
            refusal(&address, &error)
        }
    }
}

fn typed(form: &Posted) -> Vec<SettingValue> {
    let others = form.others(&[]).into_iter();
    others
        .filter(|(key, _)| LAB_KEYS.contains(&key.as_str()))
        .map(|(key, value)| SettingValue { key, value })
        .collect()
}

async fn save(
    form: &Posted,
    channel: ChannelId,
    changes: Vec<SettingValue>,
) -> Result<ChannelSettings, ConsoleError> {
    let save = SaveSettings {
        channel,
        base: form.number("base", "the version that came with the page")?,
        changes,
        reason: form.field("reason"),
        request_id: form.request_id()?,
    };
    form.console.save_settings(&form.caller, save).await
}
