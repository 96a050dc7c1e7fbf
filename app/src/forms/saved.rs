//! `POST /views`: saves a view of a list. `POST /views/{slug}`: removes it.

use super::Posted;
use super::posted::{refusal, see};
use crate::view::NewView;
use axum::extract::Path;
use axum::response::Response;

pub(super) async fn post(form: Posted) -> Response {
    let view = NewView {
        name: form.field("name").unwrap_or_default(),
        address: form.field("address").unwrap_or_default(),
        is_shared: form.field("shared").is_some(),
    };
    match form.console.save_view(&form.caller, view).await {
        // The list shows it among its views, as the one that is looked at.
        Ok(saved) => see(&saved.address),
        Err(error) => refusal("/views", &error),
    }
}

pub(super) async fn remove(Path(slug): Path<String>, form: Posted) -> Response {
    match form.console.remove_view(&form.caller, slug).await {
        Ok(()) => see("/views?done=removed"),
        Err(error) => refusal("/views", &error),
    }
}
