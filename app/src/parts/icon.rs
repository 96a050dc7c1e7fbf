//! Small drawings whose silhouettes differ, so that a badge is read without its colour.

#[cfg(feature = "ssr")]
use crate::view::Section;
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

/// The icon of a part of the console.
#[component]
#[cfg(feature = "ssr")]
pub(crate) fn SectionIcon(section: Section) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
            <path d=section_path(section)></path>
        </svg>
    }
}

#[cfg(feature = "ssr")]
const fn section_path(section: Section) -> &'static str {
    match section {
        Section::Overview => "M2 9l6-6 6 6M4 8v6h8V8",
        Section::Sessions => "M2 3h9v6H6l-3 2.5V9H2zM8 11.5h3.5L14 13.500V6",
        Section::Messages => "M2 4h12v8H2zM2 4.500l6 4.5 6-4.5",
        Section::Parked => "M3 3h10v10H3zM6.5 6v4M9.5 6v4",
        Section::Operations => "M2.5 4h2v2h-2zM2.5 10h2v2h-2zM7 5h6.500M7 11h6.5",
        Section::Duplicates => "M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4zM5.8 8l1.6 1.600L10.3 6.5",
        Section::Decisions => "M8 14V9M8 9L3.5 4.500M8 9l4.5-4.500M3.5 7.500v-3h3M12.5 7.500v-3h-3",
        Section::Channels => "M2 12.500c4 0 8-4 8-8M2 8.500c2 0 4-2 4-4M11.5 12.500a1 1 0 1 0 .1 0",
        Section::Activity => "M4 2h8v12H4zM6 5h4M6 8h4M6 11h2",
        Section::Health => "M1.5 8.500h3l2-5 3 9 2-4h3",
    }
}
