//! What the browser half does on every page, live or plain: keys, the reader's time zone, and looking whether the reader
//! is busy. It works on what stands in the page and never sends anything by itself.

mod asking;
mod keys;
mod reading;
mod takeover;

pub(crate) use asking::ask;
pub(crate) use reading::{Value, read};

use crate::live::Pause;
use crate::view::viewer::cookies;
use js_sys::{Array, Intl, Object, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// A year: cookies of wishes are renewed whenever a wish is changed.
const YEAR_S: u32 = 31_536_000;

/// Takes over what is live, and starts what every page has.
pub fn begin() {
    takeover::begin();
    tell_the_zone();
    keys::listen();
}

/// Why updates have to wait, by what the reader does at this moment.
pub(crate) fn pause() -> Pause {
    if let Some(rows) = selected() {
        return Pause::Selected(rows);
    }
    let is_busy = find("dialog[open]").is_some() || has_marked_text() || is_in_list();
    if is_busy { Pause::Busy } else { Pause::No }
}

/// What stands in the field with this name.
pub(crate) fn typed_into(name: &str) -> Option<String> {
    let field = find(&format!("[name='{name}']"))?;
    Reflect::get(&field, &JsValue::from_str("value"))
        .ok()?
        .as_string()
}

/// Selects every row of the list, or none.
pub(crate) fn tick_all(checked: bool) {
    let boxes = document().query_selector_all("tbody input[type=checkbox]:not(:disabled)");
    let Ok(boxes) = boxes else { return };
    for place in 0..boxes.length() {
        let each = boxes
            .item(place)
            .and_then(|each| each.dyn_into::<HtmlInputElement>().ok());
        if let Some(each) = each {
            each.set_checked(checked);
        }
    }
}

fn selected() -> Option<usize> {
    let boxes = document()
        .query_selector_all("tbody input[type=checkbox]:checked")
        .ok()?;
    (boxes.length() > 0).then_some(boxes.length() as usize)
}

fn has_marked_text() -> bool {
    let selection = window().get_selection().ok().flatten();
    selection.is_some_and(|selection| !selection.is_collapsed())
}

fn is_in_list() -> bool {
    let focused = document().active_element();
    focused.is_some_and(|element| matches!(element.closest("tbody"), Ok(Some(_))))
}

/// The server tells times by this zone from the next page on.
fn tell_the_zone() {
    let format = Intl::DateTimeFormat::new(&Array::new(), &Object::new());
    let zone = Reflect::get(&format.resolved_options(), &JsValue::from_str("timeZone"));
    if let Some(zone) = zone.ok().and_then(|zone| zone.as_string()) {
        remember(cookies::HERE, &zone);
    }
}

/// Keeps a wish in a cookie.
fn remember(name: &str, value: &str) {
    let cookie = format!("{name}={value}; Path=/; Max-Age={YEAR_S}; SameSite=Lax");
    let _ = Reflect::set(
        &document(),
        &JsValue::from_str("cookie"),
        &JsValue::from_str(&cookie),
    );
}

fn find(selector: &str) -> Option<Element> {
    document().query_selector(selector).ok().flatten()
}

fn html(element: Element) -> Option<HtmlElement> {
    element.dyn_into().ok()
}
