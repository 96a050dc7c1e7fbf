//! The guard in front of an MCP server and the tool host that calls one, with the official implementation as the real peer on
//! both sides: its client, its server, and a tool between them that counts what it did.

#[cfg(test)]
mod agent;
#[cfg(test)]
mod calendar;
#[cfg(test)]
mod hosted;
#[cfg(test)]
mod model;
#[cfg(test)]
mod proxy;
