//! The built-in agents. Must never change the world without leave from the turn's `Effects`.

mod demo;
mod echo;
mod http;

pub(crate) use demo::Demo;
pub(crate) use echo::Echo;
pub(crate) use http::HttpAgent;
