//! What fails, under which word, and whether another try makes sense.

use replygate_ports::agent::Again;
use replygate_testkit::backends::{Act, End, anthropic, openai};
use serde_json::{Value, json};

use crate::support::{BOTH, Kind, run};

fn none() -> Value {
    json!({})
}

fn failed(code: &str, again: Again) -> Result<Vec<String>, (String, Again)> {
    Err((code.to_owned(), again))
}

#[tokio::test]
async fn a_refusal_is_told_by_its_kind_and_costs_nothing() {
    let both = |status, word: &'static str, code, again| {
        BOTH.map(|kind| (kind, kind.error(status, word), code, again))
    };
    let mut cases = Vec::new();
    cases.extend(both(400, "invalid_request_error", "http_400", Again::No));
    cases.extend(both(401, "authentication_error", "http_401", Again::No));
    cases.extend(both(404, "not_found_error", "http_404", Again::No));
    cases.extend(both(429, "rate_limit_error", "http_429", Again::Yes));
    cases.extend(both(500, "api_error", "http_500", Again::Yes));
    cases.extend(both(503, "overloaded", "http_503", Again::Yes));
    cases.extend(both(529, "overloaded_error", "http_529", Again::Yes));
    for (kind, act, code, again) in [
        (
            Kind::OpenAi,
            openai::error(429, "insufficient_quota"),
            "quota_used_up",
            Again::No,
        ),
        (
            Kind::OpenAi,
            openai::error(400, "context_length_exceeded"),
            "context_too_long",
            Again::No,
        ),
        (
            Kind::Anthropic,
            anthropic::error(402, "billing_error"),
            "quota_used_up",
            Again::No,
        ),
        (
            Kind::OpenAi,
            openai::error(500, "api_error").with("x-should-retry", "false"),
            "http_500",
            Again::No,
        ),
        // Gemini's endpoint wraps its errors in a list, and a proxy answers in HTML.
        (
            Kind::OpenAi,
            Act::json(
                429,
                &json!([{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}]),
            ),
            "http_429",
            Again::Yes,
        ),
        (
            Kind::OpenAi,
            Act::Answer {
                status: 502,
                headers: Vec::new(),
                body: "<html>".into(),
            },
            "http_502",
            Again::Yes,
        ),
    ] {
        cases.push((kind, act, code, again));
    }
    for (kind, act, code, again) in cases {
        let stand = kind.start([act]).await;
        let (outcome, spent) = run(kind, &stand, &none()).await;
        assert_eq!(outcome, failed(code, again), "{kind:?}");
        assert_eq!(spent, [], "{kind:?} {code}");
        assert_eq!(stand.problems(), [""; 0]);
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_is_no_answer_and_its_cost_is_estimated() {
    for kind in BOTH {
        for (end, code) in [(End::Clean, "answer_cut"), (End::Broken, "connection_lost")] {
            let stand = kind
                .start([kind.streamed(&["Olá, ", "Ana", "!"]).cut(4, end)])
                .await;
            let (outcome, spent) = run(kind, &stand, &none()).await;
            assert_eq!(outcome, failed(code, Again::Yes), "{kind:?}");
            assert_eq!(spent.len(), 1);
            // What was on its way when the connection broke may be lost with it.
            let arrived = spent[0].output > 0 || end == End::Broken;
            assert!(spent[0].estimated && arrived, "{kind:?} {spent:?}");
            assert!(spent[0].input >= 30, "{kind:?} {spent:?}");
        }
    }
}

#[tokio::test]
async fn an_error_after_the_stream_began_is_told_by_its_kind() {
    let openai = |error: Value| {
        let begun = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Ol\"}}]}\n\n";
        Act::stream([begun.to_owned(), format!("data: {error}\n\n")])
    };
    let anthropic = |kind: &str| {
        let begun = json!({"type": "message_start", "message": {"usage": {"input_tokens": 10}}});
        let error = json!({"type": "error", "error": {"type": kind, "message": "words that nobody may log"}});
        Act::stream([anthropic::event(&begun), anthropic::event(&error)])
    };
    for (kind, act, code, again) in [
        (
            Kind::OpenAi,
            openai(json!({"error": {"message": "busy", "type": "server_error", "code": null}})),
            "answer_broken",
            Again::Yes,
        ),
        (
            Kind::OpenAi,
            openai(json!({"error": {"message": "no", "type": "BadRequestError", "code": 400}})),
            "answer_broken",
            Again::No,
        ),
        (
            Kind::OpenAi,
            openai(json!({"error": {"code": "insufficient_quota"}})),
            "quota_used_up",
            Again::No,
        ),
        (
            Kind::Anthropic,
            anthropic("overloaded_error"),
            "answer_broken",
            Again::Yes,
        ),
        (
            Kind::Anthropic,
            anthropic("rate_limit_error"),
            "answer_broken",
            Again::Yes,
        ),
        (
            Kind::Anthropic,
            anthropic("invalid_request_error"),
            "answer_broken",
            Again::No,
        ),
    ] {
        let stand = kind.start([act]).await;
        let (outcome, spent) = run(kind, &stand, &none()).await;
        assert_eq!(outcome, failed(code, again), "{kind:?}");
        assert!(spent[0].estimated, "{kind:?} {spent:?}");
    }
}

#[tokio::test]
async fn what_is_no_answer_at_all_is_unreadable() {
    for kind in BOTH {
        for act in [
            Act::Answer {
                status: 200,
                headers: Vec::new(),
                body: "hello".into(),
            },
            Act::stream(["data: hello\n\n".to_owned()]),
        ] {
            let stand = kind.start([act]).await;
            let (outcome, _) = run(kind, &stand, &none()).await;
            assert_eq!(outcome, failed("answer_unreadable", Again::No), "{kind:?}");
        }
    }
    let stand = openai::start([Act::json(200, &json!({"choices": []}))]).await;
    let (outcome, _) = run(Kind::OpenAi, &stand, &none()).await;
    assert_eq!(outcome, failed("answer_unreadable", Again::No));
}

#[tokio::test]
async fn nobody_listening_is_tried_again_and_cost_nothing() {
    for kind in BOTH {
        let gone = kind.start([]).await;
        let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", closed.local_addr().unwrap());
        drop(closed);
        let options = json!({"base_url": url});
        let (outcome, spent) = run(kind, &gone, &options).await;
        assert_eq!(outcome, failed("connect", Again::Yes), "{kind:?}");
        assert_eq!(spent, []);
    }
}
