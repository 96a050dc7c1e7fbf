//! What every store of tools' settings must keep: what [`versions`] says, and every setting as it was.

use replygate_gate::tools::{DateOrder, Field, OnUnknown, Recipe, Scope, Spelling};
use replygate_ports::settings::Choice;
use replygate_ports::tools::{Effect, Tool};
use serde_json::json;

use super::SettingsHarness;
use super::versions::{self, Sample, version, versions_of};

/// The suite of the tools' settings.
#[macro_export]
macro_rules! tool_settings_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), tool_settings: [
            a_tool_comes_back_as_it_was,
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

impl Sample for Tool {
    fn sample(id: &str, number: u64) -> Self {
        Self {
            window_ms: 1_000 + number,
            ..Self::new(id, Effect::Write, Choice::named("calendar.create_event"))
        }
    }
}

versions_of!(Tool: [
    an_unknown_id_or_version_is_nothing,
    a_version_that_does_not_follow_is_refused,
    of_many_concurrent_savers_one_wins,
    a_repeated_request_names_what_it_saved,
    the_versions_in_force_are_listed_by_id,
    versions_are_paged_newest_first,
    settings_survive_a_restart,
]);

pub async fn a_tool_comes_back_as_it_was<H: SettingsHarness<Tool>>(harness: H) {
    let mut first = version::<Tool>("pay.invoice", 1);
    "Pays an invoice. «é🙂»".clone_into(&mut first.settings.description);
    first.settings.arguments = json!({ "type": "object", "required": ["invoice"] });
    first.settings.scope = Scope::Channel;
    first.settings.on_unknown = OnUnknown::Retry;
    first.settings.channels = Some(vec!["shop".to_owned()]);
    first.settings.enabled = false;
    first.settings.recipe = Recipe::fields(vec![
        Field::named("invoice", Spelling::Text),
        Field {
            optional: true,
            from: vec!["total.value".to_owned(), "amount".to_owned()],
            ..Field::named("amount", Spelling::Money)
        },
    ]);
    first.settings.recipe.reading.zone = Some("America/Sao_Paulo".to_owned());
    first.settings.recipe.reading.dates = Some(DateOrder::DayFirst);
    harness.settings().save(first.clone()).await.unwrap();
    assert_eq!(
        harness
            .settings()
            .version("pay.invoice", None)
            .await
            .unwrap(),
        Some(first)
    );
}
