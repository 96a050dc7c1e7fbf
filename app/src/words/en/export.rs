//! Exports.

use crate::words::export::Export;

pub(super) const EXPORT: Export = Export {
    title: "Export these rows:",
    csv: "CSV",
    jsonl: "JSON lines",
    may_not: "Your role may not export lists. That takes at least the role Support; an owner can give it.",
    #[cfg(feature = "ssr")]
    cut: |most| format!("Cut after {most} rows: narrow the filter to get the others."),
};
