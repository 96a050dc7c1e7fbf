//! How rows are written: as CSV for spreadsheets (RFC 4180, UTF-8), or as one JSON object a line.

use super::record::Cell;
use crate::view::{ExportFormat, Zone};
use crate::words::words;

/// Writes rows in one format, with times by the clocks of one zone.
pub(super) struct Writer {
    format: ExportFormat,
    zone: Zone,
}

impl Writer {
    pub(super) fn new(format: ExportFormat, zone: Zone) -> Self {
        Self { format, zone }
    }

    /// What stands above the rows.
    pub(super) fn head(&self, columns: &[&str], out: &mut String) {
        if self.format == ExportFormat::Csv {
            out.push_str(&columns.join(","));
            out.push_str("\r\n");
        }
    }

    /// A row; it has a cell for each column.
    pub(super) fn row(&self, columns: &[&str], cells: &[Cell], out: &mut String) {
        match self.format {
            ExportFormat::Csv => {
                let fields: Vec<String> = cells.iter().map(|cell| self.field(cell)).collect();
                out.push_str(&fields.join(","));
                out.push_str("\r\n");
            }
            ExportFormat::Jsonl => {
                let named = columns.iter().zip(cells);
                let fields: Vec<String> = named
                    .map(|(name, cell)| format!("\"{name}\":{}", self.value(cell)))
                    .collect();
                out.push('{');
                out.push_str(&fields.join(","));
                out.push_str("}\n");
            }
        }
    }

    /// The last row of an export that goes on in the list.
    pub(super) fn cut(&self, columns: &[&str], most: u32, out: &mut String) {
        let note = (words().export.cut)(most);
        match self.format {
            ExportFormat::Csv => {
                out.push_str(&quoted(&note));
                out.push_str(&",".repeat(columns.len() - 1));
                out.push_str("\r\n");
            }
            ExportFormat::Jsonl => {
                let note = serde_json::Value::from(note);
                out.extend(["{\"cut\":", &note.to_string(), "}\n"]);
            }
        }
    }

    fn field(&self, cell: &Cell) -> String {
        match cell {
            Cell::Nothing => String::new(),
            Cell::Text(text) => quoted(&harmless(text)),
            Cell::Number(number) => number.to_string(),
            Cell::Yes(yes) => yes.to_string(),
            Cell::Time(at) => self.zone.iso(*at),
        }
    }

    fn value(&self, cell: &Cell) -> serde_json::Value {
        match cell {
            Cell::Nothing => serde_json::Value::Null,
            Cell::Text(text) => text.as_str().into(),
            Cell::Number(number) => (*number).into(),
            Cell::Yes(yes) => (*yes).into(),
            Cell::Time(at) => self.zone.iso(*at).into(),
        }
    }
}

/// A spreadsheet takes a text that begins like this for a formula, and would carry it out: an apostrophe before it says
/// that it is a text.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        return format!("'{text}");
    }
    text.to_owned()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Cell, Writer};
    use crate::view::{At, ExportFormat, Shift, Zone};

    const COLUMNS: [&str; 4] = ["id", "text", "count", "at"];

    fn written(format: ExportFormat, text: &str) -> String {
        let west = Shift {
            from: At(0),
            seconds: -12_600,
        };
        let zone = Zone {
            name: "America/St_Johns".to_owned(),
            shifts: vec![west],
        };
        let writer = Writer::new(format, zone);
        let mut out = String::new();
        writer.head(&COLUMNS, &mut out);
        let cells = [
            Cell::Text("msg_1".to_owned()),
            Cell::Text(text.to_owned()),
            Cell::Number(-3),
            Cell::Time(At(1_709_251_200_042)),
        ];
        writer.row(&COLUMNS, &cells, &mut out);
        out
    }

    #[test]
    fn times_carry_their_offset_and_lines_end_as_each_format_has_it() {
        assert_eq!(
            written(ExportFormat::Csv, "hi"),
            "id,text,count,at\r\nmsg_1,hi,-3,2024-02-29T20:30:00.042-03:30\r\n"
        );
        assert_eq!(
            written(ExportFormat::Jsonl, "hi"),
            "{\"id\":\"msg_1\",\"text\":\"hi\",\"count\":-3,\"at\":\"2024-02-29T20:30:00.042-03:30\"}\n"
        );
    }

    #[test]
    fn what_a_customer_wrote_is_never_a_formula_of_a_spreadsheet() {
        for text in ["=1+1", "+351", "-2", "@SUM(A1)", "\tx", "\rx"] {
            let csv = written(ExportFormat::Csv, text);
            let field = csv.lines().nth(1).unwrap_or_default();
            assert!(field.contains(",'") || field.contains(",\"'"), "{csv}");
        }
        assert!(written(ExportFormat::Csv, "a=b").contains(",a=b,"));
        assert!(written(ExportFormat::Jsonl, "=1+1").contains("\"=1+1\""));
    }

    #[test]
    fn quotes_commas_and_line_breaks_stay_in_their_field() {
        let csv = written(ExportFormat::Csv, "a \"b\",\nc");
        assert!(csv.contains("msg_1,\"a \"\"b\"\",\nc\",-3"), "{csv}");
        let json = written(ExportFormat::Jsonl, "a \"b\",\nc");
        assert_eq!(json.lines().count(), 1, "{json}");
    }

    #[test]
    fn an_export_that_was_cut_says_so_in_its_last_row() {
        for format in [ExportFormat::Csv, ExportFormat::Jsonl] {
            let mut out = String::new();
            Writer::new(format, Zone::utc()).cut(&COLUMNS, 100_000, &mut out);
            assert!(out.contains("100000"), "{out}");
            assert_eq!(out.lines().count(), 1);
        }
    }
}
