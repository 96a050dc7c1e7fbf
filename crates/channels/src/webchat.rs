//! A page of our own on which a person writes: who they are, what they sent, what the page shows and how answers reach
//! it while it is open. Must never keep a text: what a page missed it reads again from the history.
//!
//! The server answers these addresses with what is here:
//!
//! | address | answer |
//! |---|---|
//! | `GET /chat/{channel}` | [`page::render`], with the visitor's cookie |
//! | `POST /chat/{channel}/messages` | body read by [`parse`]; JSON: 202 `{"message","duplicate"}`; a form: 303 back to the page |
//! | `GET /chat/{channel}/events` | server-sent events from [`Hub::subscribe`], each named [`Event::name`] with data [`Event::json`] |
//! | `GET /chat/{channel}/history` | `{"lines":[…]}` of [`page::Line`] |
//! | `GET /chat/{channel}/chat.css`, `chat.js` | [`page::CSS`], [`page::JS`] |

mod channel;
mod event;
mod hub;
pub mod page;
mod parse;
mod visitor;

pub use channel::{Pages, WebchatChannel};
pub use event::Event;
pub use hub::{Hub, Subscription};
pub use parse::parse;
pub use visitor::{BadVisitor, COOKIE, Transport, Visitor};
