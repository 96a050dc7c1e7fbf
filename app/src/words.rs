//! Every text that the console shows, by language. No page holds a text of its own.
//!
//! A language is one [`Words`] in a file of its own; the compiler says what a new one lacks. Texts with a number in
//! them are functions, because languages count differently. A stored word that no language knows (from a newer server)
//! is shown as it is.

//!
//! Words of the live pages are in both halves. Words that only plain (`crate::plain`) pages need are left out of the
//! browser half.

#[cfg(feature = "ssr")]
mod activity;
#[cfg(feature = "ssr")]
mod built_in;
#[cfg(feature = "ssr")]
mod channels;
#[cfg(feature = "ssr")]
mod decide;
#[cfg(feature = "ssr")]
mod decisions;
mod duplicates;
mod en;
mod export;
#[cfg(feature = "ssr")]
mod frame;
mod lab;
mod lists;
#[cfg(feature = "ssr")]
mod message;
mod operation;
#[cfg(feature = "ssr")]
mod overview;
mod parked;
mod session_page;
#[cfg(feature = "ssr")]
mod team;
mod veil;
mod views;

use crate::live::Pause;
use crate::view::{
    AttemptResult, ConsoleError, Count, HoldWhy, Permission, Role, Section, SessionStateWord,
    StatusWord, VerdictSource, VerdictWord,
};

/// The texts of one language.
pub struct Words {
    /// The language as a `lang` attribute names it.
    pub lang: &'static str,
    /// The shell around every page.
    pub shell: Shell,
    /// The sessions page.
    pub sessions: Sessions,
    /// A session's page.
    pub session: Session,
    /// Sign-in and first run.
    pub door: Door,
    /// The page for an address that leads nowhere.
    pub lost: Lost,
    /// Words for states, and other words of the domain.
    pub domain: Domain,
    /// Times and numbers.
    pub measure: Measure,
    /// Why something failed.
    pub trouble: fn(&ConsoleError) -> Trouble,
    pub(crate) veil: veil::VeilWords,
    pub(crate) export: export::Export,
    pub(crate) views: views::Views,
    pub(crate) lab: lab::Lab,
    pub(crate) session_page: session_page::SessionPage,
    pub(crate) filter: lists::Filter,
    pub(crate) messages: lists::Messages,
    pub(crate) parked: parked::Parked,
    pub(crate) operation: operation::Operation,
    #[cfg(feature = "ssr")]
    pub(crate) operations: operation::Operations,
    /// Why a form did nothing: says first whether anything was sent.
    #[cfg(feature = "ssr")]
    pub(crate) after_form: fn(&ConsoleError) -> String,
    /// Why a control does nothing.
    #[cfg(feature = "ssr")]
    pub(crate) may_not: fn(Permission) -> String,
    #[cfg(feature = "ssr")]
    pub(crate) overview: overview::Overview,
    #[cfg(feature = "ssr")]
    pub(crate) health: overview::HealthPage,
    #[cfg(feature = "ssr")]
    pub(crate) decisions: decisions::Decisions,
    #[cfg(feature = "ssr")]
    pub(crate) activity: activity::Activity,
    #[cfg(feature = "ssr")]
    pub(crate) built_in: built_in::BuiltIn,
    #[cfg(feature = "ssr")]
    pub(crate) team: team::Team,
    #[cfg(feature = "ssr")]
    pub(crate) channels: channels::Channels,
    #[cfg(feature = "ssr")]
    pub(crate) channel: channels::Channel,
    pub(crate) duplicates: duplicates::Duplicates,
    #[cfg(feature = "ssr")]
    pub(crate) duplicate: duplicates::Duplicate,
    #[cfg(feature = "ssr")]
    pub(crate) decide: decide::Decide,
    #[cfg(feature = "ssr")]
    pub(crate) message: message::Message,
    #[cfg(feature = "ssr")]
    pub(crate) keys: frame::Keys,
    #[cfg(feature = "ssr")]
    pub(crate) me: frame::Me,
}

/// A failure in words.
pub struct Trouble {
    /// What failed.
    pub title: &'static str,
    /// Whether anything was done, and what to do.
    pub text: String,
}

impl Words {
    /// A page's title as the window shows it.
    #[must_use]
    pub fn titled(&self, page: &str) -> String {
        format!("{page} · {}", self.shell.product)
    }
}

/// The shell around every page.
pub struct Shell {
    /// The product.
    pub product: &'static str,
    /// The mark of an installation in which everything is invented.
    pub demo: &'static str,
    /// What that mark means.
    pub demo_means: &'static str,
    /// The first link, for keyboards and screen readers.
    pub skip: &'static str,
    /// The name of the main navigation.
    pub navigation: &'static str,
    /// A part of the console.
    pub section: fn(Section) -> &'static str,
    /// The field that leads to a thing by its id.
    pub go_to: &'static str,
    /// The button that ends the sign-in.
    pub sign_out: &'static str,
    /// The link that loads the page again.
    pub refresh: &'static str,
    /// The page follows what happens; so old is the newest data.
    pub live: fn(age_s: i64) -> String,
    /// Updates wait.
    pub paused: fn(Pause) -> String,
    /// The button that lets updates wait.
    pub pause: &'static str,
    /// The button that ends the waiting.
    pub resume: &'static str,
    /// So many new rows wait outside the list.
    pub waiting: fn(usize) -> String,
    /// The button that shows them.
    pub show_waiting: &'static str,
    /// The connection is gone; the screen is from this time of day.
    pub reconnecting: fn(from: &str) -> String,
    /// Without live updates the screen is from this time.
    pub still: fn(from: &str) -> String,
    /// The link that tries once more.
    pub again: &'static str,
    /// The link to what the reader's role may do.
    pub what_i_may: &'static str,
}

/// The sessions page.
pub struct Sessions {
    /// Its title, also in the navigation.
    pub title: &'static str,
    /// The caption of its table.
    pub caption: fn(shown: usize, total: Option<Count>) -> String,
    /// The columns.
    pub columns: Columns,
    /// The name of the filter.
    pub filter: &'static str,
    /// The field for a channel.
    pub channel: &'static str,
    /// The field for a state.
    pub state: &'static str,
    /// The field for a contact or an id.
    pub query: &'static str,
    /// The choice of everything.
    pub any: &'static str,
    /// The button that filters.
    pub apply: &'static str,
    /// The link that ends filtering.
    pub clear: &'static str,
    /// The link to older rows.
    pub older: &'static str,
    /// The link to the newest rows.
    pub newest: &'static str,
    /// Nothing was ever there.
    pub none_yet: &'static str,
    /// The link to a page on which a first message can be written.
    pub to_chat: &'static str,
    /// Nothing matches the filter.
    pub none_match: &'static str,
    /// The list ends here.
    pub none_older: &'static str,
}

/// The columns of the sessions table.
pub struct Columns {
    /// Who writes.
    pub contact: &'static str,
    /// Where.
    pub channel: &'static str,
    /// What is going on.
    pub state: &'static str,
    /// The running window, or why replies are held.
    pub waiting: &'static str,
    /// Replies that are not final.
    pub in_flight: &'static str,
    /// The customer's newest message.
    pub last_message: &'static str,
    /// The newest reply.
    pub last_reply: &'static str,
    /// When something happened.
    pub last_activity: &'static str,
}

/// A session's page.
pub struct Session {
    /// Its title, by contact.
    pub title: fn(contact: &str) -> String,
    /// The heading of the conversation.
    pub conversation: &'static str,
    /// Nothing was said.
    pub silent: &'static str,
    /// The heading of the event log.
    pub events: &'static str,
    /// The column of times.
    pub when: &'static str,
    /// The column of events.
    pub what: &'static str,
    /// The column of facts.
    pub facts: &'static str,
    /// Who wrote: the customer.
    pub customer: &'static str,
    /// Who wrote: the agent.
    pub agent: &'static str,
    /// Who wrote: Replygate.
    pub notice: &'static str,
    /// The message was changed after sending.
    pub edited: &'static str,
    /// No turn has covered it.
    pub waiting: &'static str,
    /// A turn chose to say nothing.
    pub no_answer: &'static str,
    /// A person answered.
    pub person: &'static str,
    /// A command or policy dropped it.
    pub dropped: fn(why: &str) -> String,
    /// The link from a message to its answer.
    pub answered_by: &'static str,
    /// What a reply covers.
    pub covers: &'static str,
    /// What took a reply's place.
    pub replaced_by: &'static str,
    /// The agent gave no text.
    pub empty_reply: &'static str,
    /// So many parts of so many have left.
    pub parts: fn(sent: u32, of: usize) -> String,
    /// Stands before a part that has not left, where others have.
    pub unsent: &'static str,
    /// The parts that had not left were cut off.
    pub cut: &'static str,
    /// Its turn did something outside.
    pub had_effects: &'static str,
    /// It waits for its time.
    pub due: &'static str,
    /// A verdict, its source and how sure it was.
    pub verdict: fn(word: &str, source: &str, evaluator: &str, percent: u8) -> String,
    /// It came too late.
    pub too_late: &'static str,
    /// The line that sums up attempts.
    pub attempts: fn(count: usize) -> String,
}

/// Sign-in and first run.
pub struct Door {
    /// The title of the sign-in page.
    pub sign_in: &'static str,
    /// The field for the name.
    pub name: &'static str,
    /// The field for the password.
    pub password: &'static str,
    /// The button.
    pub enter: &'static str,
    /// Name and password do not fit.
    pub refused: &'static str,
    /// Too many attempts.
    pub throttled: &'static str,
    /// The sign-in is over.
    pub over: &'static str,
    /// The password was changed.
    pub changed: &'static str,
    /// The title of the first-run page.
    pub first_run: &'static str,
    /// What it is for, and whose password it sets.
    pub first_run_why: fn(name: &str) -> String,
    /// The field for the new password.
    pub new_password: &'static str,
    /// What a password must be.
    pub password_rule: &'static str,
    /// The field for the same again.
    pub repeat: &'static str,
    /// The button.
    pub set: &'static str,
    /// The link was used or is too old.
    pub link_used: &'static str,
    /// The two passwords differ.
    pub differ: &'static str,
    /// The password is too short.
    pub too_short: &'static str,
    /// The address holds no link.
    pub no_link: &'static str,
}

/// The page for an address that leads nowhere.
pub struct Lost {
    /// Its title.
    pub title: &'static str,
    /// What to do.
    pub what_next: &'static str,
    /// The link to the sessions.
    pub to_sessions: &'static str,
}

/// Words of the domain.
pub struct Domain {
    /// A reply's status.
    pub status: fn(StatusWord) -> &'static str,
    /// A session's state.
    pub state: fn(SessionStateWord) -> &'static str,
    /// Why replies are held.
    pub hold: fn(HoldWhy) -> &'static str,
    /// A verdict.
    pub verdict: fn(VerdictWord) -> &'static str,
    /// Where a verdict came from.
    pub source: fn(VerdictSource) -> &'static str,
    /// How an attempt ended.
    pub attempt: fn(AttemptResult) -> &'static str,
    /// A role.
    pub role: fn(Role) -> &'static str,
    /// What a person may do, as it goes on behind "may".
    pub permission: fn(Permission) -> &'static str,
    /// Why a reply is parked, by stored word.
    pub parked: fn(&str) -> &str,
    /// An event, by stored name.
    pub event: fn(&str) -> &str,
    /// A customer's text that is gone.
    pub pruned: &'static str,
    /// Said before a stand-in for a text the reader may not see.
    pub masked: &'static str,
    /// A person, by name.
    pub taken_over_by: fn(&str) -> String,
}

/// Times and numbers.
pub struct Measure {
    /// A time span that lies behind, from its milliseconds.
    pub ago: fn(ms: i64) -> String,
    /// A short span with tenths, from its milliseconds.
    pub seconds: fn(ms: i64) -> String,
    /// A window: so much of so much has passed, by this rule, with so many messages.
    pub window: fn(passed: &str, of: &str, rule: &str, messages: u32) -> String,
}

/// The words of the reader's language.
#[must_use]
pub fn words() -> &'static Words {
    &en::WORDS
}
