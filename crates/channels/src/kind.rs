//! From settings to a channel. The one place that knows the names of the kinds.

use std::sync::Arc;

use replygate_ports::channel::Channel;
use replygate_ports::clock::Clock;
use replygate_ports::settings::{ChannelSettings, SettingError};

use crate::generic::{GenericChannel, Secret};
use crate::webchat::{Pages, WebchatChannel};

/// What channels are built from besides their settings; shared by all of them.
#[derive(Clone)]
pub struct ChannelDeps {
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// For what leaves over HTTP; must not follow redirects, see [`http_client`](crate::http_client).
    pub client: reqwest::Client,
    /// Where open webchat pages are.
    pub pages: Pages,
}

/// Builds the channel that `settings` describe. `secrets` are its signing secrets, newest first; only `generic` has
/// some.
///
/// # Errors
/// When the kind is not known, or a generic channel has no address or no secret.
pub fn build(
    settings: &ChannelSettings,
    secrets: &[Secret],
    deps: &ChannelDeps,
) -> Result<Arc<dyn Channel>, SettingError> {
    let key = |name: &str| format!("channels.{}.{name}", settings.id);
    match settings.kind.as_str() {
        "webchat" => Ok(Arc::new(WebchatChannel::new(
            deps.pages.clone(),
            Arc::clone(&deps.clock),
        ))),
        "generic" => {
            let Some(url) = settings.deliver_url.as_deref() else {
                return Err(SettingError::new(
                    key("deliver_url"),
                    "not set",
                    "an http:// or https:// address",
                ));
            };
            let parsed = reqwest::Url::parse(url)
                .ok()
                .filter(|url| matches!(url.scheme(), "http" | "https"));
            if parsed.is_none() {
                let value = format!("`{url}`");
                return Err(SettingError::new(
                    key("deliver_url"),
                    value,
                    "an http:// or https:// address",
                ));
            }
            if secrets.is_empty() {
                let allowed = "whsec_ followed by the base64 of 16 to 128 random bytes";
                return Err(SettingError::new(key("signing_secret"), "not set", allowed));
            }
            let (client, clock) = (deps.client.clone(), Arc::clone(&deps.clock));
            Ok(Arc::new(GenericChannel::new(
                url.to_owned(),
                secrets.to_vec(),
                client,
                clock,
            )))
        }
        other => Err(SettingError::new(
            key("kind"),
            format!("`{other}`"),
            "webchat, generic",
        )),
    }
}
