//! How long is waited for a model, and what happens when nobody waits any more.

use std::sync::Arc;

use replygate_ports::agent::Again;
use replygate_testkit::backends::{Act, End};
use serde_json::json;
use tokio::sync::Notify;

use crate::support::{BOTH, Desk, real, run, turn};

#[tokio::test]
async fn each_stage_has_a_limit_of_its_own_and_the_connection_is_closed() {
    for kind in BOTH {
        let stalled = kind.streamed(&["Ol", "á"]).cut(3, End::Silence);
        for (act, options, code) in [
            (
                Act::Silence,
                json!({"first_byte_ms": 30}),
                "timeout_first_byte",
            ),
            (stalled.clone(), json!({"idle_ms": 30}), "timeout_idle"),
            (
                Act::Silence,
                json!({"timeout_ms": 30, "stream": false}),
                "timeout",
            ),
            (stalled, json!({"timeout_ms": 30}), "timeout"),
        ] {
            let stand = kind.start([act]).await;
            let (outcome, spent) = run(kind, &stand, &options).await;
            assert_eq!(
                outcome,
                Err((code.to_owned(), Again::Yes)),
                "{kind:?} {options}"
            );
            // Nobody knows what the other side has done meanwhile.
            assert!(spent.len() == 1 && spent[0].estimated, "{spent:?}");
            stand.gone(1).await;
        }
    }
}

#[tokio::test]
async fn a_turn_ends_at_its_own_limit() {
    for kind in BOTH {
        let stand = kind.start([Act::Silence]).await;
        let agent = kind.agent(&stand, &json!({}), real());
        let mut turn = turn(&["oi"]);
        turn.limit_ms = 30;
        let answer = agent.run(&turn, &Desk::default()).await;
        assert_eq!(
            crate::support::outcome(answer),
            Err(("timeout".to_owned(), Again::Yes))
        );
        stand.gone(1).await;
    }
}

#[tokio::test]
async fn a_run_that_is_given_up_closes_the_connection_and_is_counted() {
    for kind in BOTH {
        let never = Arc::new(Notify::new());
        for act in [Act::Silence, kind.streamed(&["Ol", "á"]).held(4, &never)] {
            let stand = kind.start([act]).await;
            let agent = kind.agent(&stand, &json!({}), real());
            let desk = Desk::default();
            let turn = turn(&["oi"]);
            tokio::select! {
                biased;
                _ = agent.run(&turn, &desk) => panic!("nothing was answered"),
                () = stand.begun(1) => {}
            }
            stand.gone(1).await;
            let spent = desk.spent();
            assert!(spent.len() == 1 && spent[0].estimated, "{kind:?} {spent:?}");
        }
    }
}

#[tokio::test]
async fn a_slow_answer_is_an_answer() {
    for kind in BOTH {
        let go_on = Arc::new(Notify::new());
        let stand = kind
            .start([kind.streamed(&["Ol", "á"]).held(4, &go_on)])
            .await;
        let slowly = async {
            stand.begun(1).await;
            go_on.notify_one();
        };
        let none = json!({});
        let ((outcome, _), ()) = tokio::join!(run(kind, &stand, &none), slowly);
        assert_eq!(outcome, Ok(vec!["Olá".to_owned()]));
        assert_eq!(stand.gone_so_far(), 0);
    }
}
