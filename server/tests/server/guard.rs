//! The neighbours of the incident through the whole server: a scripted model calls tools over its wire, and what really
//! happened is counted where the tools keep it.

use replygate_gate::tools::{Avoided, CallState};
use replygate_ports::calendar::{CalendarEvent, EventQuery};
use replygate_ports::ledger::{Call, CallQuery, Duplicate, DuplicateQuery};
use replygate_ports::mailbox::{Mail, MailQuery};
use replygate_testkit::backends::{Act, Stand, openai};
use serde_json::{Value, json};

use crate::house::{House, heard};

/// A server whose agent is the model, with these tools.
async fn house(model: &Stand, tools: &str) -> House {
    let channel = format!(
        r#"
        [[channels]]
        id = "demo"
        kind = "webchat"
        agent = {{ kind = "openai", model = "m", base_url = "{}/v1" }}
        operational_delay_ms = 0
        debounce = {{ enabled = false }}
        "#,
        model.url
    );
    House::open(&format!("{channel}\n{tools}")).await
}

fn built_in(name: &str) -> String {
    format!("[[tools]]\nname = \"{name}\"\neffect = \"write\"\nhost = \"{name}\"\n")
}

fn at_address(name: &str, service: &Stand, more: &str) -> String {
    let url = &service.url;
    format!(
        "[[tools]]\nname = \"{name}\"\neffect = \"write\"\nhost = {{ kind = \"http\", url = \"{url}/\" }}\n{more}\n"
    )
}

/// The model's answer that makes one call.
fn calls(tool: &str, arguments: &Value) -> Act {
    openai::whole(
        &openai::calls(&[("c1", tool, &arguments.to_string())]),
        "tool_calls",
    )
}

async fn events(house: &House) -> Vec<CalendarEvent> {
    let every = EventQuery {
        limit: 100,
        ..EventQuery::default()
    };
    let calendar = &house.running.service().stores.calendar;
    calendar.events(&every).await.unwrap()
}

async fn mails(house: &House) -> Vec<Mail> {
    let every = MailQuery {
        limit: 100,
        ..MailQuery::default()
    };
    let mailbox = &house.running.service().stores.mailbox;
    mailbox.mails(&every).await.unwrap()
}

async fn records(house: &House) -> Vec<Duplicate> {
    let every = DuplicateQuery {
        limit: 100,
        ..DuplicateQuery::default()
    };
    let ledger = &house.running.service().stores.ledger;
    ledger.duplicates(&every).await.unwrap()
}

async fn calls_of(house: &House) -> Vec<Call> {
    let every = CallQuery {
        limit: 100,
        ..CallQuery::default()
    };
    let ledger = &house.running.service().stores.ledger;
    ledger.calls(&every).await.unwrap()
}

/// Writes each text and waits for its answer; what was answered.
async fn talk(house: &House, texts: &[&str]) -> Vec<String> {
    let visitor = house.visit().await;
    let mut page = house.listen(&visitor).await;
    let mut answers = Vec::new();
    for (place, text) in texts.iter().enumerate() {
        house.write(&visitor, &format!("k{place}"), text).await;
        let reply = heard(&mut page, "reply").await;
        answers.push(reply["text"].as_str().unwrap_or_default().to_owned());
    }
    answers
}

/// What the model was told of its calls, in the order of its requests.
fn results(model: &Stand) -> Vec<String> {
    let bodies = model.bodies();
    let messages = bodies
        .iter()
        .filter_map(|body| body["messages"].as_array()?.last().cloned());
    messages
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_with_a_corrected_body_is_sent_and_the_same_one_is_not() {
    let mail =
        |body: &str| json!({ "to": ["Ana@example.org"], "subject": "Factura", "body": body });
    let model = openai::start([
        calls("email_send", &mail("Son 100 pesos.")),
        openai::words("Enviado."),
        calls("email_send", &mail("Son 120 pesos.")),
        openai::words("Enviado otra vez, corregido."),
        calls("email_send", &mail("Son 120 pesos.")),
        openai::words("Ya estaba enviado."),
    ])
    .await;
    let house = house(&model, &built_in("email.send")).await;
    let answers = talk(
        &house,
        &["Manda la factura", "Perdón, son 120", "Mándala de nuevo"],
    )
    .await;
    assert_eq!(answers[2], "Ya estaba enviado.");
    let bodies: Vec<String> = mails(&house)
        .await
        .into_iter()
        .map(|mail| mail.body)
        .collect();
    assert_eq!(bodies, ["Son 120 pesos.", "Son 100 pesos."]);
    assert_eq!(records(&house).await.len(), 1);
    assert_eq!(model.problems(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_meeting_next_day_is_made_and_the_same_hour_spelt_otherwise_is_not() {
    let event = |start: &str| json!({ "title": "Standup", "start": start });
    let model = openai::start([
        calls("calendar_create_event", &event("2030-01-08T15:00:00-03:00")),
        openai::words("Hecho."),
        calls("calendar_create_event", &event("2030-01-09T15:00:00-03:00")),
        openai::words("Hecho también."),
        calls("calendar_create_event", &event("2030-01-08 18:00Z")),
        openai::words("Ya estaba."),
    ])
    .await;
    let house = house(&model, &built_in("calendar.create_event")).await;
    talk(&house, &["El martes", "Y mañana lo mismo", "Agéndalo"]).await;
    assert_eq!(events(&house).await.len(), 2);
    assert_eq!(records(&house).await.len(), 1);
    let told: Value = serde_json::from_str(results(&model).last().unwrap()).unwrap();
    assert_eq!(told["replayed"], true, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_failed_is_made_again() {
    let service = Stand::start(
        |_| Ok(()),
        [
            Act::json(409, &json!({ "error": "closed" })),
            Act::json(200, &json!({ "paid": true })),
        ],
    )
    .await;
    let refund = json!({ "order": "F-7" });
    let model = openai::start([
        calls("refund", &refund),
        openai::words("No se pudo."),
        calls("refund", &refund),
        openai::words("Listo."),
    ])
    .await;
    let house = house(&model, &at_address("refund", &service, "")).await;
    talk(&house, &["Devuélveme el dinero", "Otra vez"]).await;
    assert_eq!(service.seen().len(), 2);
    assert!(records(&house).await.is_empty());
    let states: Vec<CallState> = calls_of(&house)
        .await
        .iter()
        .map(|call| call.entry.state)
        .collect();
    assert_eq!(states, [CallState::Done, CallState::Failed]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_timed_out_is_not_made_again() {
    let service = Stand::start(|_| Ok(()), [Act::Silence]).await;
    let refund = json!({ "order": "F-7" });
    let model = openai::start([
        calls("refund", &refund),
        openai::words("No puedo confirmarlo."),
        calls("refund", &refund),
        openai::words("Sigue sin confirmarse."),
    ])
    .await;
    let house = house(&model, &at_address("refund", &service, "timeout_ms = 300")).await;
    talk(&house, &["Devuélveme el dinero", "Otra vez"]).await;
    assert_eq!(service.seen().len(), 1, "it was not asked a second time");
    let records = records(&house).await;
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].call.avoided, Avoided::Unknown);
    let told = results(&model);
    assert_eq!(told.len(), 2);
    assert!(
        told[1].contains("Puede que esto ya se haya hecho"),
        "{told:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_32_calls_at_once_one_has_its_effect() {
    let event = json!({ "title": "Psicología", "start": "2030-01-08T15:00:00-03:00" }).to_string();
    let ids: Vec<String> = (0..32).map(|place| format!("c{place}")).collect();
    let many: Vec<(&str, &str, &str)> = ids
        .iter()
        .map(|id| (id.as_str(), "calendar_create_event", event.as_str()))
        .collect();
    let model = openai::start([
        openai::whole(&openai::calls(&many), "tool_calls"),
        openai::words("Hecho."),
    ])
    .await;
    let house = house(&model, &built_in("calendar.create_event")).await;
    talk(&house, &["Agéndame la hora"]).await;
    assert_eq!(events(&house).await.len(), 1);
    let records = records(&house).await;
    assert_eq!(records.len(), 31);
    assert_eq!(model.problems(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_the_schema_does_not_allow_do_nothing_and_the_model_is_told_why() {
    let schema = "arguments = { type = \"object\", required = [\"title\", \"start\"], properties = { title = { type = \"string\" } } }\n";
    let tool = format!("{}{schema}", built_in("calendar.create_event"));
    let model = openai::start([
        calls("calendar_create_event", &json!({ "title": 7 })),
        openai::words("Me falta la hora."),
    ])
    .await;
    let house = house(&model, &tool).await;
    talk(&house, &["Agéndame la hora"]).await;
    assert!(events(&house).await.is_empty());
    assert!(calls_of(&house).await.is_empty());
    let told = results(&model).concat();
    assert!(
        told.contains("`start` is missing") && told.contains("`title` is number, allowed: string"),
        "{told}"
    );
}
