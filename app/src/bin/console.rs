//! The browser half's entry: makes a live page live, and gives every page its keys.

// The type of a page is as deep as the page.
#![recursion_limit = "256"]

use replygate_app::app::App;
use replygate_app::browser;

fn main() {
    if browser::is_live() {
        leptos::mount::hydrate_body(App);
    }
    browser::begin();
}
