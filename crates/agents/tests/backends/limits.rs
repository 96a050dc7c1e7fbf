//! Providers that ask to be left alone for a while.

use std::sync::Arc;
use std::time::Duration;

use replygate_ports::agent::Again;
use replygate_testkit::backends::Stand;
use serde_json::json;

use crate::clocks::Skipping;
use crate::support::{BOTH, Desk, Kind, Outcome, outcome, turn};

/// Two turns of one agent, one after the other.
async fn twice(kind: Kind, stand: &Stand, clock: &Arc<Skipping>) -> [Outcome; 2] {
    let agent = kind.agent(stand, &json!({}), clock.clone());
    let mut outcomes = Vec::new();
    for _ in 0..2 {
        outcomes.push(outcome(agent.run(&turn(&["oi"]), &Desk::default()).await));
    }
    outcomes.try_into().unwrap()
}

#[tokio::test]
async fn nobody_asks_again_before_the_time_that_a_refusal_named() {
    for kind in BOTH {
        for (status, header, value, wait) in [
            (429, "retry-after", "2", 2_000),
            (429, "retry-after-ms", "350", 350),
            (529, "retry-after", "9", 9_000),
            (503, "retry-after", "1.5", 1_500),
        ] {
            let refused = kind.error(status, "overloaded_error").with(header, value);
            let stand = kind.start([refused, kind.words("agora sim")]).await;
            let clock = Arc::new(Skipping::default());
            let [first, second] = twice(kind, &stand, &clock).await;
            assert_eq!(first, Err((format!("http_{status}"), Again::Yes)));
            assert_eq!(second, Ok(vec!["agora sim".to_owned()]));
            assert_eq!(clock.waits(), [Duration::from_millis(wait)], "{header}");
        }
    }
}

#[tokio::test]
async fn a_limit_that_outlasts_the_turn_is_not_waited_for_and_nobody_is_asked() {
    for kind in BOTH {
        let refused = kind
            .error(429, "rate_limit_error")
            .with("retry-after", "100");
        let stand = kind.start([refused]).await;
        let clock = Arc::new(Skipping::default());
        let [_, second] = twice(kind, &stand, &clock).await;
        assert_eq!(second, Err(("rate_limited".to_owned(), Again::Yes)));
        assert_eq!((stand.seen().len(), clock.waits().len()), (1, 0));
    }
}

#[tokio::test]
async fn what_an_answer_says_is_used_up_is_waited_for_before_the_next_turn() {
    for (kind, left, reset, value) in [
        (
            Kind::OpenAi,
            "x-ratelimit-remaining-requests",
            "x-ratelimit-reset-requests",
            "3s",
        ),
        (
            Kind::Anthropic,
            "anthropic-ratelimit-requests-remaining",
            "anthropic-ratelimit-requests-reset",
            "2025-11-24T16:00:03Z",
        ),
    ] {
        let last = kind
            .words("a")
            .with(left, "0")
            .with(reset, value)
            .with("date", "Mon, 24 Nov 2025 16:00:00 GMT");
        let stand = kind.start([last, kind.words("b")]).await;
        let clock = Arc::new(Skipping::default());
        let [first, second] = twice(kind, &stand, &clock).await;
        assert_eq!(first.unwrap().len() + second.unwrap().len(), 2);
        assert_eq!(clock.waits(), [Duration::from_secs(3)], "{kind:?}");
    }
}
