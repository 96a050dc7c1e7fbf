//! How one person wants to read: colours, density, time zone, keys. Kept in their browser's cookies; must never decide
//! what they may see.

use super::Zone;
use super::stored::stored_words;
use serde::{Deserialize, Serialize};

stored_words! {
    /// Which colours.
    Theme {
        /// As the device prefers.
        System = "system",
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

stored_words! {
    /// How much stands on a screen.
    Density {
        /// As much as can be read.
        Compact = "compact",
        /// As it is designed.
        Normal = "normal",
        /// With room around everything.
        Roomy = "roomy",
    }
}

stored_words! {
    /// Whether single keys do something.
    Shortcuts {
        /// They do, outside fields.
        On = "on",
        /// They do nothing.
        Off = "off",
    }
}

/// One person's wishes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewer {
    /// Which colours.
    pub theme: Theme,
    /// How dense.
    pub density: Density,
    /// Whether single keys do something.
    pub shortcuts: Shortcuts,
    /// Where they are, as they chose or as their browser says.
    pub zone: Zone,
    /// Whether they chose the zone themselves.
    pub chose_zone: bool,
}

impl Default for Viewer {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            density: Density::Normal,
            shortcuts: Shortcuts::On,
            zone: Zone::utc(),
            chose_zone: false,
        }
    }
}

/// The cookies, by what they hold.
pub mod cookies {
    /// A [`Theme`](super::Theme).
    pub const THEME: &str = "rg-theme";
    /// A [`Density`](super::Density).
    pub const DENSITY: &str = "rg-density";
    /// [`Shortcuts`](super::Shortcuts).
    pub const SHORTCUTS: &str = "rg-keys";
    /// The zone that the person chose.
    pub const ZONE: &str = "rg-zone";
    /// The zone in which the browser says it is; a choice goes before it.
    pub const HERE: &str = "rg-here";
}

impl Viewer {
    /// Reads a `Cookie` header. What is not known there is as nobody had chosen it. `zone` finds a zone by its name.
    #[must_use]
    pub fn read(header: &str, zone: impl Fn(&str) -> Option<Zone>) -> Self {
        let value = |wanted: &str| {
            header
                .split(';')
                .filter_map(|pair| pair.trim().split_once('='))
                .find(|(name, _)| *name == wanted)
                .map(|(_, value)| value)
        };
        let usual = Self::default();
        let chosen = value(cookies::ZONE).and_then(&zone);
        let chose_zone = chosen.is_some();
        let zone = chosen.or_else(|| value(cookies::HERE).and_then(&zone));
        Self {
            theme: value(cookies::THEME)
                .and_then(Theme::from_stored)
                .unwrap_or(usual.theme),
            density: value(cookies::DENSITY)
                .and_then(Density::from_stored)
                .unwrap_or(usual.density),
            shortcuts: value(cookies::SHORTCUTS)
                .and_then(Shortcuts::from_stored)
                .unwrap_or(usual.shortcuts),
            zone: zone.unwrap_or(usual.zone),
            chose_zone,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Density, Shortcuts, Theme, Viewer};
    use crate::view::Zone;

    fn known(name: &str) -> Option<Zone> {
        ["Europe/Lisbon", "America/Lima"]
            .contains(&name)
            .then(|| Zone {
                name: name.to_owned(),
                shifts: Vec::new(),
            })
    }

    #[test]
    fn a_chosen_zone_goes_before_the_one_of_the_browser() {
        let viewer = Viewer::read("rg-here=America/Lima; rg-zone=Europe/Lisbon", known);
        assert_eq!(viewer.zone.name, "Europe/Lisbon");
        assert!(viewer.chose_zone);
        let viewer = Viewer::read("rg-here=America/Lima; rg-zone=Nowhere/At_All", known);
        assert_eq!(viewer.zone.name, "America/Lima");
        assert!(!viewer.chose_zone);
    }

    #[test]
    fn cookies_that_nobody_set_change_nothing() {
        let header = "rg-theme=pink; rg-density=compact; replygate=x; rg-keys=off";
        let viewer = Viewer::read(header, known);
        assert_eq!(viewer.theme, Theme::System);
        assert_eq!(viewer.density, Density::Compact);
        assert_eq!(viewer.shortcuts, Shortcuts::Off);
        assert_eq!(Viewer::read("", known), Viewer::default());
    }
}
