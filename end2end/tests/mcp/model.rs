//! A model that calls one tool whatever it is told, and then says so.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};

/// Serves it on a free port; its address.
pub async fn open(tool: &str, arguments: &Value) -> String {
    let call = json!({
        "id": "c1", "type": "function",
        "function": { "name": tool, "arguments": arguments.to_string() },
    });
    let router = Router::new()
        .route("/v1/chat/completions", post(answer))
        .with_state(Arc::new(call));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/v1")
}

async fn answer(State(call): State<Arc<Value>>, Json(asked): Json<Value>) -> Json<Value> {
    let last = asked["messages"].as_array().and_then(|all| all.last());
    let told = last.filter(|last| last["role"] == "tool");
    let (message, why) = if let Some(told) = told {
        let content = format!("told: {}", told["content"].as_str().unwrap_or_default());
        let words = json!({ "role": "assistant", "content": content });
        (words, "stop")
    } else {
        let calls = json!({ "role": "assistant", "content": null, "tool_calls": [&*call] });
        (calls, "tool_calls")
    };
    Json(json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{ "index": 0, "message": message, "finish_reason": why }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
    }))
}
