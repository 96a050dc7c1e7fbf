//! `/v1/actions`: agents elsewhere ask before they call, and tell how it ended.

use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::house::{House, QUICK};
use crate::program::Program;

fn wish(title: &str) -> Value {
    json!({
        "tool": "calendar.create_event", "effect": "write", "channel": "demo", "contact": "ana",
        "arguments": { "title": title, "start": "2026-12-01T15:00:00-03:00" },
    })
}

/// The same meaning, as a model words it the second time.
fn again(title: &str) -> Value {
    let mut again = wish(title);
    again["arguments"] = json!({
        "start": "2026-12-01T18:00:00Z", "title": title.to_uppercase(), "end_datetime": "2026-12-01T19:00:00Z",
    });
    again["language"] = "es".into();
    again
}

struct Agent<'a>(Program<'a>);

impl Agent<'_> {
    fn of(house: &House) -> Agent<'_> {
        Agent(Program::with_scope(house, "actions"))
    }

    async fn ask(&self, wish: &Value) -> (u16, Value) {
        self.0.ask(Method::POST, "/v1/actions", wish.clone()).await
    }

    async fn waits(&self, wish: &Value, seconds: u64) -> (u16, Value) {
        let path = format!("/v1/actions?wait={seconds}");
        self.0.ask(Method::POST, &path, wish.clone()).await
    }

    /// Asks, has leave, and returns the call's id.
    async fn reserves(&self, wish: &Value) -> String {
        let (status, leave) = self.ask(wish).await;
        assert_eq!(
            (status, &leave["state"]),
            (201, &json!("reserved")),
            "{leave}"
        );
        leave["action"].as_str().unwrap().to_owned()
    }

    async fn settles(&self, action: &str, how: &str, body: Value) -> (u16, Value) {
        let path = format!("/v1/actions/{action}/{how}");
        self.0.ask(Method::POST, &path, body).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_done_is_answered_with_its_result_and_a_note() {
    let house = House::open(QUICK).await;
    let agent = Agent::of(&house);
    let (status, leave) = agent.ask(&wish("Coaching")).await;
    assert_eq!((status, &leave["state"]), (201, &json!("reserved")));
    assert!(leave["lease_seconds"].as_u64().unwrap() > 0);
    let action = leave["action"].as_str().unwrap();

    let (status, busy) = agent.ask(&again("Coaching")).await;
    assert_eq!((status, &busy["error"]), (409, &json!("in_progress")));
    assert_eq!(busy["first"]["action"], action);

    let result = json!({ "event": 7 });
    let (status, done) = agent
        .settles(action, "done", json!({ "result": result }))
        .await;
    assert_eq!((status, &done["repeated"]), (200, &json!(false)));
    let (status, done) = agent
        .settles(action, "done", json!({ "result": result }))
        .await;
    assert_eq!((status, &done["repeated"]), (200, &json!(true)));
    let (status, late) = agent.settles(action, "failed", json!({})).await;
    assert_eq!((status, &late["error"]), (409, &json!("settled_otherwise")));

    let (status, leave) = agent.ask(&again("Coaching")).await;
    assert_eq!((status, &leave["state"]), (200, &json!("duplicate")));
    let first = &leave["first"];
    assert_eq!(
        (&first["action"], &first["result"]),
        (&json!(action), &result)
    );
    assert!(first["at"].is_u64() && !leave["note"].as_str().unwrap().is_empty());
    let (status, call) = agent
        .0
        .ask(Method::GET, &format!("/v1/actions/{action}"), Value::Null)
        .await;
    assert_eq!((status, &call["state"]), (200, &json!("done")));
    // Somebody else's, and another hour, are other calls.
    let mut other = wish("Coaching");
    other["contact"] = "rui".into();
    agent.reserves(&other).await;
    agent.reserves(&wish("Yoga")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_one_runs_and_the_others_wait_for_its_result() {
    let house = House::open(QUICK).await;
    let agent = Agent::of(&house);
    let action = agent.reserves(&wish("Coaching")).await;
    let wished = again("Coaching");
    let waiting = (0..32).map(|_| agent.waits(&wished, 20));
    let told = async {
        agent.settles(&action, "done", json!({ "result": 1 })).await;
    };
    let (leaves, ()) = tokio::join!(join_all(waiting), told);
    for (status, leave) in leaves {
        assert_eq!(
            (status, &leave["state"]),
            (200, &json!("duplicate")),
            "{leave}"
        );
        assert_eq!(leave["first"]["action"], action);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_frees_the_call_and_an_unknown_outcome_does_not() {
    let house = House::open(QUICK).await;
    let agent = Agent::of(&house);
    let action = agent.reserves(&wish("Coaching")).await;
    let refused = json!({ "code": "no_room" });
    assert_eq!(agent.settles(&action, "failed", refused).await.0, 200);
    let action = agent.reserves(&again("Coaching")).await;
    assert_eq!(agent.settles(&action, "unknown", json!({})).await.0, 200);
    let (status, leave) = agent.ask(&wish("Coaching")).await;
    assert_eq!((status, &leave["state"]), (200, &json!("unknown")));
    assert_eq!(leave["first"]["action"], action);
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_need_no_leave_and_what_is_wrong_is_named() {
    let house = House::open(QUICK).await;
    let agent = Agent::of(&house);
    let mut reads = wish("Coaching");
    reads["effect"] = "read".into();
    assert_eq!(
        agent.ask(&reads).await,
        (200, json!({ "state": "unguarded" }))
    );
    for (field, value) in [
        ("tool", json!("a b")),
        ("arguments", json!([])),
        ("contact", json!("")),
        ("channel", Value::Null),
        ("effect", json!("maybe")),
        ("language", json!("fr")),
        ("colour", json!("red")),
    ] {
        let mut wrong = wish("Coaching");
        wrong[field] = value;
        let (status, told) = agent.ask(&wrong).await;
        assert_eq!((status, &told["field"]), (400, &json!(field)), "{told}");
        assert!(told["allowed"].is_string());
    }
    assert_eq!(agent.waits(&wish("Coaching"), 99).await.0, 400);
    let gone = "/v1/actions/act_00000000000000000000000000";
    assert_eq!(agent.0.ask(Method::GET, gone, Value::Null).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_good_for_its_own_scope_only() {
    let house = House::open(QUICK).await;
    let agent = Agent::of(&house);
    let (status, told) = agent.0.ask(Method::GET, "/v1/sessions", Value::Null).await;
    assert_eq!((status, &told["error"]), (403, &json!("scope")));
    let operator = Program::of(&house);
    let asked = operator.ask(Method::POST, "/v1/actions", wish("Coaching"));
    assert_eq!(asked.await.0, 403);
}
