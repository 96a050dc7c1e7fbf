//! Taking a live page over: what the server made it from lies in the page, and the same page is made from it here, upon
//! what is already on screen.

use super::{Value, find, read};
use crate::pages::{CARRIER, Opened};
use any_spawner::Executor;
use leptos::prelude::{Owner, RenderHtml, document};
use leptos::tachys::hydration::Cursor;
use leptos::tachys::view::PositionState;

/// Takes the page over, if it is a live one.
pub(super) fn begin() {
    let Some((opened, main)) = opened().zip(find("#main")) else {
        return;
    };
    // Fails where it was done before.
    let _ = Executor::init_wasm_bindgen();
    let owner = Owner::new_root(None);
    let there = owner.with(|| {
        let page = opened.sheet();
        page.hydrate::<true>(&Cursor::new(main), &PositionState::default())
    });
    // For as long as the page lives.
    std::mem::forget((owner, there));
}

/// What the server made the page from.
fn opened() -> Option<Opened> {
    let carried = document().get_element_by_id(CARRIER)?.text_content()?;
    read(Value::parsed(&carried)?)
}
