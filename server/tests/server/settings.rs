//! Settings that change while the server runs, and a file that differs from what is stored.

use replygate_ports::settings::SettingsVersion;

use crate::house::{House, QUICK, heard};

/// As `QUICK`, with a delay that no test would wait for.
const SLOW: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "echo"
    operational_delay_ms = 600000
    debounce = { enabled = false }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_setting_is_in_force_for_the_next_message() {
    let house = House::open(SLOW).await;
    let service = house.running.service();
    let present = service.engine.board().live("demo").unwrap();
    let mut settings = present.settings.clone();
    settings.operational_delay_ms = 0;
    let next = SettingsVersion {
        version: present.version + 1,
        settings,
        by: "test".to_owned(),
        at: service.stores.clock.now(),
        reason: None,
        request_id: None,
    };
    service.engine.save_settings(next).await.unwrap();
    let visitor = house.visit().await;
    let mut page = house.listen(&visitor).await;
    house.write(&visitor, "k1", "quick now").await;
    assert_eq!(heard(&mut page, "reply").await["text"], "quick now");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_differs_is_reported_and_what_is_stored_stays_in_force() {
    let house = House::open(QUICK).await.reopen(SLOW).await;
    let found: Vec<String> = house.running.differences().collect();
    assert_eq!(
        found,
        ["channels.demo.operational_delay_ms: stored `0`, file `600000`"]
    );
    let live = house.running.service().engine.board().live("demo").unwrap();
    assert_eq!(live.settings.operational_delay_ms, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_conversations() {
    let house = House::open(QUICK).await;
    let visitor = house.visit().await;
    let mut page = house.listen(&visitor).await;
    house.write(&visitor, "k1", "before").await;
    heard(&mut page, "reply").await;
    drop(page);
    let house = house.reopen(QUICK).await;
    let lines = house.history(&visitor).await;
    let told = lines.iter().map(|line| (&line["from"], &line["text"]));
    let told: Vec<_> = told.collect();
    let [you, them, text] = ["you", "them", "before"].map(serde_json::Value::from);
    assert_eq!(told, [(&you, &text), (&them, &text)]);
    let again = house.write(&visitor, "k1", "before").await;
    let again: serde_json::Value = again.json().await.unwrap();
    assert_eq!(again["duplicate"], true);
}
