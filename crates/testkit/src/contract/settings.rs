//! What every settings store must keep: versions in a row, one winner, one effect per request.

use futures::future::join_all;
use replygate_ports::settings::{ChannelSettings, Choice, SettingsVersion, StaleSettings};

use super::SettingsHarness;
use super::harness::restarted;
use crate::clock::EPOCH;

/// The suite of the settings port.
#[macro_export]
macro_rules! settings_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), settings: [
            settings_come_back_as_they_were,
            an_unknown_channel_or_version_is_nothing,
            a_version_that_does_not_follow_is_refused,
            of_many_concurrent_savers_one_wins,
            a_repeated_request_names_what_it_saved,
            the_versions_in_force_are_listed_by_channel,
            versions_are_paged_newest_first,
            settings_survive_a_restart,
        ]);
    };
}

fn version(channel: &str, version: u64) -> SettingsVersion {
    let mut settings = ChannelSettings::new(channel, "webchat");
    settings.operational_delay_ms = 100 + version;
    settings
        .agent
        .options
        .insert("latency_ms".to_owned(), version.into());
    SettingsVersion {
        version,
        settings,
        by: "configuration file".to_owned(),
        at: EPOCH.plus(version),
        reason: None,
        request_id: None,
    }
}

pub async fn settings_come_back_as_they_were<H: SettingsHarness>(harness: H) {
    let mut first = version("shop", 1);
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

pub async fn an_unknown_channel_or_version_is_nothing<H: SettingsHarness>(harness: H) {
    let settings = harness.settings();
    assert_eq!(settings.all().await.unwrap(), []);
    settings.save(version("shop", 1)).await.unwrap();
    assert_eq!(settings.version("elsewhere", None).await.unwrap(), None);
    assert_eq!(settings.version("shop", Some(2)).await.unwrap(), None);
    assert_eq!(settings.versions("elsewhere", None, 10).await.unwrap(), []);
}

pub async fn a_version_that_does_not_follow_is_refused<H: SettingsHarness>(harness: H) {
    let settings = harness.settings();
    let refused = settings.save(version("shop", 2)).await.unwrap_err();
    assert!(
        matches!(refused, StaleSettings::Conflict { present: 0 }),
        "{refused:?}"
    );
    settings.save(version("shop", 1)).await.unwrap();
    for wrong in [1, 3] {
        let refused = settings.save(version("shop", wrong)).await.unwrap_err();
        assert!(
            matches!(refused, StaleSettings::Conflict { present: 1 }),
            "{refused:?}"
        );
    }
    settings.save(version("shop", 2)).await.unwrap();
    assert_eq!(settings.versions("shop", None, 10).await.unwrap().len(), 2);
}

pub async fn of_many_concurrent_savers_one_wins<H: SettingsHarness>(harness: H) {
    let settings = harness.settings();
    let rivals = (0..16).map(|number| {
        let mut next = version("shop", 1);
        next.by = format!("rival {number}");
        next.request_id = Some(format!("request {number}"));
        settings.save(next)
    });
    let results = join_all(rivals).await;
    let lost = |result: &&Result<(), StaleSettings>| {
        matches!(result, Err(StaleSettings::Conflict { present: 1 }))
    };
    assert_eq!(
        results.iter().filter(|result| result.is_ok()).count(),
        1,
        "{results:?}"
    );
    assert_eq!(results.iter().filter(lost).count(), 15, "{results:?}");
}

pub async fn a_repeated_request_names_what_it_saved<H: SettingsHarness>(harness: H) {
    let settings = harness.settings();
    let mut first = version("shop", 1);
    first.request_id = Some("request-1".to_owned());
    settings.save(first.clone()).await.unwrap();
    settings.save(version("shop", 2)).await.unwrap();

    for number in [1, 3] {
        let mut again = version("shop", number);
        again.request_id = Some("request-1".to_owned());
        let refused = settings.save(again).await.unwrap_err();
        assert!(
            matches!(&refused, StaleSettings::Repeated(saved) if **saved == first),
            "{refused:?}"
        );
    }
    assert_eq!(
        settings
            .version("shop", None)
            .await
            .unwrap()
            .unwrap()
            .version,
        2
    );
}

pub async fn the_versions_in_force_are_listed_by_channel<H: SettingsHarness>(harness: H) {
    let settings = harness.settings();
    for (channel, number) in [("zoo", 1), ("shop", 1), ("zoo", 2)] {
        settings.save(version(channel, number)).await.unwrap();
    }
    assert_eq!(
        settings.all().await.unwrap(),
        [version("shop", 1), version("zoo", 2)]
    );
}

pub async fn versions_are_paged_newest_first<H: SettingsHarness>(harness: H) {
    let settings = harness.settings();
    for number in 1..=5 {
        settings.save(version("shop", number)).await.unwrap();
        settings.save(version("zoo", number)).await.unwrap();
    }
    let numbers = |page: Vec<SettingsVersion>| {
        page.into_iter()
            .map(|saved| saved.version)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        numbers(settings.versions("shop", None, 2).await.unwrap()),
        [5, 4]
    );
    assert_eq!(
        numbers(settings.versions("shop", Some(4), 2).await.unwrap()),
        [3, 2]
    );
    assert_eq!(
        numbers(settings.versions("shop", Some(2), 9).await.unwrap()),
        [1]
    );
    assert_eq!(
        settings.version("shop", Some(3)).await.unwrap(),
        Some(version("shop", 3))
    );
}

pub async fn settings_survive_a_restart<H: SettingsHarness>(harness: H) {
    for number in 1..=2 {
        harness
            .settings()
            .save(version("shop", number))
            .await
            .unwrap();
    }
    let Some(harness) = restarted(harness).await else {
        return;
    };
    assert_eq!(
        harness.settings().all().await.unwrap(),
        [version("shop", 2)]
    );
    assert_eq!(
        harness.settings().versions("shop", None, 10).await.unwrap(),
        [version("shop", 2), version("shop", 1)]
    );
}
