//! Charts as SVG, drawn by the server. Every chart has a sentence that says what it shows and a table with its numbers;
//! colours come from the style sheet by class, sizes from attributes. A chart must never be the only place of a number.

mod bars;
mod lines;
mod scale;

pub(crate) use bars::{Bar, StackedBars};
pub(crate) use lines::{Line, Lines};
