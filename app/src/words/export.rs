//! Texts of exports.

/// Taking a list out of the console.
pub(crate) struct Export {
    /// Stands before the formats.
    pub(crate) title: &'static str,
    /// A table for spreadsheets.
    pub(crate) csv: &'static str,
    /// One JSON object a line.
    pub(crate) jsonl: &'static str,
    /// Stands in their place for whoever may not.
    pub(crate) may_not: &'static str,
    /// The last row of an export that goes on in the list.
    #[cfg(feature = "ssr")]
    pub(crate) cut: fn(u32) -> String,
}
