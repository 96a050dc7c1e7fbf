//! Models that answer in words.

use replygate_ports::agent::Again;
use replygate_testkit::backends::{anthropic, openai};
use serde_json::{Value, json};

use crate::support::{BOTH, Desk, Kind, TOLD, outcome, real, run, turn};

fn none() -> Value {
    json!({})
}

#[tokio::test]
async fn the_words_are_told_while_they_stream_in() {
    for kind in BOTH {
        let stand = kind.start([kind.streamed(&["Ol", "á, Ana!"])]).await;
        let desk = Desk::default();
        let agent = kind.agent(&stand, &json!({}), real());
        let answer = agent.run(&turn(&["oi"]), &desk).await;
        assert_eq!(outcome(answer), Ok(vec![desk.written()]), "{kind:?}");
        assert_eq!(desk.written(), "Olá, Ana!");
    }
}

#[tokio::test]
async fn an_answer_is_read_whole_and_streamed_with_what_it_cost() {
    for kind in BOTH {
        for (stream, act) in [
            (false, kind.words("Olá, Ana! 😀")),
            (true, kind.streamed(&["Ol", "á, Ana!", " 😀"])),
            (true, kind.streamed(&["Olá, ", "Ana! 😀"]).byte_by_byte()),
            // A provider that cannot stream answers whole.
            (true, kind.words("Olá, Ana! 😀")),
        ] {
            let stand = kind.start([act]).await;
            let (outcome, spent) = run(kind, &stand, &json!({"stream": stream})).await;
            assert_eq!(stand.problems(), [""; 0], "{kind:?}");
            assert_eq!(outcome, Ok(vec!["Olá, Ana! 😀".to_owned()]), "{kind:?}");
            assert_eq!(spent, [TOLD], "{kind:?}");
        }
    }
}

#[tokio::test]
async fn the_request_is_as_documented() {
    let stand = openai::start([openai::words("a"), openai::words("b")]).await;
    let options = json!({
        "stream": false, "temperature": 0.5, "max_tokens": 99, "extra": {"seed": 7}, "api_key": "file:/run/secrets/key",
    });
    run(Kind::OpenAi, &stand, &options).await.0.unwrap();
    run(Kind::OpenAi, &stand, &none()).await.0.unwrap();
    let seen = stand.seen();
    assert_eq!(seen[0].header("authorization"), "Bearer sk-from-file");
    assert_eq!(seen[1].header("authorization"), "Bearer sk-from-env");
    let mut body = seen[0].body.clone();
    assert_eq!(body["messages"].as_array().unwrap().len(), 2);
    assert_eq!(
        body["messages"][1],
        json!({"role": "user", "content": "oi"})
    );
    body.as_object_mut().unwrap().remove("messages");
    // Look-alikes know the old name of the limit only.
    assert_eq!(
        body,
        json!({"model": "m", "stream": false, "temperature": 0.5, "max_tokens": 99, "seed": 7})
    );
    assert_eq!(
        seen[1].body["stream_options"],
        json!({"include_usage": true})
    );

    let stand = anthropic::start([anthropic::words("a"), anthropic::words("b")]).await;
    let options = json!({"stream": false, "max_tokens": 99, "prompt_cache": true});
    run(Kind::Anthropic, &stand, &options).await.0.unwrap();
    run(Kind::Anthropic, &stand, &none()).await.0.unwrap();
    assert_eq!(stand.problems(), [""; 0]);
    let seen = stand.seen();
    assert_eq!(seen[0].header("x-api-key"), "sk-from-env");
    let mut body = seen[0].body.clone();
    let system = body["system"].take();
    assert_eq!(system[0]["cache_control"], json!({"type": "ephemeral"}));
    assert_eq!(
        body,
        json!({
            "model": "m", "stream": false, "max_tokens": 99, "system": null,
            "messages": [{"role": "user", "content": "oi"}],
        })
    );
    assert!(seen[1].body["system"].is_string());
    assert_eq!(seen[1].body["max_tokens"], 2_048);
}

#[tokio::test]
async fn an_answer_that_is_not_finished_is_none() {
    let text = json!({"role": "assistant", "content": "Ol"});
    let blocks = json!([{"type": "text", "text": "Ol"}]);
    for (kind, act, code) in [
        (
            Kind::OpenAi,
            openai::whole(&text, "length"),
            "answer_truncated",
        ),
        (
            Kind::OpenAi,
            openai::whole(&text, "content_filter"),
            "answer_withheld",
        ),
        (
            Kind::Anthropic,
            anthropic::whole(&blocks, "max_tokens"),
            "answer_truncated",
        ),
        (
            Kind::Anthropic,
            anthropic::whole(&blocks, "refusal"),
            "answer_withheld",
        ),
        (
            Kind::Anthropic,
            anthropic::whole(&blocks, "model_context_window_exceeded"),
            "context_too_long",
        ),
    ] {
        let stand = kind.start([act]).await;
        let (outcome, spent) = run(kind, &stand, &none()).await;
        assert_eq!(outcome, Err((code.to_owned(), Again::No)));
        assert_eq!(spent, [TOLD], "{code}");
    }
}

#[tokio::test]
async fn a_refusal_in_the_models_own_words_is_an_answer_and_silence_is_one_too() {
    for (message, parts) in [
        (
            json!({"role": "assistant", "content": null, "refusal": "I cannot do that."}),
            vec!["I cannot do that."],
        ),
        (
            json!({"role": "assistant", "content": [{"type": "text", "text": "in pieces"}]}),
            vec!["in pieces"],
        ),
        (json!({"role": "assistant", "content": " "}), vec![]),
        (json!({"role": "assistant", "content": null}), vec![]),
    ] {
        let stand = openai::start([openai::whole(&message, "stop")]).await;
        let (outcome, _) = run(Kind::OpenAi, &stand, &none()).await;
        assert_eq!(outcome, Ok(parts.into_iter().map(str::to_owned).collect()));
    }
}

#[tokio::test]
async fn a_look_alike_that_ends_without_the_mark_and_without_usage_is_understood() {
    let act = openai::streamed(&["Olá"]).cut(3, replygate_testkit::backends::End::Clean);
    let stand = openai::start([act]).await;
    let desk = Desk::default();
    let agent = Kind::OpenAi.agent(&stand, &none(), real());
    let answer = agent.run(&turn(&["oi"]), &desk).await;
    assert_eq!(outcome(answer), Ok(vec!["Olá".to_owned()]));
    let spent = desk.spent();
    assert!(spent[0].estimated && spent[0].output == 1, "{spent:?}");
}
