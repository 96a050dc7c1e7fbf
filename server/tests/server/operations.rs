//! Deeds on many replies: planned on what was seen, carried out once, stopped by a word.

use replygate_gate::{OperationId, ReplyStatus};
use replygate_ports::operations::{ItemState, Operation, OperationState};
use reqwest::header::COOKIE;
use reqwest::{Method, Response};

use crate::house::{heard, location};
use crate::parked::Stuck;

const START: [(&str, &str); 5] = [
    ("steer", "start"),
    ("reason", "the customer called"),
    ("per_minute", "6000"),
    ("first", "0"),
    ("halt_percent", "20"),
];

async fn plan(stuck: &Stuck, fields: &[(&str, &str)]) -> Response {
    stuck
        .house
        .form("/parked/plan", &stuck.inside, fields)
        .await
}

/// Plans the one parked reply; the address of the plan.
async fn planned(stuck: &Stuck, request: &str) -> String {
    let (generation, _) = stuck.minted().await;
    let pick = format!("{}:{generation}", stuck.reply);
    let fields = [
        ("choice", "send"),
        ("pick", pick.as_str()),
        ("request_id", request),
    ];
    location(&plan(stuck, &fields).await).to_owned()
}

async fn operation(stuck: &Stuck, address: &str) -> Operation {
    let id: OperationId = address.rsplit('/').next().unwrap().parse().unwrap();
    let operations = &stuck.house.running.service().stores.operations;
    operations.operation(id).await.unwrap().unwrap()
}

/// Follows the operation's own topic until it is in this state.
async fn becomes(stuck: &Stuck, address: &str, state: OperationState) -> Operation {
    let id = address.rsplit('/').next().unwrap();
    let path = format!("/events/stream?topics=operation:{id}");
    let request = stuck.house.request(Method::GET, &path);
    let mut news = request.header(COOKIE, &stuck.inside).send().await.unwrap();
    loop {
        let now = operation(stuck, address).await;
        if now.state == state {
            return now;
        }
        heard(&mut news, "change").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_does_nothing_until_it_is_started_and_then_sends_once() {
    let stuck = Stuck::new().await;
    let address = planned(&stuck, "req_plan").await;
    let page = stuck.page(&address).await;
    assert!(page.contains("Reprocess 1 reply?"), "{page}");
    assert_eq!(stuck.status().await, ReplyStatus::Parked);
    assert_eq!(
        planned(&stuck, "req_plan").await,
        address,
        "the same form again"
    );

    let mut chat = stuck.listen().await;
    stuck.house.form(&address, &stuck.inside, &START).await;
    heard(&mut chat, "reply").await;
    let over = becomes(&stuck, &address, OperationState::Finished).await;
    assert_eq!(over.count(ItemState::Delivered), 1);
    assert_eq!(over.by, "admin");
    // Whoever presses start again finds it done.
    stuck.house.form(&address, &stuck.inside, &START).await;
    assert_eq!(stuck.deliveries().await, 1);
    let page = stuck.page(&address).await;
    assert!(
        page.contains("Finished") && page.contains("1 of 1 done"),
        "{page}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_since_the_plan_is_skipped_by_name() {
    let stuck = Stuck::new().await;
    let address = planned(&stuck, "req_plan").await;
    let (generation, request) = stuck.minted().await;
    stuck.choose("discard", &generation, &request).await;
    stuck.house.form(&address, &stuck.inside, &START).await;
    let over = becomes(&stuck, &address, OperationState::Finished).await;
    assert_eq!(over.count(ItemState::Skipped), 1);
    assert_eq!(stuck.deliveries().await, 0);
    let page = stuck.page(&address).await;
    assert!(page.contains("changed since the plan"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_match_needs_a_term_and_a_selection_needs_a_reply() {
    let stuck = Stuck::new().await;
    for (fields, missing) in [
        (vec![("choice", "send"), ("request_id", "a")], "pick"),
        (
            vec![
                ("choice", "send"),
                ("request_id", "b"),
                ("all", "yes"),
                ("as_of", "9999999999999"),
            ],
            "filter",
        ),
    ] {
        let response = plan(&stuck, &fields).await;
        let page = stuck.page(location(&response)).await;
        assert!(
            page.contains(&format!("Nothing was sent. Missing: {missing}")),
            "{page}"
        );
    }
    let matching = [
        ("choice", "discard"),
        ("request_id", "c"),
        ("all", "yes"),
        ("why", "human_takeover"),
        ("as_of", "9999999999999"),
    ];
    let address = location(&plan(&stuck, &matching).await).to_owned();
    assert_eq!(operation(&stuck, &address).await.items(), 1);
    let too_early = [
        ("choice", "discard"),
        ("request_id", "d"),
        ("all", "yes"),
        ("why", "human_takeover"),
        ("as_of", "1"),
    ];
    let response = plan(&stuck, &too_early).await;
    assert!(
        location(&response).contains("no=invalid"),
        "what came later is not included"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_operation_acts_on_nothing_more_also_after_a_restart() {
    let stuck = Stuck::new().await;
    let address = planned(&stuck, "req_plan").await;
    let stop = [("steer", "stop")];
    stuck.house.form(&address, &stuck.inside, &stop).await;
    let stopped = operation(&stuck, &address).await;
    assert_eq!(stopped.state, OperationState::Stopped);
    let refused = stuck.house.form(&address, &stuck.inside, &START).await;
    let page = stuck.page(location(&refused)).await;
    assert!(page.contains("It is now stopped"), "{page}");
    assert_eq!(stuck.status().await, ReplyStatus::Parked);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_operation_goes_on_after_a_restart_and_sends_nothing_twice() {
    let stuck = Stuck::new().await;
    let address = planned(&stuck, "req_plan").await;
    let stuck = stuck.reopened_with(&address, OperationState::Running).await;
    let over = becomes(&stuck, &address, OperationState::Finished).await;
    assert_eq!(over.count(ItemState::Delivered), 1);
    assert_eq!(stuck.deliveries().await, 1);
    let stuck = stuck.reopened_with(&address, OperationState::Running).await;
    becomes(&stuck, &address, OperationState::Finished).await;
    assert_eq!(
        stuck.deliveries().await,
        1,
        "acted on under the same request"
    );
}
