//! Lists that are taken out of the console.

use super::stored::stored_words;

stored_words! {
    /// How a list is written.
    ExportFormat {
        /// A table for spreadsheets.
        Csv = "csv",
        /// One JSON object a line.
        Jsonl = "jsonl",
    }
}

impl ExportFormat {
    /// The type by which browsers know it.
    #[must_use]
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Jsonl => "application/x-ndjson",
        }
    }
}

/// What somebody wants to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportAsked {
    /// The list, as the log calls it: `list:messages`, or the id of an operation.
    pub object: String,
    /// How it is written.
    pub format: ExportFormat,
    /// The terms of its filter, as they were given.
    pub terms: Vec<(String, String)>,
}
