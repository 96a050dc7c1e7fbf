//! Which settings are allowed. Must never change a value: it only says what is wrong.

use std::fmt;

use super::{ChannelSettings, SettingError, Strategy, Timing};
use crate::budgets::Rate;

/// The longest ladder: 16 rungs.
const MOST_RUNGS: usize = 16;
/// The longest text of the product's own: 1,000 characters, which every channel takes in one message.
const MOST_CHARS: usize = 1_000;
/// One day in milliseconds.
const DAY_MS: u64 = 86_400_000;

impl ChannelSettings {
    /// Everything that is not allowed.
    pub fn validate(&self) -> Result<(), Vec<SettingError>> {
        let mut check = Check {
            prefix: format!("channels.{}", self.id),
            errors: Vec::new(),
        };
        check.id(&self.id);
        check.range(
            "operational_delay_ms",
            self.operational_delay_ms,
            0,
            600_000,
        );
        check.range("agent_timeout_ms", self.agent_timeout_ms, 100, 3_600_000);
        check.range("send_timeout_ms", self.send_timeout_ms, 100, 120_000);
        check.range("history", u64::from(self.history), 0, 1_000);
        check.range("late_after_ms", self.late_after_ms, 60_000, 30 * DAY_MS);
        check.range("max_hold_ms", self.max_hold_ms, 1_000, DAY_MS);
        check.range("park_age_ms", self.park_age_ms, 1_000, 30 * DAY_MS);
        check.range(
            "expire_age_ms",
            self.expire_age_ms,
            self.park_age_ms,
            365 * DAY_MS,
        );
        check.range(
            "triage.soft_ms",
            self.triage.soft_ms,
            1,
            self.triage.hard_ms,
        );
        check.range("triage.hard_ms", self.triage.hard_ms, 1, 60_000);
        check.fraction("triage.threshold", self.triage.threshold);
        check.ladder("ladder_ms", &self.ladder_ms);
        check.ladder("channel_ladder_ms", &self.channel_ladder_ms);
        check.deliver_url(&self.kind, self.deliver_url.as_deref());
        if let Some(rate) = &self.rate {
            check.rate(rate);
        }
        for (key, text) in self.notices.texts() {
            check.text(key, text);
        }
        check.abort_on_triage(self);
        if let Err(errors) = self.debounce.validate() {
            for error in errors {
                check.wrong(
                    &format!("debounce.{}", error.key),
                    error.value,
                    error.allowed,
                );
            }
        }
        if check.errors.is_empty() {
            Ok(())
        } else {
            Err(check.errors)
        }
    }
}

struct Check {
    prefix: String,
    errors: Vec<SettingError>,
}

impl Check {
    fn wrong(&mut self, key: &str, value: impl fmt::Display, allowed: &str) {
        self.errors.push(SettingError::new(
            format!("{}.{key}", self.prefix),
            value,
            allowed,
        ));
    }

    fn range(&mut self, key: &str, value: u64, least: u64, most: u64) {
        if !(least..=most).contains(&value) {
            self.wrong(key, value, &format!("{least} to {most}"));
        }
    }

    fn abort_on_triage(&mut self, settings: &ChannelSettings) {
        let early =
            settings.strategy == Strategy::Triage && settings.triage.timing == Timing::Early;
        if settings.abort_on_triage && !early {
            self.wrong(
                "abort_on_triage",
                true,
                "true only with strategy triage and triage.timing early",
            );
        }
    }

    fn fraction(&mut self, key: &str, value: f32) {
        if !(0.0..=1.0).contains(&value) {
            self.wrong(key, value, "0 to 1");
        }
    }

    fn rate(&mut self, rate: &Rate) {
        if !(0.001..=1_000.0).contains(&rate.per_second) {
            self.wrong("rate.per_second", rate.per_second, "0.001 to 1000");
        }
        if !(1..=1_000).contains(&rate.burst) {
            self.wrong("rate.burst", rate.burst, "1 to 1000");
        }
    }

    fn ladder(&mut self, key: &str, steps: &[u64]) {
        if steps.len() > MOST_RUNGS || steps.iter().any(|step| *step > DAY_MS) {
            self.wrong(
                key,
                format!("{steps:?}"),
                "at most 16 waits of 0 to 86400000 milliseconds",
            );
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        let length = text.chars().count();
        if length > MOST_CHARS {
            self.wrong(
                key,
                format!("{length} characters long"),
                "a text of at most 1000 characters",
            );
        }
    }

    fn id(&mut self, id: &str) {
        let allowed = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_'
        };
        if !(1..=64).contains(&id.len()) || !id.bytes().all(allowed) {
            self.wrong("id", format!("`{id}`"), "1 to 64 of a-z, 0-9, - and _");
        }
    }

    fn deliver_url(&mut self, kind: &str, url: Option<&str>) {
        match (kind, url) {
            ("generic", Some(url)) if url.starts_with("http://") || url.starts_with("https://") => {
            }
            ("generic", Some(url)) => self.wrong(
                "deliver_url",
                format!("`{url}`"),
                "an http:// or https:// address",
            ),
            ("generic", None) => {
                self.wrong("deliver_url", "not set", "an http:// or https:// address");
            }
            ("webchat", None) => {}
            ("webchat", Some(url)) => self.wrong(
                "deliver_url",
                format!("`{url}`"),
                "nothing, for kind webchat",
            ),
            (kind, _) => self.wrong("kind", format!("`{kind}`"), "webchat, generic"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_allowed() {
        assert_eq!(ChannelSettings::new("shop", "webchat").validate(), Ok(()));
    }

    #[test]
    fn a_wrong_value_names_key_value_and_what_is_allowed() {
        let mut settings = ChannelSettings::new("shop", "webchat");
        settings.operational_delay_ms = 700_000;
        let text = settings.validate().unwrap_err()[0].to_string();
        assert_eq!(
            text,
            "`channels.shop.operational_delay_ms` is 700000, allowed: 0 to 600000"
        );
    }

    #[test]
    fn a_rate_that_no_chat_could_have_is_refused() {
        let mut settings = ChannelSettings::new("shop", "webchat");
        for (per_second, burst, key) in [
            (0.0, 1, "channels.shop.rate.per_second"),
            (f64::NAN, 1, "channels.shop.rate.per_second"),
            (1.0, 0, "channels.shop.rate.burst"),
        ] {
            settings.rate = Some(Rate { per_second, burst });
            assert_eq!(settings.validate().unwrap_err()[0].key, key);
        }
        settings.rate = Some(Rate {
            per_second: 0.333,
            burst: 20,
        });
        assert_eq!(settings.validate(), Ok(()));
    }

    #[test]
    fn a_generic_channel_without_an_address_is_refused() {
        let errors = ChannelSettings::new("shop", "generic")
            .validate()
            .unwrap_err();
        assert_eq!(errors[0].key, "channels.shop.deliver_url");
    }
}
