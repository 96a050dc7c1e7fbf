//! What people reported about actions that happen twice, or never again: each report, and others of its kind.

#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

mod stage;

use replygate_gate::tools::{Avoided, Field, Recipe, RecipeKind, Spelling};
use replygate_ports::ledger::{Duplicate, DuplicateQuery, Ledger};
use replygate_ports::settings::Choice;
use replygate_ports::tools::{CallOutcome, Effect, Tool};
use replygate_testkit::scripted::Turnout;
use serde_json::{Value, json};
use stage::{Setting, Stage};

fn tool(name: &str) -> Tool {
    Tool::new(name, Effect::Write, Choice::named("scripted"))
}

async fn stage(tool: Tool) -> Stage {
    Stage::set(Setting::without_debounce().with_tools([tool])).await
}

async fn call(stage: &Stage, t: i64, id: &str, tool: &str, arguments: &Value) {
    stage.until(t).await;
    let received = stage
        .write("c", id, &format!("#call {tool} {arguments}"))
        .await;
    assert!(!received.duplicate);
}

async fn records(stage: &Stage) -> Vec<Duplicate> {
    let query = DuplicateQuery {
        limit: 1_000,
        ..DuplicateQuery::default()
    };
    stage.world.store.duplicates(&query).await.unwrap()
}

fn outcomes(stage: &Stage) -> Vec<&'static str> {
    let outcomes = stage.world.props.agent.outcomes();
    outcomes
        .iter()
        .map(|outcome| match outcome {
            CallOutcome::Done { .. } => "done",
            CallOutcome::Duplicate { .. } => "duplicate",
            CallOutcome::Failed { .. } => "failed",
            CallOutcome::Unknown { .. } => "unknown",
            CallOutcome::Denied { .. } => "denied",
        })
        .collect()
}

/// Plays pairs of calls, each pair in a world of its own; whether the second one was a duplicate.
async fn is_same(tool_: &Tool, first: &Value, second: &Value) -> bool {
    let stage = stage(tool_.clone()).await;
    call(&stage, 3_000, "m1", &tool_.name, first).await;
    call(&stage, 21_000, "m2", &tool_.name, second).await;
    stage.until(25_000).await;
    let said = outcomes(&stage);
    let worked = stage.world.props.tool.worked().len();
    match said.as_slice() {
        ["done", "duplicate"] if worked == 1 => true,
        ["done", "done"] if worked == 2 => false,
        other => panic!("{other:?} {worked}"),
    }
}

/// FC-41: one request, two calls of a tool eighteen seconds apart, the second with another case, a blank and an end.
#[tokio::test(start_paused = true)]
async fn fc_41_a_second_call_that_says_more_is_the_same_event() {
    let stage = stage(tool("create_event")).await;
    let first = json!({ "title": "Revisión del calentador", "start": "2030-01-08T09:00:00" });
    let second = json!({ "title": "revisión del calentador ", "start": "2030-01-08T09:00:00", "end": "2030-01-08T10:00:00" });
    call(&stage, 3_000, "tg-3601", "create_event", &first).await;
    call(&stage, 21_000, "tg-3602", "create_event", &second).await;
    stage.until(25_000).await;
    assert_eq!(stage.world.props.tool.worked().len(), 1);
    let records = records(&stage).await;
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].call.avoided, Avoided::Repeated);
    assert_eq!(records[0].call.age_ms, 18_000);
    assert!(
        records[0].call.note.contains("18 se"),
        "{}",
        records[0].call.note
    );
    // Success, with a note.
    assert_eq!(outcomes(&stage), ["done", "duplicate"]);
}

#[tokio::test(start_paused = true)]
async fn of_the_kind_of_fc_41_what_makes_no_other_event() {
    let create = tool("calendar.create_event");
    let first = json!({ "title": "Revisión", "start": "2030-01-08T15:00:00-03:00" });
    for second in [
        json!({ "start": "2030-01-08T15:00:00-03:00", "title": "Revisión" }),
        json!({ "title": "REVISIÓN", "start": "2030-01-08T15:00:00-03:00" }),
        json!({ "title": " Revisi\u{6f}\u{301}n", "start": "2030-01-08T18:00:00Z" }),
        json!({ "title": "Revisión", "start": "2030-01-08 18:00" }),
        json!({ "title": "Revisión", "start": "8 de enero de 2030 a las 18:00" }),
        json!({ "title": "Revisión", "start": 1_894_125_600 }),
        json!({ "summary": "Revisión", "start": { "dateTime": "2030-01-08T15:00:00", "timeZone": "America/Sao_Paulo" } }),
        json!({ "event": { "title": "Revisión", "startTime": "2030-01-08T15:00:00-0300" } }),
        json!({ "title": "Revisión", "date": "2030-01-08", "time": "18:00" }),
        json!({ "title": "Revisión", "start": "2030-01-08T15:00:00-03:00", "location": "casa", "attendees": ["x"], "reminders": [] }),
    ] {
        assert!(is_same(&create, &first, &second).await, "{second}");
    }
}

#[tokio::test(start_paused = true)]
async fn of_the_kind_of_fc_41_what_makes_another_event() {
    let create = tool("calendar.create_event");
    let first = json!({ "title": "Revisión", "start": "2030-01-08T15:00:00-03:00" });
    for second in [
        json!({ "title": "Revisión 2", "start": "2030-01-08T15:00:00-03:00" }),
        json!({ "title": "Revision", "start": "2030-01-08T15:00:00-03:00" }),
        json!({ "title": "Revisión", "start": "2030-01-08T15:00:00-04:00" }),
        json!({ "title": "Revisión", "start": "2030-01-15T15:00:00-03:00" }),
        json!({ "title": "Revisión", "start": "2030-01-08" }),
    ] {
        assert!(!is_same(&create, &first, &second).await, "{second}");
    }
}

/// FC-43: a mail that failed cleanly may be sent when the customer asks again.
#[tokio::test(start_paused = true)]
async fn fc_43_a_clean_failure_blocks_nothing() {
    let stage = stage(tool("send_mail")).await;
    stage.world.props.tool.next(&[Turnout::Refuses]);
    let mail = json!({ "to": "ana@example.org", "subject": "Comprovante", "body": "Segue." });
    call(&stage, 3_000, "wa-3801", "send_mail", &mail).await;
    call(&stage, 40_000, "wa-3802", "send_mail", &mail).await;
    stage.until(45_000).await;
    assert_eq!(outcomes(&stage), ["failed", "done"]);
    assert_eq!(stage.world.props.tool.worked().len(), 1);
    // Only the success keeps it.
    call(&stage, 50_000, "wa-3803", "send_mail", &mail).await;
    stage.until(55_000).await;
    assert_eq!(outcomes(&stage), ["failed", "done", "duplicate"]);
}

#[tokio::test(start_paused = true)]
async fn of_the_kind_of_fc_43_a_mark_whose_process_died_does_not_stay_in_progress() {
    let stage = stage(tool("send_mail")).await;
    stage.world.props.tool.next(&[Turnout::Hangs]);
    let mail = json!({ "to": "ana@example.org", "subject": "Comprovante", "body": "Segue." });
    call(&stage, 1_000, "m1", "send_mail", &mail).await;
    stage.until(2_000).await;
    let stage = stage.crash(2).await;
    stage.until(5_000).await;
    // It is not repeated by itself, and whoever asks is told at once, not after a timeout.
    call(&stage, 6_000, "m2", "send_mail", &mail).await;
    stage.until(8_000).await;
    assert_eq!(outcomes(&stage), ["unknown", "unknown"]);
    assert_eq!(stage.world.props.tool.worked().len(), 0);
}

/// FC-44: a refusal is no result to be remembered, and what is answered from memory says so.
#[tokio::test(start_paused = true)]
async fn fc_44_a_refusal_that_is_no_longer_true_is_not_repeated() {
    let stage = stage(tool("book")).await;
    stage.world.props.tool.next(&[Turnout::Refuses]);
    let slot = json!({ "slot": "15:00" });
    call(&stage, 3_000, "wc-3901", "book", &slot).await;
    call(&stage, 65_000, "wc-3902", "book", &slot).await;
    call(&stage, 70_000, "wc-3903", "book", &slot).await;
    stage.until(75_000).await;
    assert_eq!(outcomes(&stage), ["failed", "done", "duplicate"]);
    let replayed = stage.world.props.agent.outcomes()[2].content();
    assert_eq!(replayed["replayed"], true);
    assert_eq!(replayed["done_seconds_ago"], 5);
}

/// FC-47: a reminder that a broker delivers three times goes out once: the job's own id is its meaning.
#[tokio::test(start_paused = true)]
async fn fc_47_a_job_that_is_delivered_again_has_its_effect_once() {
    const HOUR: i64 = 3_600_000;
    let remind = Tool {
        recipe: Recipe::fields(vec![Field::named("job", Spelling::Exact)]),
        window_ms: 24 * HOUR as u64,
        ..tool("reminder.send")
    };
    let stage = stage(remind).await;
    let job =
        |attempt: u32| json!({ "job": "j-42", "attempt": attempt, "text": "water the plants" });
    call(&stage, 6 * HOUR, "w1", "reminder.send", &job(1)).await;
    call(&stage, 6 * HOUR + 5, "w2", "reminder.send", &job(1)).await;
    call(&stage, 7 * HOUR, "w3", "reminder.send", &job(2)).await;
    stage.until(8 * HOUR).await;
    assert_eq!(stage.world.props.tool.worked().len(), 1);
    assert_eq!(records(&stage).await.len(), 2);
    let other = json!({ "job": "j-43", "attempt": 1, "text": "water the plants" });
    call(&stage, 9 * HOUR, "w4", "reminder.send", &other).await;
    stage.until(9 * HOUR + 5_000).await;
    assert_eq!(stage.world.props.tool.worked().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_mail_is_another_one_by_its_people_subject_or_words() {
    let send = tool("email.send");
    let first =
        json!({ "to": "Ana <ana@example.org>", "subject": "Factura F-7", "body": "Son 100.\n" });
    for (second, same) in [
        (
            json!({ "to": ["ANA@example.org"], "subject": "factura f-7", "body": "Son 100." }),
            true,
        ),
        (
            json!({ "to": "ana@example.org", "subject": "Factura F-7", "body": "Son 100.", "priority": "high" }),
            true,
        ),
        (
            json!({ "to": "rui@example.org", "subject": "Factura F-7", "body": "Son 100." }),
            false,
        ),
        (
            json!({ "to": ["ana@example.org", "rui@example.org"], "subject": "Factura F-7", "body": "Son 100." }),
            false,
        ),
        (
            json!({ "to": "ana@example.org", "cc": "rui@example.org", "subject": "Factura F-7", "body": "Son 100." }),
            false,
        ),
        (
            json!({ "to": "ana@example.org", "subject": "Factura F-8", "body": "Son 100." }),
            false,
        ),
        (
            json!({ "to": "ana@example.org", "subject": "Factura F-7", "body": "Son 120." }),
            false,
        ),
        (
            json!({ "to": "ana@example.org", "subject": "Factura F-7", "body": "Son 100.", "attachments": ["f7.pdf"] }),
            false,
        ),
    ] {
        assert_eq!(is_same(&send, &first, &second).await, same, "{second}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_nobody_described_is_compared_by_all_its_arguments() {
    let refund = tool("refund");
    let first = json!({ "order": "A-1", "amount": 10.0, "lines": [1, 2] });
    for (second, same) in [
        (
            json!({ "lines": [1, 2], "amount": 10, "order": "A-1" }),
            true,
        ),
        (
            json!({ "order": "A-1", "amount": 10.5, "lines": [1, 2] }),
            false,
        ),
        (
            json!({ "order": "A-1", "amount": 10, "lines": [2, 1] }),
            false,
        ),
        (
            json!({ "order": "A-1", "amount": 10, "lines": [1, 2], "note": "x" }),
            false,
        ),
        (
            json!({ "order": "a-1", "amount": 10, "lines": [1, 2] }),
            false,
        ),
    ] {
        assert_eq!(is_same(&refund, &first, &second).await, same, "{second}");
    }
    let lax = Tool {
        recipe: Recipe {
            ignore: vec!["note".to_owned(), "trace_id".to_owned()],
            ..Recipe::of(RecipeKind::Arguments)
        },
        ..refund
    };
    let second =
        json!({ "order": "A-1", "amount": 10, "lines": [1, 2], "note": "x", "traceId": "77" });
    assert!(is_same(&lax, &first, &second).await);
}
