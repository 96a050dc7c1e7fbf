//! `/mcp/{server}` over raw HTTP, with a server behind it that plays a script: both kinds of revisions.

mod hosted;
mod line;
mod outcomes;
mod sessions;
mod stateless;
mod who;
