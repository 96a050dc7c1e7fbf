//! Tool calls: what makes two of them the same, and what may become of them. "A tool call with an effect happens once per
//! meaning, not once per call." Must never run anything, and must never see two different meanings as one.
//!
//! [`Recipe::compare`] turns a call's arguments into a [`Comparison`]: the fields that make its identity in one spelling,
//! and those that were left out. With who called it that is a [`Fingerprint`]. [`reserve`] and [`settle`] decide about the
//! ledger's entry under that fingerprint.

mod canonical;
mod comparison;
mod difference;
mod entry;
mod fingerprint;
mod known;
mod moment;
mod note;
mod path;
mod recipe;
mod record;
mod schema;
mod spelling;

pub use canonical::canonical;
pub use comparison::{Compared, Comparison};
pub use difference::{Change, Difference, differences};
pub use entry::{
    Allowance, CallState, Entry, Guarding, OnUnknown, Outcome, Reservation, SettleRefusal, Settled,
    Why, is_dead, reserve, settle,
};
pub use fingerprint::{BadFingerprint, Fingerprint, Scope};
pub use moment::{ClockStep, Moment, Steadied};
pub use note::Note;
pub use recipe::{Field, Recipe, RecipeError, RecipeKind};
pub use record::{Avoided, Opinion, Runner};
pub use schema::{Misfit, misfits};
pub use spelling::{DateOrder, DecimalMark, Reading, Spelling, instant, written};
