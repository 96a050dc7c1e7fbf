//! What runs tools: the built-in calendar and mailbox, any address, and MCP servers. Must never say that a call failed unless it
//! certainly had no effect.

mod arguments;
mod built_in;
mod calendar;
mod http;
mod mailbox;
mod mcp;
mod template;

pub use built_in::built_in_tools;

pub(crate) use calendar::{CalendarTool, Deed as CalendarDeed};
pub(crate) use http::{HttpTool, OPTIONS as HTTP_OPTIONS};
pub(crate) use mailbox::{Deed as MailDeed, MailTool};
pub(crate) use mcp::{McpTool, OPTIONS as MCP_OPTIONS};
