//! A setting in force, and a replay of three messages.

use super::{Fake, ago, shop};
use async_trait::async_trait;
use replygate_app::console::Lab;
use replygate_app::view::*;
use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::Windows;

#[async_trait]
impl Lab for Fake {
    async fn lab(&self, who: &Caller, channel: ChannelId) -> Result<LabSetting, ConsoleError> {
        who.need(Permission::Lab)?;
        if channel.as_str() != "shop" {
            return Err(ConsoleError::NotFound {
                what: "channel".to_owned(),
            });
        }
        Ok(LabSetting {
            channel: shop(),
            version: SettingsVersion {
                number: 2,
                by: "Ana".to_owned(),
                at: ago(3_600),
                reason: None,
            },
            windows: Windows::default(),
            commands: ControlCommands::default(),
            earlier: Some(1),
        })
    }

    async fn replay(&self, who: &Caller, asked: ReplayAsked) -> Result<Replay, ConsoleError> {
        who.need(Permission::Lab)?;
        let measures = |turns, splits, wait_median_ms| Measures {
            turns,
            splits,
            wait_median_ms,
            wait_p95_ms: 4_000,
            at_ceiling: 0,
        };
        let closed = asked.windows.closed_ms;
        Ok(Replay {
            from: Some(ago(9_000)),
            to: Some(ago(60)),
            messages: 3,
            pruned: 1,
            is_cut: false,
            in_force: measures(3, 1, 1_200),
            proposed: measures(2, 0, closed),
            changed: vec![ChangedBurst {
                session: "ses_1".into(),
                at: ago(9_000),
                messages: 2,
                word: ChangeWord::Better,
                turns: (2, 1),
                wait_ms: (1_200, closed),
            }],
            changed_total: 1,
        })
    }
}
