//! `POST /channels/{cid}`: saves a channel's settings, or brings an earlier version back. A form that is refused is shown
//! again with what was typed.

use super::Posted;
use super::posted::{invalid, refusal, see};
use crate::pages::plain as pages;
use crate::pages::plain::RefusedSettings;
use crate::plain;
use crate::view::{ChannelId, ChannelSettings, ConsoleError, RollBack, SaveSettings, SettingValue};
use axum::Extension;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use leptos::config::LeptosOptions;

/// Fields of the form that are no settings.
const OWN: [&str; 5] = ["base", "to", "request_id", "reason", "deed"];

pub(super) async fn post(
    options: Extension<LeptosOptions>,
    Path(channel): Path<String>,
    form: Posted,
) -> Response {
    let channel = ChannelId(channel);
    let address = channel.address();
    match done(&form, channel).await {
        Ok(saved) => see(&format!("{address}?saved={}", saved.version.number)),
        Err(error @ (ConsoleError::Invalid { .. } | ConsoleError::Conflict { .. })) => {
            let refused = RefusedSettings {
                fields: form.others(&[]),
                error: Some(error),
            };
            let again = form.again(&address);
            let mut response = plain::answer(pages::channel, &options, again, refused).await;
            *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
            response
        }
        Err(error) => refusal(&address, &error),
    }
}

async fn done(form: &Posted, channel: ChannelId) -> Result<ChannelSettings, ConsoleError> {
    let (console, who) = (&form.console, &form.caller);
    let base = form.number("base", "the version that came with the page")?;
    match form.field("deed").as_deref() {
        Some("save") => {
            let changes = form
                .others(&OWN)
                .into_iter()
                .map(|(key, value)| SettingValue { key, value })
                .collect();
            let save = SaveSettings {
                channel,
                base,
                changes,
                reason: form.field("reason"),
                request_id: form.request_id()?,
            };
            console.save_settings(who, save).await
        }
        Some("roll_back") => {
            let back = RollBack {
                channel,
                base,
                to: form.number("to", "an earlier version")?,
                reason: form.field("reason"),
                request_id: form.request_id()?,
            };
            console.roll_back(who, back).await
        }
        other => Err(invalid(
            "deed",
            other.unwrap_or_default(),
            "save, roll_back",
        )),
    }
}
