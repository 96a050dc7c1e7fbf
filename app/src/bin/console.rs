//! The browser half's entry: makes the page that the server rendered live.

// The type of a page is as deep as the page.
#![recursion_limit = "256"]

use replygate_app::app::App;

fn main() {
    leptos::mount::hydrate_body(App);
}
