//! Wrong options are refused by name, and no key is ever shown.

use replygate_agents::build_agent;
use replygate_gate::Strategy;
use serde_json::{Value, json};

use crate::support::{choice, deps, real};

fn refused(kind: &str, options: Value) -> String {
    build_agent(
        &choice(kind, options),
        Strategy::default(),
        &deps(real()),
        "channels.shop.agent",
    )
    .err()
    .unwrap()
    .to_string()
}

#[test]
fn each_option_says_what_is_allowed() {
    for kind in ["openai", "anthropic"] {
        for (options, problem) in [
            (
                json!({"api_key": "env:KEY"}),
                "model` is not set, allowed: a model's name as its provider spells it",
            ),
            (
                json!({"model": "m"}),
                "api_key` is not set, allowed: env:NAME or file:PATH",
            ),
            (
                json!({"model": "m", "api_key": "env:OTHER"}),
                "api_key` is `env:OTHER`, allowed: env:NAME or file:PATH",
            ),
            (
                json!({"base_url": "ftp://a", "model": "m"}),
                "base_url` is `ftp://a`, allowed: an http:// or https:// address",
            ),
            (
                json!({"base_url": "http://a", "model": "m", "temperature": 3}),
                "temperature` is 3, allowed: 0 to 2",
            ),
            (
                json!({"base_url": "http://a", "model": "m", "max_tokens": 0}),
                "max_tokens` is 0, allowed: 1 to 1000000",
            ),
            (
                json!({"base_url": "http://a", "model": "m", "stream": 1}),
                "stream` is 1, allowed: true, false",
            ),
            (
                json!({"base_url": "http://a", "model": "m", "language": "fr"}),
                "language` is `fr`, allowed: en, pt, es",
            ),
            (
                json!({"base_url": "http://a", "model": "m", "idle_ms": 0}),
                "idle_ms` is 0, allowed: 1 to 3600000",
            ),
            (
                json!({"base_url": "http://a", "model": "m", "extra": {"messages": []}}),
                "extra.messages` is set, allowed: a table without model, messages",
            ),
            (
                json!({"base_url": "http://a", "model": "m", "temprature": 1}),
                "temprature` is 1, allowed: only base_url, model, api_key, temperature",
            ),
        ] {
            let found = refused(kind, options);
            assert!(
                found.starts_with(&format!("`channels.shop.agent.{problem}")),
                "{kind}: {found}"
            );
        }
    }
}

#[test]
fn a_key_that_is_written_out_is_refused_and_not_shown() {
    for options in [
        json!({"model": "m", "api_key": "sk-live-abc"}),
        json!({"model": "m", "api_key": {"a": "sk-live-abc"}}),
        json!({"model": "m", "api-key": "sk-live-abc"}),
        json!({"model": "m", "API_KEY": "sk-live-abc"}),
        json!({"model": "m", "token": "sk-live-abc"}),
    ] {
        let found = refused("openai", options);
        assert!(!found.contains("sk-live"), "{found}");
    }
}

#[test]
fn a_look_alike_needs_no_key() {
    let ollama = json!({"base_url": "http://127.0.0.1:11434/v1", "model": "llama3.2"});
    assert!(
        build_agent(
            &choice("openai", ollama),
            Strategy::default(),
            &deps(real()),
            "agent"
        )
        .is_ok()
    );
}
