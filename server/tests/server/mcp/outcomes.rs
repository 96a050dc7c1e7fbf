//! How calls end, and what the same call gets later.

use std::sync::Arc;

use futures::future::join_all;
use replygate_gate::tools::CallState;
use replygate_ports::ledger::{Avoided, CallQuery, DuplicateQuery};
use replygate_testkit::backends::{Act, End};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::line::{Line, answer, booked, booking, call, event, house, is_refusal, stand, words};
use crate::house::House;

const QUICKLY: &str = "timeout_ms = 300";

async fn states(house: &House) -> Vec<CallState> {
    let every = CallQuery {
        limit: 100,
        ..CallQuery::default()
    };
    let ledger = &house.running.service().stores.ledger;
    let calls = ledger.calls(&every).await.unwrap();
    calls.iter().map(|call| call.entry.state).collect()
}

async fn avoided(house: &House) -> Vec<Avoided> {
    let every = DuplicateQuery {
        limit: 100,
        ..DuplicateQuery::default()
    };
    let ledger = &house.running.service().stores.ledger;
    let records = ledger.duplicates(&every).await.unwrap();
    records.iter().map(|record| record.call.avoided).collect()
}

fn progress(done: i64) -> Value {
    let params = json!({ "progressToken": 1, "progress": done });
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
}

#[tokio::test(flavor = "multi_thread")]
async fn of_32_calls_at_once_one_reaches_the_server() {
    let done = Arc::new(Notify::new());
    let result = event("e2", &answer(&json!(0), &booked()));
    let stand = stand([Act::stream([event("e1", &progress(1)), result]).held(1, &done)]).await;
    let house = house(&stand, "").await;
    let ana = Line::of(&house, "ana");
    let first = booking(&json!(0), "Yoga");
    let rest: Vec<Value> = (1..32).map(|id| booking(&json!(id), "yoga ")).collect();
    let first = async {
        let result = ana.result(&first).await;
        assert_eq!(result, booked());
    };
    let rest = async {
        stand.begun(1).await;
        let calls = join_all(rest.iter().map(|call| ana.result(call)));
        let told = async {
            tokio::task::yield_now().await;
            done.notify_one();
        };
        let (results, ()) = tokio::join!(calls, told);
        for result in results {
            assert_eq!(result["structuredContent"], booked()["structuredContent"]);
            assert!(words(&result).len() > "booked".len() && !is_refusal(&result));
        }
    };
    tokio::join!(first, rest);
    assert_eq!(stand.seen().len(), 1);
    assert_eq!(avoided(&house).await.len(), 31);
    assert_eq!(states(&house).await, [CallState::Done]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_failed_may_be_made_again() {
    let failed = json!({ "content": [{ "type": "text", "text": "no room" }], "isError": true });
    let error = json!({ "jsonrpc": "2.0", "id": 2, "error": { "code": -32_602, "message": "m" } });
    let stand = stand([
        Act::json(200, &answer(&json!(1), &failed)),
        Act::json(200, &error),
        Act::json(404, &json!({ "why": "gone" })),
        Act::json(200, &answer(&json!(4), &booked())),
    ])
    .await;
    let house = house(&stand, "").await;
    let ana = Line::of(&house, "ana");
    assert_eq!(ana.result(&booking(&json!(1), "Yoga")).await, failed);
    let response = ana.post(&booking(&json!(2), "Yoga")).await;
    assert_eq!(response.json::<Value>().await.unwrap(), error);
    let response = ana.post(&booking(&json!(3), "Yoga")).await;
    assert_eq!(response.status(), 404);
    assert_eq!(
        response.json::<Value>().await.unwrap(),
        json!({ "why": "gone" })
    );
    assert_eq!(ana.result(&booking(&json!(4), "Yoga")).await, booked());
    let mut states = states(&house).await;
    states.sort_by_key(|state| state.as_str());
    let failed = CallState::Failed;
    assert_eq!(states, [CallState::Done, failed, failed, failed]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tools_own_error_is_unknown_where_that_is_said() {
    let failed = json!({ "content": [], "isError": true });
    let stand = stand([Act::json(200, &answer(&json!(1), &failed))]).await;
    let house = house(&stand, "tool_errors = \"unknown\"").await;
    let ana = Line::of(&house, "ana");
    assert_eq!(ana.result(&booking(&json!(1), "Yoga")).await, failed);
    let again = ana.result(&booking(&json!(2), "Yoga")).await;
    assert!(
        is_refusal(&again) && words(&again).contains("may have been done"),
        "{again}"
    );
    assert_eq!(stand.seen().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_have_happened_is_never_repeated() {
    let whole = Act::stream([event("e1", &progress(1))]);
    for (act, status) in [
        (Act::Silence, 200),
        (Act::json(503, &json!({})), 503),
        (Act::json(202, &Value::Null), 202),
        (whole.clone(), 200),
        (whole.clone().cut(1, End::Silence), 200),
        (Act::json(200, &answer(&json!("other"), &booked())), 200),
    ] {
        let stand = stand([act.clone()]).await;
        let house = house(&stand, QUICKLY).await;
        let ana = Line::of(&house, "ana");
        let response = ana.post(&booking(&json!(1), "Yoga")).await;
        assert_eq!(response.status(), status, "{act:?}");
        let text = response.text().await.unwrap();
        if matches!(act, Act::Silence | Act::Stream { .. }) {
            assert!(text.contains("\"isError\":true"), "{act:?}: {text}");
        }
        let again = ana.result(&booking(&json!(2), "Yoga")).await;
        assert!(is_refusal(&again), "{act:?}: {again}");
        assert_eq!(stand.seen().len(), 1, "{act:?}");
        assert_eq!(states(&house).await, [CallState::Unknown], "{act:?}");
        assert_eq!(avoided(&house).await, [Avoided::Unknown], "{act:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_be_reached_or_redirects_did_nothing() {
    let elsewhere = Act::json(307, &Value::Null).with("location", "http://127.0.0.1:1/");
    let stand = stand([elsewhere, Act::json(200, &answer(&json!(2), &booked()))]).await;
    let house = house(&stand, "").await;
    let ana = Line::of(&house, "ana");
    let refused = ana.result(&booking(&json!(1), "Yoga")).await;
    assert!(is_refusal(&refused) && words(&refused).contains("nothing was done"));
    assert_eq!(ana.result(&booking(&json!(2), "Yoga")).await, booked());

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let gone = super::line::stand([]).await;
    let address = listener.local_addr().unwrap();
    drop(listener);
    let more = format!("[[mcp]]\nname = \"gone\"\nurl = \"http://{address}/\"\n");
    let house = super::line::house(&gone, &more).await;
    let ana = Line::of(&house, "ana").with("x-replygate-channel", "shop");
    let ana = ana.to("/mcp/gone");
    let refused = ana.result(&booking(&json!(1), "Yoga")).await;
    assert!(is_refusal(&refused) && words(&refused).contains("nothing was done"));
    assert_eq!(states(&house).await, [CallState::Failed]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_goes_on_when_its_client_goes_away() {
    let done = Arc::new(Notify::new());
    let result = event("e2", &answer(&json!(1), &booked()));
    let stand = stand([Act::stream([event("e1", &progress(1)), result]).held(1, &done)]).await;
    let house = house(&stand, "").await;
    let ana = Line::of(&house, "ana");
    let mut response = ana.post(&booking(&json!(1), "Yoga")).await;
    assert!(response.chunk().await.unwrap().is_some());
    drop(response);
    done.notify_one();
    let again = ana.result(&booking(&json!(2), "Yoga")).await;
    assert_eq!(again["structuredContent"], booked()["structuredContent"]);
    assert!(!is_refusal(&again), "{again}");
    assert_eq!(stand.seen().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_pass_as_often_as_they_are_asked() {
    let looked = json!({ "content": [{ "type": "text", "text": "free" }] });
    let acts = (1..=2).map(|id| Act::json(200, &answer(&json!(id), &looked)));
    let stand = stand(acts).await;
    let tools = "[[tools]]\nname = \"calendar.look\"\neffect = \"read\"\nhost = { kind = \"mcp\", server = \"cal\", tool = \"look\" }\n";
    let house = house(&stand, tools).await;
    let nobody = Line::bare(&house);
    for id in 1..=2 {
        let look = call(&json!(id), "look", &json!({}));
        assert_eq!(nobody.result(&look).await, looked);
    }
    assert!(states(&house).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_count_where_they_are_trusted_and_lists_pass_unchanged() {
    let tools = json!({ "tools": [
        { "name": "look", "inputSchema": {}, "annotations": { "readOnlyHint": true } },
        { "name": "set", "inputSchema": {}, "annotations": { "idempotentHint": true } },
    ] });
    let list = json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/list" });
    let spoken = answer(&json!(9), &tools).to_string();
    let listed = || Act::Answer {
        status: 200,
        headers: Vec::new(),
        body: spoken.clone(),
    };
    let (look, set) = (
        call(&json!(1), "look", &json!({})),
        call(&json!(1), "set", &json!({ "to": 5 })),
    );
    for (trust, looks, sets) in [
        ("trust = [\"readOnlyHint\", \"idempotentHint\"]", 2, 2),
        ("", 1, 1),
    ] {
        let stand = stand([listed()]).await;
        let house = house(&stand, &format!("{trust}\n{QUICKLY}")).await;
        let ana = Line::of(&house, "ana");
        let response = ana.post(&list).await;
        assert_eq!(response.text().await.unwrap(), spoken);
        for _ in 0..looks {
            stand.then(Act::json(200, &answer(&json!(1), &booked())));
        }
        for _ in 0..2 {
            ana.result(&look).await;
        }
        for _ in 0..sets {
            stand.then(Act::json(503, &json!({})));
        }
        for _ in 0..2 {
            ana.post(&set).await;
        }
        assert_eq!(stand.seen().len(), 1 + looks + sets, "{trust}");
        let keys: Vec<String> = stand
            .seen()
            .iter()
            .filter(|seen| seen.body["params"]["name"] == "set")
            .map(|seen| seen.header("idempotency-key").to_owned())
            .collect();
        assert!(
            keys.iter()
                .all(|key| *key == keys[0] && key.starts_with("act_"))
        );
    }
}
