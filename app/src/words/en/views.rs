//! Views of lists.

use crate::words::views::Views;
#[cfg(feature = "ssr")]
use crate::words::views::ViewsPage;

pub(super) const VIEWS: Views = Views {
    title: "Views",
    save: "Save this view",
    name: "Name",
    shared: "For everybody",
    save_it: "Save",
    manage: "All views",
    #[cfg(feature = "ssr")]
    all: "All",
    #[cfg(feature = "ssr")]
    ready_made: |slug| match slug {
        "stuck" => "Stuck",
        "taken-over" => "Taken over",
        "merged" => "Merged",
        "cancelled" => "Cancelled",
        "safe-to-send" => "Safe to send",
        "too-late" => "Too late",
        "came-back" => "Came back",
        "no-verdict" => "No verdict",
        "marked-wrong" => "Marked wrong",
        other => other,
    },
    #[cfg(feature = "ssr")]
    page: ViewsPage {
        title: "Views",
        columns: ["Name", "List", "For whom", "Saved by", "Remove"],
        caption: "Names for filters of lists",
        private: "You",
        everybody: "Everybody",
        comes_along: "Replygate",
        remove: "Remove",
        removed: "The view was removed.",
        none: "Nobody saved a view yet. Filter a list, then choose “Save this view” above it.",
    },
};
