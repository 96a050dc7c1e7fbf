//! The browser half's entry: makes the page that the server rendered live.

use replygate_app::app::App;

fn main() {
    leptos::mount::hydrate_body(App);
}
