//! What every store of channels' settings must keep: what [`versions`] says, and every setting as it was.

use replygate_ports::settings::{ChannelSettings, Choice};

use super::SettingsHarness;
use super::versions::{self, Sample, version, versions_of};

/// The suite of the settings port.
#[macro_export]
macro_rules! settings_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), settings: [
            settings_come_back_as_they_were,
            an_unknown_id_or_version_is_nothing,
            a_version_that_does_not_follow_is_refused,
            of_many_concurrent_savers_one_wins,
            a_repeated_request_names_what_it_saved,
            the_versions_in_force_are_listed_by_id,
            versions_are_paged_newest_first,
            settings_survive_a_restart,
        ]);
    };
}

impl Sample for ChannelSettings {
    fn sample(id: &str, number: u64) -> Self {
        let mut settings = Self::new(id, "webchat");
        settings.operational_delay_ms = 100 + number;
        settings
            .agent
            .options
            .insert("latency_ms".to_owned(), number.into());
        settings
    }
}

versions_of!(ChannelSettings: [
    an_unknown_id_or_version_is_nothing,
    a_version_that_does_not_follow_is_refused,
    of_many_concurrent_savers_one_wins,
    a_repeated_request_names_what_it_saved,
    the_versions_in_force_are_listed_by_id,
    versions_are_paged_newest_first,
    settings_survive_a_restart,
]);

pub async fn settings_come_back_as_they_were<H: SettingsHarness>(harness: H) {
    let mut first = version::<ChannelSettings>("shop", 1);
    "generic".clone_into(&mut first.settings.kind);
    first.settings.deliver_url = Some("http://127.0.0.1:9/deliver?é=🙂".to_owned());
    first.settings.triage.threshold = 0.625;
    first.settings.ladder_ms = Vec::new();
    first.settings.debounce.max_wait_ms = Some(9_000);
    first.settings.evaluator = Choice::named("marker");
    first.reason = Some("we answer faster now".to_owned());
    first.request_id = Some("request-1".to_owned());
    harness.settings().save(first.clone()).await.unwrap();
    assert_eq!(
        harness.settings().version("shop", None).await.unwrap(),
        Some(first.clone())
    );
    assert_eq!(
        harness.settings().version("shop", Some(1)).await.unwrap(),
        Some(first)
    );
}
