//! A tool on an MCP server that agents here call, and that clients elsewhere reach through the guard: one guard for both.

use replygate_ports::ledger::{CallQuery, DuplicateQuery};
use replygate_testkit::backends::{Act, Seen, Stand, openai};
use serde_json::{Value, json};

use super::line::{Line, booked, booking, is_refusal, words};
use crate::house::{House, heard};

/// A server of the revision without sessions that books whatever it is asked for.
async fn calendar(many: usize) -> Stand {
    let known = json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"] });
    let discovered = json!({ "jsonrpc": "2.0", "id": "discover", "result": known });
    let listed = json!({ "jsonrpc": "2.0", "id": "list", "result": { "tools": [] } });
    let greeting = [Act::json(200, &discovered), Act::json(200, &listed)];
    let stand = Stand::start(|_: &Seen| Ok(()), greeting).await;
    for _ in 0..many {
        stand.then(Act::Result(booked()));
    }
    stand
}

/// The model's answer that makes one call.
fn calls(tool: &str, arguments: &Value) -> Act {
    openai::whole(
        &openai::calls(&[("c1", tool, &arguments.to_string())]),
        "tool_calls",
    )
}

async fn house(model: &Stand, calendar: &Stand) -> House {
    House::open(&format!(
        r#"
        [[channels]]
        id = "demo"
        kind = "webchat"
        agent = {{ kind = "openai", model = "m", base_url = "{}/v1" }}
        operational_delay_ms = 0
        debounce = {{ enabled = false }}

        [[mcp]]
        name = "cal"
        url = "{}/mcp"

        [[tools]]
        name = "calendar.create_event"
        effect = "write"
        host = {{ kind = "mcp", server = "cal", tool = "create_event" }}
        "#,
        model.url, calendar.url
    ))
    .await
}

fn booked_by(stand: &Stand) -> usize {
    let bodies = stand.bodies();
    let calls = bodies.iter().filter(|body| body["method"] == "tools/call");
    calls.count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_here_and_a_client_elsewhere_book_one_event_between_them() {
    let calendar = calendar(1).await;
    let event = json!({ "title": "Yoga", "start": "2030-01-08 18:00Z" });
    let longer =
        json!({ "title": "yoga", "start": "2030-01-08 18:00Z", "end": "2030-01-08 19:00Z" });
    let model = openai::start([
        calls("calendar_create_event", &event),
        openai::words("Hecho."),
        calls("calendar_create_event", &longer),
        openai::words("Ya estaba."),
    ])
    .await;
    let house = house(&model, &calendar).await;
    let visitor = house.visit().await;
    let mut page = house.listen(&visitor).await;
    for (key, text, answer) in [
        ("k1", "Resérvame yoga", "Hecho."),
        ("k2", "Agéndalo", "Ya estaba."),
    ] {
        house.write(&visitor, key, text).await;
        assert_eq!(heard(&mut page, "reply").await["text"], answer);
    }
    assert_eq!(booked_by(&calendar), 1);
    let results: Vec<Value> = model
        .bodies()
        .iter()
        .filter_map(|body| body["messages"].as_array()?.last().cloned())
        .filter(|message| message["role"] == "tool")
        .map(|message| serde_json::from_str(message["content"].as_str().unwrap()).unwrap())
        .collect();
    assert_eq!(results[0], booked());
    assert_eq!(
        (&results[1]["replayed"], &results[1]["result"]),
        (&json!(true), &booked())
    );

    let ledger = &house.running.service().stores.ledger;
    let every = CallQuery {
        limit: 10,
        ..CallQuery::default()
    };
    let contact = ledger.calls(&every).await.unwrap()[0].whom.contact.clone();
    let elsewhere = Line::of(&house, &contact).with("x-replygate-channel", "demo");
    let again = elsewhere.result(&booking(&json!(1), "YOGA")).await;
    assert!(
        !is_refusal(&again) && words(&again).starts_with("booked\n"),
        "{again}"
    );
    assert_eq!(again["structuredContent"], booked()["structuredContent"]);
    assert_eq!(booked_by(&calendar), 1);
    let every = DuplicateQuery {
        limit: 10,
        ..DuplicateQuery::default()
    };
    assert_eq!(ledger.duplicates(&every).await.unwrap().len(), 2);
}
