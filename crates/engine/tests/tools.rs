//! Tool calls with an effect happen once per meaning: the incident that the product starts from, and its neighbours.

#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

mod stage;

use std::sync::Arc;
use std::time::Duration;

use replygate_gate::tools::{
    Avoided, CallState, DateOrder, Field, OnUnknown, Opinion, Recipe, Scope, Spelling,
};
use replygate_gate::{ReplyStatus, SessionKey};
use replygate_ports::clock::Clock;
use replygate_ports::ledger::{
    By, Call, CallQuery, Duplicate, DuplicateQuery, Judged, Ledger, NewPass, Settlement, Verdict,
};
use replygate_ports::settings::Choice;
use replygate_ports::tools::{CallOutcome, Effect, Tool};
use replygate_testkit::scripted::Turnout;
use serde_json::{Value, json};
use stage::{Setting, Stage, key, settle};

const CREATE: &str = "calendar.create_event";

fn tool(name: &str) -> Tool {
    Tool::new(name, Effect::Write, Choice::named("scripted"))
}

fn calendar() -> Setting {
    Setting::without_debounce().with_tools([tool(CREATE)])
}

fn create(arguments: &Value) -> String {
    format!("#call {CREATE} {arguments}")
}

async fn records(stage: &Stage) -> Vec<Duplicate> {
    let query = DuplicateQuery {
        limit: 1_000,
        ..DuplicateQuery::default()
    };
    let mut found = stage.world.store.duplicates(&query).await.unwrap();
    found.reverse();
    found
}

async fn calls(stage: &Stage) -> Vec<Call> {
    let query = CallQuery {
        limit: 1_000,
        ..CallQuery::default()
    };
    let mut found = stage.world.store.calls(&query).await.unwrap();
    found.reverse();
    found
}

/// The titles of the events that were really made.
fn made(stage: &Stage) -> Vec<String> {
    let worked = stage.world.props.tool.worked();
    worked
        .iter()
        .map(|worked| {
            worked.call.arguments["title"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

fn words(stage: &Stage, contact: &str) -> Vec<String> {
    let texts = stage.texts(contact);
    texts
        .iter()
        .flat_map(|text| text.split(" | "))
        .filter(|piece| !piece.starts_with('#') && !piece.contains('\n'))
        .map(str::to_owned)
        .collect()
}

#[tokio::test(start_paused = true)]
async fn the_incident_makes_two_events_not_four() {
    let stage = Stage::set(calendar()).await;
    let first = [
        json!({ "title": "Psicología", "start_datetime": "2030-01-08T15:00:00-03:00", "guest": "Paula" }),
        json!({ "title": "Psicología", "start_datetime": "2030-01-10T15:00:00-03:00", "guest": "Paula" }),
    ];
    let text = format!(
        "Confirmo las horas de psicología\n{}\n{}",
        create(&first[0]),
        create(&first[1])
    );
    stage.write("c", "m1", &text).await;
    stage.until(12_000).await;
    let second = [
        json!({ "title": "Psicología", "start_datetime": "2030-01-08T15:00:00-03:00", "guest": "Paula", "end_datetime": "2030-01-08T16:00:00-03:00" }),
        json!({ "title": "psicología ", "start_datetime": "2030-01-10T18:00:00Z", "guest": "Paula", "end_datetime": "2030-01-10T16:00:00-03:00" }),
    ];
    let text = format!(
        "Agéndame las horas en mi calendario\n{}\n{}",
        create(&second[0]),
        create(&second[1])
    );
    stage.write("c", "m2", &text).await;
    stage.until(15_000).await;

    assert_eq!(made(&stage), ["Psicología", "Psicología"]);
    let records = records(&stage).await;
    assert_eq!(records.len(), 2, "{records:?}");
    let replies = stage.replies("c").await;
    for (record, (number, arguments)) in records.iter().zip(first.iter().zip(&second).enumerate()) {
        let call = &record.call;
        assert_eq!(call.avoided, Avoided::Repeated);
        assert_eq!(call.arguments, *arguments.1);
        let first = record.first.as_ref().unwrap();
        assert_eq!(first.arguments, *arguments.0);
        assert_eq!(first.result, Some(json!({ "number": number + 1 })));
        assert_eq!(call.age_ms, 12_000);
        assert_eq!(
            call.note.split(" y ").next(),
            Some("Esto ya se hizo hace 12 segundos")
        );
        let compared: Vec<&str> = call
            .comparison
            .compared
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(compared, ["title", "start"]);
        assert_eq!(call.comparison.ignored, ["end_datetime", "guest"]);
        // What the agent said next.
        assert_eq!(record.said, Some(replies[1].id));
    }
    // The agent goes on as after a success, and is told that it was not.
    assert_eq!(
        words(&stage, "c"),
        ["done", "done", "done before", "done before"]
    );
    let outcomes = stage.world.props.agent.outcomes();
    let content = outcomes[2].content();
    assert_eq!(content["replayed"], true);
    assert_eq!(content["done_seconds_ago"], 12);
    assert_eq!(content["result"], json!({ "number": 1 }));
    assert!(!outcomes[2].is_error());
}

#[tokio::test(start_paused = true)]
async fn a_duplicate_marks_no_reply_as_having_effects() {
    let stage = Stage::set(calendar()).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    stage.write("c", "m1", &event).await;
    stage.until(5_000).await;
    stage.write("c", "m2", &event).await;
    stage.until(10_000).await;
    let effects: Vec<bool> = stage
        .replies("c")
        .await
        .iter()
        .map(|reply| reply.effects)
        .collect();
    assert_eq!(effects, [true, false]);
    assert_eq!(
        stage
            .events("c")
            .await
            .iter()
            .filter(|event| *event == "effect_reserved")
            .count(),
        1
    );
}

#[tokio::test(start_paused = true)]
async fn a_reply_whose_call_had_an_effect_is_never_silently_cancelled() {
    let stage = Stage::set(calendar()).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    stage.write("c", "m1", &event).await;
    stage.until(300).await;
    stage.write("c", "m2", "forget it #cancel").await;
    stage.until(5_000).await;
    assert_eq!(
        stage.statuses("c").await,
        [ReplyStatus::Superseded, ReplyStatus::Delivered],
        "merged, not cancelled"
    );
}

#[tokio::test(start_paused = true)]
async fn a_mail_with_a_changed_body_is_another_mail() {
    let stage = Stage::set(Setting::without_debounce().with_tools([tool("email.send")])).await;
    let mail = |body: &str| {
        let mail = json!({ "to": "Ana@example.org", "subject": "Factura", "body": body });
        format!("#call email.send {mail}")
    };
    stage.write("c", "m1", &mail("Son 100 pesos.")).await;
    stage.until(5_000).await;
    stage.write("c", "m2", &mail("Son 120 pesos.")).await;
    stage.until(10_000).await;
    stage.write("c", "m3", &mail("Son 120 pesos. ")).await;
    stage.until(15_000).await;
    assert_eq!(stage.world.props.tool.worked().len(), 2);
    assert_eq!(records(&stage).await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_same_meeting_next_day_is_another_meeting() {
    let stage = Stage::set(calendar()).await;
    for day in ["08", "09"] {
        let event = json!({ "title": "Standup", "start": format!("2030-01-{day}T09:00:00Z") });
        stage.write("c", day, &create(&event)).await;
        stage.until(stage.t() + 5_000).await;
    }
    assert_eq!(made(&stage), ["Standup", "Standup"]);
    assert!(records(&stage).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_failed_may_be_made_again_at_once() {
    let stage = Stage::set(calendar()).await;
    stage.world.props.tool.next(&[Turnout::Refuses]);
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    stage.write("c", "m1", &event).await;
    stage.until(2_000).await;
    stage.write("c", "m2", &event).await;
    stage.until(5_000).await;
    assert_eq!(words(&stage, "c"), ["failed", "done"]);
    assert_eq!(made(&stage).len(), 1);
    assert!(records(&stage).await.is_empty());
    let states: Vec<CallState> = calls(&stage)
        .await
        .iter()
        .map(|call| call.entry.state)
        .collect();
    assert_eq!(states, [CallState::Failed, CallState::Done]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_timed_out_is_not_made_again() {
    let stage = Stage::set(calendar()).await;
    stage.world.props.tool.next(&[Turnout::WorksAndHangs]);
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    stage.write("c", "m1", &event).await;
    stage.until(40_000).await;
    assert_eq!(words(&stage, "c"), ["unknown"]);
    stage.write("c", "m2", &event).await;
    stage.until(50_000).await;
    assert_eq!(words(&stage, "c"), ["unknown", "unknown"]);
    assert_eq!(made(&stage).len(), 1);
    let records = records(&stage).await;
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].call.avoided, Avoided::Unknown);
    let call = &calls(&stage).await[0];
    assert_eq!(
        (call.entry.state, call.code.as_deref()),
        (CallState::Unknown, Some("timeout"))
    );

    // A person finds out that nothing happened: it may be made again.
    let by = By {
        name: "ana".to_owned(),
        reason: Some("not in the calendar".to_owned()),
        request_id: "r1".to_owned(),
    };
    let settlement = Settlement::Failed {
        code: "settled".to_owned(),
    };
    let moment = stage.engine.guard().moment();
    let ledger = &stage.world.store;
    ledger
        .settle_by(call.entry.action, settlement, by, &moment)
        .await
        .unwrap();
    stage.write("c", "m3", &event).await;
    stage.until(60_000).await;
    assert_eq!(words(&stage, "c"), ["unknown", "unknown", "done"]);
}

#[tokio::test(start_paused = true)]
async fn of_32_calls_at_once_one_has_its_effect_and_all_get_its_result() {
    let stage = Stage::set(calendar().with_tool_ms(800)).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    let text = format!("#calls\n{}", vec![event; 32].join("\n"));
    stage.write("c", "m1", &text).await;
    stage.until(5_000).await;
    assert_eq!(made(&stage).len(), 1);
    assert_eq!(stage.world.props.tool.began(), 1);
    let outcomes = stage.world.props.agent.outcomes();
    assert_eq!(outcomes.len(), 32);
    for outcome in &outcomes {
        let result = match outcome {
            CallOutcome::Done { result } | CallOutcome::Duplicate { result, .. } => result,
            other => panic!("{other:?}"),
        };
        assert_eq!(*result, json!({ "number": 1 }));
    }
    let records = records(&stage).await;
    assert_eq!(records.len(), 31);
    assert!(
        records
            .iter()
            .all(|record| record.call.avoided == Avoided::Joined)
    );
}

#[tokio::test(start_paused = true)]
async fn whoever_waited_for_a_call_that_failed_runs_in_its_place() {
    let stage = Stage::set(calendar().with_tool_ms(800)).await;
    stage
        .world
        .props
        .tool
        .next(&[Turnout::Refuses, Turnout::Refuses]);
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    let text = format!("#calls\n{}", vec![event; 4].join("\n"));
    stage.write("c", "m1", &text).await;
    stage.until(8_000).await;
    let mut said = words(&stage, "c");
    said.sort();
    assert_eq!(said, ["done", "done before", "failed", "failed"]);
    assert_eq!(made(&stage).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_in_another_process_is_waited_for() {
    let setting = calendar().with_tool_ms(3_000).shared();
    let one = stage::World::new(setting).await.open(1).await;
    let other = one.world.open(2).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    let write = |stage: &Stage, id: &'static str, conversation: &'static str| {
        let mut inbound = stage::inbound("webchat", "c", id, &event);
        conversation.clone_into(&mut inbound.key.conversation);
        let engine = stage.engine.clone();
        async move { engine.receive(inbound).await.unwrap() }
    };
    // One person in two groups, so that two turns run at once.
    write(&one, "m1", "group1").await;
    settle().await;
    write(&other, "m2", "group2").await;
    one.until(10_000).await;
    assert_eq!(made(&one).len(), 1);
    let records = records(&one).await;
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].call.avoided, Avoided::Joined);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_dies_between_effect_and_mark_leaves_unknown() {
    let stage = Stage::set(calendar().with_tool_ms(500)).await;
    stage.world.props.tool.next(&[Turnout::WorksAndHangs]);
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    stage.write("c", "m1", &event).await;
    stage.until(2_000).await;
    let stage = stage.crash(2).await;
    // The turn begins anew, its agent calls again, and is told.
    stage.until(6_000).await;
    assert_eq!(made(&stage).len(), 1);
    assert_eq!(words(&stage, "c"), ["unknown"]);
    let outcomes = stage.world.props.agent.outcomes();
    let CallOutcome::Unknown { note } = outcomes.last().unwrap() else {
        panic!("{outcomes:?}");
    };
    assert!(note.contains("nobody knows"), "{note}");
    let call = &calls(&stage).await[0];
    assert_eq!(call.code.as_deref(), Some("process_died"));
}

#[tokio::test(start_paused = true)]
async fn a_call_outlives_the_turn_that_made_it() {
    let mut setting = calendar().with_tool_ms(4_000);
    setting.settings[0].agent_timeout_ms = 2_000;
    let stage = Stage::set(setting).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    stage.write("c", "m1", &event).await;
    stage.until(3_000).await;
    // The agent's time is over, and a turn that reserved an effect is not run again.
    assert_eq!(stage.statuses("c").await, [ReplyStatus::Parked]);
    stage.until(5_000).await;
    let call = &calls(&stage).await[0];
    assert_eq!(call.entry.state, CallState::Done);
    stage.write("c", "m2", &event).await;
    stage.until(9_000).await;
    assert_eq!(made(&stage).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn under_an_old_fencing_token_nothing_runs() {
    let stage = Stage::set(calendar().with_agent_ms(1_000)).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    stage.write("c", "m1", &event).await;
    stage.until(500).await;
    // The turn may start no effect any more.
    stage.write("c", "m2", "/stop").await;
    stage.until(10_000).await;
    assert_eq!(stage.world.props.tool.began(), 0);
    let standing = calls(&stage).await;
    assert!(
        standing
            .iter()
            .all(|call| call.entry.state == CallState::Failed),
        "{standing:?}"
    );
    stage.write("c", "m3", &event).await;
    stage.until(20_000).await;
    assert_eq!(made(&stage).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn reads_are_never_guarded() {
    let list = Tool {
        effect: Effect::Read,
        ..tool("calendar.list_events")
    };
    let stage = Stage::set(Setting::without_debounce().with_tools([list])).await;
    for id in ["m1", "m2", "m3"] {
        stage.write("c", id, "#call calendar.list_events {}").await;
        stage.until(stage.t() + 2_000).await;
    }
    assert_eq!(stage.world.props.tool.worked().len(), 3);
    assert!(calls(&stage).await.is_empty());
    assert!(stage.replies("c").await.iter().all(|reply| !reply.effects));
}

#[tokio::test(start_paused = true)]
async fn another_person_is_another_meaning_unless_the_scope_is_the_channel() {
    let shared = Tool {
        scope: Scope::Channel,
        ..tool("room.book")
    };
    let stage = Stage::set(calendar().with_tools([shared])).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    for contact in ["ana", "rui"] {
        stage.write(contact, contact, &event).await;
    }
    stage.until(5_000).await;
    assert_eq!(made(&stage).len(), 2);
    for contact in ["ana", "rui"] {
        stage
            .write(
                contact,
                &format!("{contact}2"),
                "#call room.book {\"room\": 5}",
            )
            .await;
        stage.until(stage.t() + 2_000).await;
    }
    assert_eq!(stage.world.props.tool.worked().len(), 3);
    let records = records(&stage).await;
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].call.whom, key("webchat", "rui"));
}

#[tokio::test(start_paused = true)]
async fn the_window_ends_ten_minutes_after_the_success() {
    let stage = Stage::set(calendar().with_tool_ms(2_000)).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    stage.write("c", "m1", &event).await;
    stage.until(601_999).await;
    stage.write("c", "m2", &event).await;
    stage.until(602_500).await;
    assert_eq!(made(&stage).len(), 1);
    stage.write("c", "m3", &event).await;
    stage.until(610_000).await;
    assert_eq!(made(&stage).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_pass_lets_one_call_through_and_a_verdict_is_kept() {
    let stage = Stage::set(calendar()).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    for id in ["m1", "m2"] {
        stage.write("c", id, &event).await;
        stage.until(stage.t() + 2_000).await;
    }
    let record = records(&stage).await.remove(0);
    let ledger = &stage.world.store;
    let now = stage.world.clock.now();
    let verdict = Verdict {
        opinion: Opinion::ShouldHaveRun,
        comment: None,
        by: "ana".to_owned(),
        at: now,
    };
    let judged = ledger.judge(record.call.id, None, verdict).await.unwrap();
    assert_eq!(judged, Judged::Now);
    let pass = NewPass {
        fingerprint: record.call.fingerprint,
        at: now,
        until: now.plus(3_600_000),
        by: By {
            name: "ana".to_owned(),
            reason: None,
            request_id: "r1".to_owned(),
        },
    };
    ledger.allow_once(pass).await.unwrap();
    for id in ["m3", "m4"] {
        stage.write("c", id, &event).await;
        stage.until(stage.t() + 2_000).await;
    }
    assert_eq!(
        words(&stage, "c"),
        ["done", "done before", "done", "done before"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_not_the_agents_is_denied() {
    let other = Tool {
        channels: Some(vec!["other".to_owned()]),
        ..tool("pay")
    };
    let stage = Stage::set(Setting::without_debounce().with_tools([other])).await;
    stage
        .write("c", "m1", "#call pay {}\n#call nothing {}")
        .await;
    stage.until(2_000).await;
    assert_eq!(words(&stage, "c"), ["denied", "denied"]);
    assert_eq!(stage.world.props.tool.began(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_tool_whose_service_recognises_the_key_is_called_again_with_it() {
    let retried = Tool {
        on_unknown: OnUnknown::Retry,
        ..tool(CREATE)
    };
    let stage = Stage::set(Setting::without_debounce().with_tools([retried])).await;
    stage.world.props.tool.next(&[Turnout::WorksAndForgets]);
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    for id in ["m1", "m2"] {
        stage.write("c", id, &event).await;
        stage.until(stage.t() + 2_000).await;
    }
    let worked = stage.world.props.tool.worked();
    assert_eq!(worked.len(), 2);
    assert_eq!(worked[0].call.key, worked[1].call.key);
    assert_ne!(worked[0].call.action, worked[1].call.action);
}

#[tokio::test(start_paused = true)]
async fn the_meaning_is_told_by_the_recipe_that_is_set() {
    let pay = Tool {
        recipe: Recipe {
            reading: replygate_gate::tools::Reading {
                dates: Some(DateOrder::DayFirst),
                ..Default::default()
            },
            ..Recipe::fields(vec![
                Field::named("invoice", Spelling::Text),
                Field::named("amount", Spelling::Money),
                Field::named("due", Spelling::Instant),
            ])
        },
        ..tool("pay")
    };
    let stage = Stage::set(Setting::without_debounce().with_tools([pay])).await;
    for (id, call) in [
        (
            "m1",
            json!({ "invoice": "F-7", "amount": "R$ 1.250,00", "due": "05/03/2030" }),
        ),
        (
            "m2",
            json!({ "due": "2030-03-05", "note": "hoje", "amount": "BRL 1250", "invoice": "f-7" }),
        ),
        (
            "m3",
            json!({ "invoice": "F-7", "amount": "R$ 1.250,01", "due": "05/03/2030" }),
        ),
    ] {
        stage.write("c", id, &format!("#call pay {call}")).await;
        stage.until(stage.t() + 2_000).await;
    }
    assert_eq!(words(&stage, "c"), ["done", "done before", "done"]);
}

#[tokio::test(start_paused = true)]
async fn a_stepped_wall_clock_neither_ends_a_window_nor_keeps_it_open() {
    for step_ms in [3_600_000, -3_600_000] {
        let world = stage::World::new(calendar()).await;
        let clock = Arc::new(Stepping::over(world.clock.clone()));
        let stage = world.open_by(3, clock.clone()).await;
        let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
        stage.write("c", "m1", &event).await;
        stage.until(10_000).await;
        clock.step(step_ms);
        stage.write("c", "m2", &event).await;
        stage.until(300_000).await;
        stage.write("c", "m3", &event).await;
        stage.until(599_000).await;
        stage.write("c", "m4", &event).await;
        stage.until(599_500).await;
        assert_eq!(made(&stage).len(), 1, "{step_ms}");
        stage.until(601_000).await;
        stage.write("c", "m5", &event).await;
        stage.until(605_000).await;
        assert_eq!(made(&stage).len(), 2, "{step_ms}");
    }
}

/// A wall clock that a test steps; its monotonic side goes on.
struct Stepping {
    clock: Arc<dyn Clock>,
    by: std::sync::atomic::AtomicI64,
}

impl Stepping {
    fn over(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            by: 0.into(),
        }
    }

    fn step(&self, ms: i64) {
        self.by.fetch_add(ms, std::sync::atomic::Ordering::Relaxed);
    }
}

#[async_trait::async_trait]
impl Clock for Stepping {
    fn now(&self) -> replygate_gate::At {
        let by = self.by.load(std::sync::atomic::Ordering::Relaxed);
        replygate_gate::At(self.clock.now().0 + by)
    }

    fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    async fn sleep(&self, wait: Duration) {
        self.clock.sleep(wait).await;
    }
}

fn group(conversation: &str, contact: &str) -> SessionKey {
    SessionKey {
        conversation: conversation.to_owned(),
        ..key("webchat", contact)
    }
}

#[tokio::test(start_paused = true)]
async fn one_person_in_two_chats_is_one_person_unless_the_scope_is_the_session() {
    let own = Tool {
        scope: Scope::Session,
        ..tool("note.add")
    };
    let stage = Stage::set(calendar().with_tools([own])).await;
    let event = create(&json!({ "title": "A", "start": "2030-01-08T15:00:00Z" }));
    for (number, text) in [event.as_str(), "#call note.add {\"text\":\"x\"}"]
        .iter()
        .enumerate()
    {
        for chat in ["g1", "g2"] {
            let mut inbound = stage::inbound("webchat", "ana", &format!("{chat}{number}"), text);
            inbound.key = group(chat, "ana");
            stage.receive(inbound).await;
            stage.until(stage.t() + 2_000).await;
        }
    }
    let worked: Vec<String> = stage
        .world
        .props
        .tool
        .worked()
        .iter()
        .map(|one| one.call.tool.clone())
        .collect();
    assert_eq!(worked, [CREATE, "note.add", "note.add"]);
}
