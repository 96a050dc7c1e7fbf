//! What every store of settings must keep, of whatever they are: versions in a row, one winner, one effect per request.

use futures::future::join_all;
use replygate_ports::settings::{Kept, SettingsVersion, StaleSettings};

use super::SettingsHarness;
use super::harness::restarted;
use crate::clock::EPOCH;

/// Writes the cases of one kind of settings.
macro_rules! versions_of {
    ($settings:ty: [$($case:ident),* $(,)?]) => {
        $(
            pub async fn $case<H: SettingsHarness<$settings>>(harness: H) {
                versions::$case::<$settings, H>(harness).await;
            }
        )*
    };
}
pub(super) use versions_of;

/// Settings that differ by their number.
pub trait Sample: Kept {
    /// Those of that id.
    fn sample(id: &str, number: u64) -> Self;
}

/// A version of the sample.
#[must_use]
pub fn version<S: Sample>(id: &str, number: u64) -> SettingsVersion<S> {
    SettingsVersion {
        version: number,
        settings: S::sample(id, number),
        by: "configuration file".to_owned(),
        at: EPOCH.plus(number),
        reason: None,
        request_id: None,
    }
}

pub async fn an_unknown_id_or_version_is_nothing<S: Sample, H: SettingsHarness<S>>(harness: H) {
    let settings = harness.settings();
    assert_eq!(settings.all().await.unwrap(), []);
    settings.save(version::<S>("shop", 1)).await.unwrap();
    assert_eq!(settings.version("elsewhere", None).await.unwrap(), None);
    assert_eq!(settings.version("shop", Some(2)).await.unwrap(), None);
    assert_eq!(settings.versions("elsewhere", None, 10).await.unwrap(), []);
}

pub async fn a_version_that_does_not_follow_is_refused<S: Sample, H: SettingsHarness<S>>(
    harness: H,
) {
    let settings = harness.settings();
    let refused = settings.save(version::<S>("shop", 2)).await.unwrap_err();
    assert!(
        matches!(refused, StaleSettings::Conflict { present: 0 }),
        "{refused:?}"
    );
    settings.save(version::<S>("shop", 1)).await.unwrap();
    for wrong in [1, 3] {
        let refused = settings
            .save(version::<S>("shop", wrong))
            .await
            .unwrap_err();
        assert!(
            matches!(refused, StaleSettings::Conflict { present: 1 }),
            "{refused:?}"
        );
    }
    settings.save(version::<S>("shop", 2)).await.unwrap();
    assert_eq!(settings.versions("shop", None, 10).await.unwrap().len(), 2);
}

pub async fn of_many_concurrent_savers_one_wins<S: Sample, H: SettingsHarness<S>>(harness: H) {
    let settings = harness.settings();
    let rivals = (0..16).map(|number| {
        let mut next = version::<S>("shop", 1);
        next.by = format!("rival {number}");
        next.request_id = Some(format!("request {number}"));
        settings.save(next)
    });
    let results = join_all(rivals).await;
    let lost = |result: &&Result<(), StaleSettings<S>>| {
        matches!(result, Err(StaleSettings::Conflict { present: 1 }))
    };
    assert_eq!(
        results.iter().filter(|result| result.is_ok()).count(),
        1,
        "{results:?}"
    );
    assert_eq!(results.iter().filter(lost).count(), 15, "{results:?}");
}

pub async fn a_repeated_request_names_what_it_saved<S: Sample, H: SettingsHarness<S>>(harness: H) {
    let settings = harness.settings();
    let mut first = version::<S>("shop", 1);
    first.request_id = Some("request-1".to_owned());
    settings.save(first.clone()).await.unwrap();
    settings.save(version::<S>("shop", 2)).await.unwrap();

    for number in [1, 3] {
        let mut again = version::<S>("shop", number);
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

pub async fn the_versions_in_force_are_listed_by_id<S: Sample, H: SettingsHarness<S>>(harness: H) {
    let settings = harness.settings();
    for (channel, number) in [("zoo", 1), ("shop", 1), ("zoo", 2)] {
        settings.save(version::<S>(channel, number)).await.unwrap();
    }
    assert_eq!(
        settings.all().await.unwrap(),
        [version::<S>("shop", 1), version::<S>("zoo", 2)]
    );
}

pub async fn versions_are_paged_newest_first<S: Sample, H: SettingsHarness<S>>(harness: H) {
    let settings = harness.settings();
    for number in 1..=5 {
        settings.save(version::<S>("shop", number)).await.unwrap();
        settings.save(version::<S>("zoo", number)).await.unwrap();
    }
    let numbers = |page: Vec<SettingsVersion<S>>| {
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
        Some(version::<S>("shop", 3))
    );
}

pub async fn settings_survive_a_restart<S: Sample, H: SettingsHarness<S>>(harness: H) {
    for number in 1..=2 {
        harness
            .settings()
            .save(version::<S>("shop", number))
            .await
            .unwrap();
    }
    let Some(harness) = restarted(harness).await else {
        return;
    };
    assert_eq!(
        harness.settings().all().await.unwrap(),
        [version::<S>("shop", 2)]
    );
    assert_eq!(
        harness.settings().versions("shop", None, 10).await.unwrap(),
        [version::<S>("shop", 2), version::<S>("shop", 1)]
    );
}
