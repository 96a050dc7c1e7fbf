//! Asking about a channel's debounce lab.

#[cfg(feature = "ssr")]
use crate::view::ConsoleError;
use crate::view::{At, ChannelId, LabSetting, Replay, RequestId, SettingValue};
#[cfg(feature = "ssr")]
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos::server_fn::codec::Json;
use serde::{Deserialize, Serialize};

use super::{SaidTerms, Told};
#[cfg(feature = "ssr")]
use super::{
    asking::{caller, console},
    told::told,
};

/// What a lab asks for: everything stands in its address, so that it can be shared and works without scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabAsked {
    /// Which channel.
    pub channel: ChannelId,
    /// The setting as it is typed; nothing is the one in force.
    pub typed: Vec<SettingValue>,
    /// The sentences with their times.
    pub script: Option<String>,
    /// Which recorded messages are replayed, by stored word.
    pub replay: Option<String>,
    /// The number of the version that a form saved.
    pub saved: Option<String>,
    /// What a form came to that led here.
    pub said: SaidTerms,
}

/// What a lab shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabView {
    /// The setting in force.
    pub setting: LabSetting,
    /// What was recorded under both, where it was asked for and the typed setting is allowed.
    pub replay: Option<Replay>,
    /// Whether the reader may save.
    pub may_save: bool,
    /// Minted with this reading.
    pub request_id: RequestId,
    /// What came of the form that led here.
    pub told: Option<Told>,
    /// The server's time.
    pub as_of: At,
}

/// A channel's lab.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "channels/lab", input = Json)]
pub async fn open_lab(asked: LabAsked) -> Result<LabView, ConsoleError> {
    use super::messages::known_word;
    use crate::view::{Permission, ReplayAsked, ReplayRange, proposed};
    let (console, who) = (console()?, caller()?);
    let setting = console.lab(&who, asked.channel.clone()).await?;
    let words: Vec<_> = ReplayRange::ALL.iter().map(|word| word.stored()).collect();
    let range = asked
        .replay
        .map(|word| known_word("replay", &word, ReplayRange::from_stored, &words.join(", ")))
        .transpose()?;
    let windows = proposed(&setting.windows, &asked.typed);
    let replay = match (range, windows) {
        (Some(range), Ok(windows)) => {
            let asked = ReplayAsked {
                channel: asked.channel,
                range,
                windows,
            };
            Some(console.replay(&who, asked).await?)
        }
        _ => None,
    };
    let saved = asked.saved.and_then(|number| number.parse::<u32>().ok());
    let in_force = setting.version.number;
    let told = match saved {
        Some(saved) => Some(Told {
            done: true,
            text: (crate::words::words().channel.saved)(saved, in_force),
        }),
        None => told(&*console, &who, &asked.said).await?,
    };
    Ok(LabView {
        setting,
        replay,
        may_save: who.may(Permission::SaveSettings),
        request_id: console.mint(),
        told,
        as_of: console.now(),
    })
}
