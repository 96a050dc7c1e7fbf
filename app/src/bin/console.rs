//! The browser half's entry.

fn main() {
    replygate_app::browser::begin();
}
