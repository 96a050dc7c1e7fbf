//! Tools through the whole server: the incident that the product starts from, and tools from a file.

use replygate_ports::calendar::EventQuery;
use replygate_ports::ledger::{Avoided, DuplicateQuery};

use reqwest::Method;
use reqwest::header::{ACCEPT, COOKIE};

use crate::house::{House, heard};

/// The demo agent with a calendar, answering at once.
const DEMO: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "demo"
    operational_delay_ms = 0
    debounce = { enabled = false }

    [[tools]]
    name = "calendar.create_event"
    effect = "write"
    host = "calendar.create_event"
    recipe = "calendar.create_event"
"#;

#[tokio::test(flavor = "multi_thread")]
async fn the_incident_on_the_webchat_makes_two_events_not_four() {
    let house = House::open(DEMO).await;
    let visitor = house.visit().await;
    let mut page = house.listen(&visitor).await;
    house
        .write(&visitor, "k1", "Confirmo las horas de psicología")
        .await;
    assert_eq!(
        heard(&mut page, "reply").await["text"],
        "Listo, las horas están en tu calendario."
    );
    house
        .write(&visitor, "k2", "Agéndame las horas en mi calendario")
        .await;
    assert_eq!(
        heard(&mut page, "reply").await["text"],
        "Ya están en tu calendario; no las agregué otra vez."
    );

    let stores = &house.running.service().stores;
    let every = EventQuery {
        limit: 10,
        ..EventQuery::default()
    };
    let events = stores.calendar.events(&every).await.unwrap();
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events.iter().all(|event| event.title == "Psicología"));
    let every = DuplicateQuery {
        limit: 10,
        ..DuplicateQuery::default()
    };
    let records = stores.ledger.duplicates(&every).await.unwrap();
    assert_eq!(records.len(), 2);
    for record in &records {
        assert_eq!(record.call.avoided, Avoided::Repeated);
        assert_eq!(record.call.comparison.ignored, ["end_datetime"]);
        assert!(record.call.note.starts_with("Esto ya se hizo"));
        assert!(record.first.is_some());
    }
    // The page hears of a reply before its turn's records do.
    let said = async || {
        let records = stores.ledger.duplicates(&every).await.unwrap();
        records.iter().all(|record| record.said.is_some())
    };
    while !said().await {
        tokio::task::yield_now().await;
    }

    // And so the console shows it.
    let inside = house.enter_first("correct horse battery").await;
    let shown = async || {
        let request = house.request(Method::GET, "/built-in");
        let request = request.header(COOKIE, &inside).header(ACCEPT, "text/html");
        request.send().await.unwrap().text().await.unwrap()
    };
    let hidden = shown().await;
    assert_eq!(hidden.matches("<tr id=\"act_").count(), 2, "{hidden}");
    assert_eq!(hidden.matches("Psicología").count(), 0, "{hidden}");
    let asked = [
        ("of", "built_in"),
        ("back", "/built-in"),
        ("reason", "What was booked?"),
    ];
    house.form("/reveal", &inside, &asked).await;
    let shown = shown().await;
    assert_eq!(shown.matches("Psicología").count(), 2, "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_tools_has_none_and_no_file_has_the_built_in_ones() {
    let named = |house: &House| -> Vec<String> {
        let tools = house.running.service().engine.toolbox().tools();
        tools.iter().map(|live| live.tool.name.clone()).collect()
    };
    let house = House::open(crate::house::QUICK).await;
    assert!(named(&house).is_empty());
    assert_eq!(
        replygate::Config::default()
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect::<Vec<_>>(),
        [
            "calendar.create_event",
            "calendar.list_events",
            "calendar.cancel_event",
            "email.send",
            "email.list"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_in_the_file_that_differs_from_the_stored_one_is_reported() {
    let other = DEMO.replace(
        "effect = \"write\"",
        "effect = \"write\"\n    window_ms = 5000",
    );
    let house = House::open(DEMO).await.reopen(&other).await;
    let found: Vec<String> = house.running.differences().collect();
    assert_eq!(
        found,
        ["tools.calendar.create_event.window_ms: stored `600000`, file `5000`"]
    );
    let house = house.reopen(crate::house::QUICK).await;
    assert!(
        house
            .running
            .differences()
            .any(|difference| difference == "tools.calendar.create_event: stored, not in the file")
    );
}
