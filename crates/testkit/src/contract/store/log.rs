//! The log of steps, and operators' deeds in it.

use futures::future::join_all;
use replygate_gate::control::Control;
use replygate_gate::{Command, Decision, ReplyId, SessionKey, evolve};
use replygate_ports::store::AppendError;

use crate::contract::StoreHarness;
use crate::contract::stage::{Beside, Stage, accepted, busy, deed, direct, silence, verdict};

/// A session that has seen most of what can happen.
async fn eventful(stage: &mut Stage, key: &SessionKey) {
    let (_, first) = stage.exchange(key, "two shirts", "two shirts").await;
    let epoch = stage.load(key).await.session.epoch;
    stage.arrive(key, "and a hat").await;
    let judge = Command::Judge {
        epoch: epoch + 1,
        verdicts: vec![verdict(first, Decision::Merge)],
    };
    stage.act(key, judge).await;
    let fence = stage.take(key).await;
    stage
        .act(
            key,
            Command::ReserveEffect {
                fence,
                tool: Some("pay".to_owned()),
                action: Some(replygate_gate::ActionId(7)),
            },
        )
        .await;
    let merge = vec![verdict(first, Decision::Merge)];
    let second = stage
        .commit(key, fence, merge, &["shirts", "a hat"])
        .await
        .unwrap();
    stage.hand_over(key, second, accepted()).await;
    let token = stage
        .load(key)
        .await
        .session
        .reply(second)
        .unwrap()
        .claim
        .clone()
        .unwrap()
        .token;
    stage
        .act(
            key,
            Command::Settle {
                token,
                outcome: silence(),
            },
        )
        .await;
    let target = stage.target(key, second).await;
    stage.act(key, Command::Reprocess(target)).await;
    stage.hand_over(key, second, busy()).await;
    stage.control(key, Control::Stop).await;
    stage
        .act(
            key,
            Command::Lock {
                holder: "crm".to_owned(),
                lease_ms: 10,
                ttl_ms: 60_000,
            },
        )
        .await;
    stage.arrive(key, "hello?").await;
    let fence = stage.take(key).await;
    stage.fail(key, fence).await;
    stage
        .act(
            key,
            Command::TakeOver {
                by: "ana".to_owned(),
            },
        )
        .await;
}

pub async fn stored_steps_replay_to_the_stored_session<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    eventful(&mut stage, &ana).await;

    let steps = stage.store.events(ana.session(), 0, 1_000).await.unwrap();
    let stored = stage.load(&ana).await;
    assert_eq!(
        steps.iter().map(|step| step.version).collect::<Vec<_>>(),
        (1..=stored.version).collect::<Vec<_>>()
    );
    let replayed = steps
        .iter()
        .flat_map(|step| &step.events)
        .fold(replygate_gate::Session::default(), evolve);
    assert_eq!(replayed, stored.session);
    assert!(steps.iter().all(|step| step.actor == "stage"));
}

pub async fn steps_are_paged_by_version<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    for number in 0..7 {
        stage.arrive(&ana, &number.to_string()).await;
        stage.later(10);
    }
    stage.arrive(&direct("rui"), "another").await;

    let whole = stage.store.events(ana.session(), 0, 100).await.unwrap();
    assert_eq!(whole.len(), 7);
    assert_eq!(
        stage.store.events(ana.session(), 2, 3).await.unwrap(),
        whole[2..5]
    );
    assert_eq!(
        stage.store.events(ana.session(), 5, 100).await.unwrap(),
        whole[5..]
    );
    assert_eq!(stage.store.events(ana.session(), 7, 100).await.unwrap(), []);
    assert!(
        whole
            .windows(2)
            .all(|pair| pair[0].at.plus(10) == pair[1].at)
    );
}

pub async fn a_repeated_request_names_the_first_deed<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    stage.arrive(&ana, "hello").await;
    stage.arrive(&rui, "hello").await;
    let take_over = Command::TakeOver {
        by: "eva".to_owned(),
    };
    let action = deed("request-1", "take_over", Some(ReplyId(9)));
    let beside = Beside {
        action: Some(action.clone()),
        ..Beside::default()
    };
    stage
        .try_act(&ana, &take_over, beside.clone())
        .await
        .unwrap();
    let record = stage.store.action("request-1").await.unwrap().unwrap();
    assert_eq!(
        (&record.action, record.session, record.at),
        (&action, ana.session(), stage.now)
    );

    // The same request on another session is still the same request.
    let before = stage.load(&rui).await;
    let refused = stage.try_act(&rui, &take_over, beside).await.unwrap_err();
    assert!(
        matches!(&refused, AppendError::Repeated(first) if **first == record),
        "{refused:?}"
    );
    assert_eq!(stage.load(&rui).await, before);
}

pub async fn a_request_that_raced_itself_is_carried_out_once<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    stage.arrive(&ana, "hello").await;
    stage.arrive(&rui, "hello").await;
    let take_over = Command::TakeOver {
        by: "eva".to_owned(),
    };
    let beside = Beside {
        action: Some(deed("request-1", "take_over", None)),
        ..Beside::default()
    };
    let appends = [
        stage.step(&ana, &take_over, beside.clone()).await.unwrap(),
        stage.step(&rui, &take_over, beside).await.unwrap(),
    ];

    let results = join_all(appends.into_iter().map(|append| stage.store.append(append))).await;
    assert_eq!(
        results.iter().filter(|result| result.is_ok()).count(),
        1,
        "{results:?}"
    );
    let repeated =
        |result: &Result<u64, AppendError>| matches!(result, Err(AppendError::Repeated(_)));
    assert!(results.iter().any(repeated), "{results:?}");
}
