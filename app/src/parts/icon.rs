//! Small drawings whose silhouettes differ, so that a badge is read without its colour.

use crate::view::StatusWord;
use leptos::prelude::*;

/// The icon of a reply's status. It says nothing to a screen reader: the word stands beside it.
#[component]
pub(crate) fn StatusIcon(status: StatusWord) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d=path(status)></path>
        </svg>
    }
}

const CIRCLE: &str = "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12z";
const SQUARE: &str = "M3 3h10v10H3z";

fn path(status: StatusWord) -> String {
    match status {
        StatusWord::Pending => format!("{CIRCLE}M8 5v3.5l2.5 1.5"),
        StatusWord::Released => "M2 8h11M9 4l4 4-4 4".to_owned(),
        StatusWord::Dispatching => "M2 7l12-5-5 12-2.5-4.5zM6.5 9.5L14 2".to_owned(),
        StatusWord::Delivered => format!("{CIRCLE}M5.2 8.2l2 2 3.6-4"),
        StatusWord::Cancelled => format!("{CIRCLE}M4 12L12 4"),
        StatusWord::Superseded => "M2 3c5 0 4 5 8 5h4M2 13c5 0 4-5 8-5M11 5l3 3-3 3".to_owned(),
        StatusWord::Parked => format!("{SQUARE}M6.5 6v4M9.5 6v4"),
        StatusWord::Unknown => {
            format!("{SQUARE}M6.4 6.6a1.6 1.6 0 1 1 2.3 1.5q-.7.3-.7 1M8 11v.3")
        }
        StatusWord::Discarded => "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.7 9h5.6l.7-9".to_owned(),
        StatusWord::Expired => "M4 2h8M4 14h8M5 2c0 4 6 8 6 12M11 2c0 4-6 8-6 12".to_owned(),
    }
}
