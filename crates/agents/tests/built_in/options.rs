//! Wrong choices and options are refused by name.

use std::sync::Arc;

use replygate_agents::{build_agent, build_evaluator};
use replygate_gate::Strategy;
use serde_json::{Value, json};

use crate::support::{Still, choice, deps};

fn agent(kind: &str, options: Value) -> String {
    let deps = deps(Arc::new(Still::default()));
    build_agent(
        &choice(kind, options),
        Strategy::default(),
        &deps,
        "channels.shop.agent",
    )
    .err()
    .unwrap()
    .to_string()
}

fn evaluator(kind: &str, options: Value) -> String {
    let deps = deps(Arc::new(Still::default()));
    build_evaluator(&choice(kind, options), &deps, "channels.shop.evaluator")
        .err()
        .unwrap()
        .to_string()
}

#[test]
fn an_unknown_kind_is_refused_with_the_known_ones() {
    assert_eq!(
        agent("oracle", json!({})),
        "`channels.shop.agent.kind` is `oracle`, allowed: demo, echo, http, openai, anthropic, langgraph, adk"
    );
    assert_eq!(
        evaluator("oracle", json!({})),
        "`channels.shop.evaluator.kind` is `oracle`, allowed: rules, marker, http, openai, anthropic, hybrid"
    );
}

#[test]
fn an_unknown_option_is_refused_with_the_known_ones() {
    assert_eq!(
        evaluator("rules", json!({"latency_ms": 3})),
        "`channels.shop.evaluator.latency_ms` is 3, allowed: no option, for kind rules"
    );
    assert_eq!(
        agent("http", json!({"uri": "x"})),
        "`channels.shop.agent.uri` is \"x\", allowed: only url, timeout_ms, token_env, for kind http"
    );
}

#[test]
fn an_address_must_be_one_and_its_token_must_exist() {
    let url = "allowed: an http:// or https:// address";
    assert_eq!(
        agent("http", json!({})),
        format!("`channels.shop.agent.url` is not set, {url}")
    );
    assert_eq!(
        agent("http", json!({"url": "ftp://a"})),
        format!("`channels.shop.agent.url` is `ftp://a`, {url}")
    );
    assert_eq!(
        agent("http", json!({"url": 3})),
        format!("`channels.shop.agent.url` is 3, {url}")
    );
    let missing = agent("http", json!({"url": "http://a", "token_env": "NOT_SET"}));
    assert!(
        missing.starts_with("`channels.shop.agent.token_env` is `NOT_SET`, allowed:"),
        "{missing}"
    );
}
