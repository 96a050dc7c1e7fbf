//! Keys. A key finds the control that bears its name in `data-key`, and clicks or focuses it: so it never does anything
//! that the page does not offer. Behind a `g` a letter leads to the section that bears it in `data-go`. Nothing happens
//! in fields, and nothing at all where the reader switched keys off.

use super::{find, html, remember};
use crate::view::Theme;
use crate::view::viewer::cookies;
use leptos::prelude::{document, window};
use std::cell::Cell;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlInputElement, KeyboardEvent};

/// What was pressed before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Go,
}

/// Listens as long as the page lives.
pub(super) fn listen() {
    let root = document().document_element();
    if root
        .and_then(|root| root.get_attribute("data-keys"))
        .as_deref()
        == Some("off")
    {
        return;
    }
    let before = Cell::new(Before::Nothing);
    let heard = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
        let done = pressed(&event, before.replace(Before::Nothing));
        match done {
            Done::Yes => event.prevent_default(),
            Done::Begun => before.set(Before::Go),
            Done::No => {}
        }
    });
    let listener = heard.as_ref().unchecked_ref();
    // Only fails for a listener that is no function.
    let _ = document().add_event_listener_with_callback("keydown", listener);
    // For as long as the page lives.
    heard.forget();
}

enum Done {
    Yes,
    Begun,
    No,
}

fn pressed(event: &KeyboardEvent, before: Before) -> Done {
    let key = event.key();
    if (event.ctrl_key() || event.meta_key()) && key.eq_ignore_ascii_case("k") {
        return used("k");
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() || is_in_field(event) {
        return Done::No;
    }
    if before == Before::Go {
        return click(&format!("[data-go='{key}']"));
    }
    match key.as_str() {
        "g" => Done::Begun,
        "?" => open_list(),
        "j" => step(1),
        "k" => step(-1),
        "o" => focused_row().map_or(Done::No, |row| click_in(&row, "th a")),
        "x" => focused_row().map_or(Done::No, |row| tick(&row)),
        "t" => next_theme(),
        "y" => copy_address(),
        "Escape" => clear_selection(),
        "/" | "P" | "r" | "." | "[" | "]" | "1" | "2" | "3" => used(&key),
        _ => Done::No,
    }
}

fn is_in_field(event: &KeyboardEvent) -> bool {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let fields = "input:not([type=checkbox]), textarea, select, [contenteditable]";
    target.is_some_and(|target| matches!(target.closest(fields), Ok(Some(_))))
}

/// The control of that name: one in the focused row goes before one elsewhere.
fn used(key: &str) -> Done {
    let selector = format!("[data-key='{key}']");
    let in_row = focused_row().and_then(|row| row.query_selector(&selector).ok().flatten());
    let Some(control) = in_row.or_else(|| find(&selector)).and_then(html) else {
        return Done::No;
    };
    if control.dyn_ref::<HtmlInputElement>().is_some() {
        let _ = control.focus();
    } else {
        control.click();
    }
    Done::Yes
}

fn click(selector: &str) -> Done {
    find(selector).and_then(html).map_or(Done::No, |control| {
        control.click();
        Done::Yes
    })
}

fn click_in(row: &Element, selector: &str) -> Done {
    let link = row.query_selector(selector).ok().flatten().and_then(html);
    link.map_or(Done::No, |link| {
        link.click();
        Done::Yes
    })
}

fn tick(row: &Element) -> Done {
    click_in(row, "input[type=checkbox]")
}

fn focused_row() -> Option<Element> {
    document().active_element()?.closest("tbody tr").ok()?
}

/// Moves the focus to another row's link; into the list first.
fn step(by: i32) -> Done {
    let Ok(links) = document().query_selector_all("tbody tr > th a") else {
        return Done::No;
    };
    let links: Vec<HtmlElement> = (0..links.length())
        .filter_map(|place| links.item(place)?.dyn_into().ok())
        .collect();
    let row = focused_row();
    let place = links.iter().position(|link| {
        let own: &Element = link;
        row.as_ref().is_some_and(|row| row.contains(Some(own)))
    });
    let next = match place {
        Some(place) => place.checked_add_signed(by as isize),
        None => Some(0),
    };
    next.and_then(|next| links.get(next))
        .map_or(Done::No, |link| {
            let _ = link.focus();
            Done::Yes
        })
}

fn open_list() -> Done {
    let dialog = find("#keys").and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok());
    dialog.map_or(Done::No, |dialog| {
        if !dialog.open() {
            // Only fails for a dialog that is open already.
            let _ = dialog.show_modal();
        }
        Done::Yes
    })
}

fn next_theme() -> Done {
    let Some(root) = document().document_element() else {
        return Done::No;
    };
    let present = root.get_attribute("data-theme");
    let present = present.and_then(|word| Theme::from_stored(&word));
    let next = match present.unwrap_or(Theme::System) {
        Theme::System => Theme::Light,
        Theme::Light => Theme::Dark,
        Theme::Dark => Theme::System,
    };
    remember(cookies::THEME, next.stored());
    let _ = match next {
        Theme::System => root.remove_attribute("data-theme"),
        _ => root.set_attribute("data-theme", next.stored()),
    };
    Done::Yes
}

fn copy_address() -> Done {
    let window = window();
    let Ok(address) = window.location().href() else {
        return Done::No;
    };
    // The answer comes later; a browser that refuses has said so itself.
    let _ = window.navigator().clipboard().write_text(&address);
    Done::Yes
}

fn clear_selection() -> Done {
    let Ok(boxes) = document().query_selector_all("tbody input[type=checkbox]:checked") else {
        return Done::No;
    };
    for place in 0..boxes.length() {
        let checkbox = boxes
            .item(place)
            .and_then(|each| each.dyn_into::<HtmlElement>().ok());
        if let Some(checkbox) = checkbox {
            checkbox.click();
        }
    }
    let focused = document().active_element().and_then(html);
    if let Some(focused) = focused {
        let _ = focused.blur();
    }
    Done::No
}
