//! Asking the server for what a page shows: one request, one answer, both JSON.

use super::reading::{Value, read};
use crate::view::ConsoleError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response};

/// Asks the server function at `/api/{path}`. Without an answer nothing is known: the server cannot answer now.
pub(crate) async fn ask<T: DeserializeOwned>(
    path: &'static str,
    terms: &(impl Serialize + ?Sized),
) -> Result<T, ConsoleError> {
    let terms = serde_json::to_string(terms).map_err(|_| ConsoleError::Unavailable)?;
    match answer(path, &terms).await {
        Ok(Answer::Done(said)) => read(Value(said)).ok_or(ConsoleError::Unavailable),
        Ok(Answer::Refused(said)) => Err(read(Value(said)).unwrap_or(ConsoleError::Unavailable)),
        Err(_) => Err(ConsoleError::Unavailable),
    }
}

enum Answer {
    Done(JsValue),
    Refused(JsValue),
}

async fn answer(path: &str, terms: &str) -> Result<Answer, JsValue> {
    let headers = Headers::new()?;
    headers.set("Content-Type", "application/json")?;
    headers.set("Accept", "application/json")?;
    let request = RequestInit::new();
    request.set_method("POST");
    request.set_headers(&headers);
    request.set_body(&JsValue::from_str(terms));
    let asked =
        leptos::prelude::window().fetch_with_str_and_init(&format!("/api/{path}"), &request);
    let response: Response = JsFuture::from(asked).await?.dyn_into()?;
    let said = JsFuture::from(response.json()?).await?;
    Ok(if response.ok() {
        Answer::Done(said)
    } else {
        Answer::Refused(said)
    })
}
