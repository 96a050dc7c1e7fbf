//! The channel of the demo's day: takes every part, except where somebody's phone, or the provider, has a bad day.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use replygate_channels::webchat::{Hub, Pages};
use replygate_engine::{Wired, Wiring};
use replygate_gate::{At, Outcome, ReplyId, SessionKey};
use replygate_ports::channel::{Channel, Outbound, Show, Typing};
use replygate_ports::clock::Clock;
use replygate_ports::settings::{ChannelSettings, SettingError};
use replygate_ports::tools::{Tool, ToolHost};

use super::cast::Trouble;
use crate::config::Config;
use crate::service::Stores;
use crate::wiring::{Adapters, House};

/// A provider answers after so long, and a little longer for a longer text.
const ANSWER: Duration = Duration::from_millis(90);
const ANSWER_PER_BYTE: Duration = Duration::from_micros(400);

/// Agents and evaluators as they are, behind the demo's channel.
pub(super) struct DemoWiring {
    house: House,
    channel: Arc<DemoChannel>,
}

impl DemoWiring {
    /// With an outage of `down` on every channel.
    ///
    /// # Errors
    /// When the system's TLS roots or resolver settings cannot be read.
    pub(super) fn new(
        config: &Config,
        stores: &Stores,
        down: (At, At),
    ) -> Result<Self, reqwest::Error> {
        let clock = &stores.clock;
        let adapters = Adapters::new(config, clock, Pages::Here(Hub::new()))?;
        Ok(Self {
            house: adapters.with_stores(stores),
            channel: Arc::new(DemoChannel {
                clock: clock.clone(),
                down,
            }),
        })
    }
}

impl Wiring for DemoWiring {
    fn wire(&self, settings: &ChannelSettings) -> Result<Wired, Vec<SettingError>> {
        Ok(Wired {
            channel: self.channel.clone(),
            ..self.house.wire(settings)?
        })
    }

    fn host(&self, tool: &Tool) -> Result<Arc<dyn ToolHost>, Vec<SettingError>> {
        self.house.host(tool)
    }
}

struct DemoChannel {
    clock: Arc<dyn Clock>,
    /// From when until when the provider is away for those whom it concerns.
    down: (At, At),
}

impl DemoChannel {
    async fn outcome(&self, to: &SessionKey, limit: Duration) -> Outcome {
        let now = self.clock.now();
        match Trouble::of(&to.contact) {
            Trouble::Blocked => Outcome::Refused {
                code: "http_403".to_owned(),
            },
            Trouble::Away if self.down.0 <= now && now < self.down.1 => Outcome::Failed {
                code: "http_503".to_owned(),
                retry_after_ms: None,
            },
            Trouble::Silent if self.down.0 <= now && now < self.down.1 => {
                self.clock.sleep(limit).await;
                Outcome::Unknown {
                    code: "timeout".to_owned(),
                }
            }
            Trouble::Away | Trouble::Silent | Trouble::None => Outcome::Accepted { receipt: None },
        }
    }
}

#[async_trait]
impl Channel for DemoChannel {
    async fn send(&self, part: &Outbound, limit: Duration) -> Outcome {
        let length = u32::try_from(part.text.len()).unwrap_or(u32::MAX);
        self.clock.sleep(ANSWER + ANSWER_PER_BYTE * length).await;
        self.outcome(&part.key, limit).await
    }

    async fn typing(&self, _: &SessionKey, _: Show) {}

    async fn notice(&self, _: &SessionKey, _: ReplyId, _: &str, _: Duration) -> Outcome {
        Outcome::Accepted { receipt: None }
    }

    fn typing_style(&self) -> Typing {
        Typing::OnOff
    }
}
