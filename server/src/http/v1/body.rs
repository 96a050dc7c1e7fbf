//! Reads what a program sends. What is wrong is told to whoever sent it, and never logged.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::http::failure::Failure;
use crate::http::hooks::unread;

/// A body as it arrived, or why it did not.
pub(super) type Body = Result<Bytes, BytesRejection>;

/// Reads JSON.
pub(super) fn read<T: DeserializeOwned>(body: Body) -> Result<T, Failure> {
    let body = body.map_err(|error| unread(&error))?;
    serde_json::from_slice(&body).map_err(|error| match error.classify() {
        Category::Data => {
            Failure::unprocessable(error.to_string(), "the fields that the API describes")
        }
        _ => Failure::malformed(format!(
            "the body is not JSON: line {}, column {}",
            error.line(),
            error.column()
        )),
    })
}

/// Reads JSON that may be missing altogether.
pub(super) fn read_or_default<T: DeserializeOwned + Default>(body: Body) -> Result<T, Failure> {
    match body {
        Ok(body) if body.is_empty() => Ok(T::default()),
        body => read(body),
    }
}
