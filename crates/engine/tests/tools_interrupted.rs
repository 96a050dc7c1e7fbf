//! A message that interrupts, or rolls back, a turn while its tool call with an effect is anywhere: the effect happens once.

mod stage;

use replygate_gate::tools::CallState;
use replygate_ports::ledger::{Call, CallQuery, Ledger};
use replygate_ports::settings::{Choice, Strategy};
use replygate_ports::tools::{Effect, Tool};
use replygate_testkit::scripted::Turnout;
use serde_json::json;
use stage::{Setting, Stage};

const CREATE: &str = "calendar.create_event";
/// The agent thinks so long before it calls.
const THINKS: u64 = 1_000;
/// The tool takes so long.
const WORKS: u64 = 2_000;

fn under(strategy: Strategy) -> Setting {
    let tool = Tool::new(CREATE, Effect::Write, Choice::named("scripted"));
    let setting = Setting::without_debounce().with_tools([tool]);
    let mut setting = setting.with_agent_ms(THINKS).with_tool_ms(WORKS);
    setting.settings[0].strategy = strategy;
    setting
}

/// What makes the agent book, worded in one of two ways that mean the same.
fn book(end: Option<&str>) -> String {
    let mut event = json!({ "title": "Yoga", "start": "2030-01-08T15:00:00-03:00" });
    if let Some(end) = end {
        event["title"] = "YOGA".into();
        event["end"] = end.into();
    }
    format!("#call {CREATE} {event}")
}

fn again() -> String {
    book(Some("2030-01-08T16:00:00-03:00"))
}

async fn calls(stage: &Stage) -> Vec<Call> {
    let every = CallQuery {
        limit: 100,
        ..CallQuery::default()
    };
    stage.world.store.calls(&every).await.expect("the calls")
}

/// A moment of every kind: before the call, at its reservation, while it runs, at its end, behind it.
fn moments() -> impl Iterator<Item = i64> {
    let (thinks, works) = (THINKS as i64, WORKS as i64);
    let edges = [thinks, thinks + works].map(|edge| edge - 1..=edge + 1);
    (0..=5_000).step_by(500).chain(edges.into_iter().flatten())
}

#[tokio::test(start_paused = true)]
async fn whenever_the_second_wish_comes_the_effect_happens_once() {
    for strategy in [Strategy::Interrupt, Strategy::Rollback] {
        for moment in moments() {
            let stage = Stage::set(under(strategy)).await;
            stage.write("ana", "1", &book(None)).await;
            stage.until(moment).await;
            stage.write("ana", "2", &again()).await;
            stage.until(60_000).await;
            let made = stage.world.props.tool.worked().len();
            assert_eq!(made, 1, "{strategy} at {moment}");
            let calls = calls(&stage).await;
            let done = calls
                .iter()
                .filter(|call| call.entry.state == CallState::Done);
            assert_eq!(done.count(), 1, "{strategy} at {moment}: {calls:?}");
            let open = calls
                .iter()
                .filter(|call| matches!(call.entry.state, CallState::Running | CallState::Unknown));
            assert_eq!(open.count(), 0, "{strategy} at {moment}: {calls:?}");
            stage.sound().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_answers_is_unknown_to_both_turns_and_made_once() {
    for moment in moments().filter(|moment| *moment > THINKS as i64) {
        let stage = Stage::set(under(Strategy::Interrupt)).await;
        stage.world.props.tool.next(&[Turnout::WorksAndHangs]);
        stage.write("ana", "1", &book(None)).await;
        stage.until(moment).await;
        stage.write("ana", "2", &again()).await;
        stage.until(120_000).await;
        assert_eq!(stage.world.props.tool.worked().len(), 1, "at {moment}");
        assert_eq!(stage.world.props.tool.began(), 1, "at {moment}");
        let states: Vec<CallState> = calls(&stage)
            .await
            .iter()
            .map(|call| call.entry.state)
            .collect();
        assert_eq!(states, [CallState::Unknown], "at {moment}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_dies_between_them_makes_it_at_most_once() {
    for moment in moments() {
        let stage = Stage::set(under(Strategy::Interrupt)).await;
        stage.write("ana", "1", &book(None)).await;
        stage.until(moment).await;
        stage.write("ana", "2", &again()).await;
        let stage = stage.crash(2).await;
        stage.until(120_000).await;
        let made = stage.world.props.tool.worked().len();
        assert!(made <= 1, "at {moment}: {made}");
        let calls = calls(&stage).await;
        let done = calls
            .iter()
            .filter(|call| call.entry.state == CallState::Done);
        // What was done and not written down any more is unknown.
        assert!(done.count() <= made, "at {moment}: {calls:?}");
        assert!(
            calls
                .iter()
                .all(|call| call.entry.state != CallState::Running),
            "at {moment}: {calls:?}"
        );
    }
}
