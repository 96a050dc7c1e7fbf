//! The whole server over HTTP, in one process, on a file of its own.

#[cfg(test)]
mod actions;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod console;
#[cfg(test)]
mod document;
#[cfg(test)]
mod door;
#[cfg(test)]
mod double_texting;
#[cfg(test)]
mod duplicates;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod guard;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod house;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod parked;
#[cfg(test)]
mod program;
#[cfg(test)]
mod reveals;
#[cfg(test)]
mod roles;
#[cfg(test)]
mod saved;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod sign_ins;
#[cfg(test)]
mod tools;
#[cfg(test)]
mod v1;
#[cfg(test)]
mod webchat;
