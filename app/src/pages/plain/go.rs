//! `/go?id=…`: leads to the page of whatever has this id.

use crate::parts::Trouble;
use crate::plain::Asked;
use crate::view::ConsoleError;
use leptos::prelude::*;

/// Leads there, or says that there is no such thing.
pub(super) async fn page(asked: Asked) -> AnyView {
    match address(&asked).await {
        Ok(address) => {
            leptos_axum::redirect(&address);
            ().into_any()
        }
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn address(asked: &Asked) -> Result<String, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let Some(id) = asked.term("id") else {
        return Ok("/sessions".to_owned());
    };
    console.find(&caller, id).await
}
