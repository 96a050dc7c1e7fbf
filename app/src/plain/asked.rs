//! What was asked of a plain page: its address, who asks, how they read, and whom to ask.

use crate::api::asking;
use crate::console::{Console, ConsoleHandle};
use crate::view::{Caller, ConsoleError, Viewer};
use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use axum::http::request::Parts;
use leptos::prelude::use_context;
use leptos_router::params::ParamsMap;
use std::sync::Arc;

/// One request for a page.
#[derive(Clone)]
pub(crate) struct Asked {
    /// The path of the address.
    pub(crate) path: String,
    /// The whole address, as it was asked for.
    pub(crate) address: String,
    /// Its query.
    pub(crate) query: ParamsMap,
    /// Who asks, if they are signed in.
    pub(crate) caller: Option<Caller>,
    /// How they want to read.
    pub(crate) viewer: Viewer,
}

impl Asked {
    /// The request that is being answered.
    pub(crate) fn here() -> Self {
        let parts = use_context::<Parts>();
        let uri = parts.as_ref().map(|parts| &parts.uri);
        let query = uri.and_then(axum::http::Uri::query).unwrap_or_default();
        let pairs: Vec<(String, String)> = pairs(query.as_bytes());
        Self {
            path: uri.map(|uri| uri.path().to_owned()).unwrap_or_default(),
            address: uri.map(ToString::to_string).unwrap_or_default(),
            query: pairs.into_iter().collect(),
            caller: parts
                .as_ref()
                .and_then(|parts| parts.extensions.get::<Caller>().cloned()),
            viewer: viewer(),
        }
    }

    /// The console and who asks it. Where nobody is signed in the answer also leads to the sign-in page and back.
    pub(crate) fn inside(&self) -> Result<(Arc<dyn Console>, Caller), ConsoleError> {
        let caller = self.caller.clone().map_or_else(asking::caller, Ok)?;
        Ok((asking::console()?, caller))
    }

    /// A segment of the path, counted from 0.
    pub(crate) fn segment(&self, place: usize) -> String {
        let segment = self.path.split('/').skip(1).nth(place).unwrap_or_default();
        let pair = pairs(format!("s={}", segment.replace('+', "%2B")).as_bytes());
        pair.into_iter()
            .next()
            .map_or_else(String::new, |(_, text)| text)
    }

    /// A term of the query that is not empty.
    pub(crate) fn term(&self, name: &str) -> Option<String> {
        self.query.get(name).filter(|value| !value.is_empty())
    }
}

fn pairs(query: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(query).into_owned().collect()
}

/// How the reader of the present page wants to read it.
pub(crate) fn viewer() -> Viewer {
    let (Some(parts), Some(console)) = (use_context::<Parts>(), use_context::<ConsoleHandle>())
    else {
        return Viewer::default();
    };
    viewer_of(&parts.headers, &console)
}

/// How whoever sends these headers wants to read.
pub(crate) fn viewer_of(headers: &HeaderMap, console: &ConsoleHandle) -> Viewer {
    let cookies: Vec<&str> = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .collect();
    Viewer::read(&cookies.join("; "), |name| console.0.zone(name))
}
