//! `/export/{list}.{csv|jsonl}`: a list taken out of the console, with the query of its page and by the same question to
//! the [console](crate::console). It is written row by row as it is read; the whole of it is never held.
//!
//! Who takes what is written down before the first row. Texts are masked for whoever may take lists and no texts, also
//! where they are shown on the page at that moment.

mod format;
mod listed;
mod record;

use crate::console::{Console, ConsoleHandle};
use crate::pages::plain::sign_in_address;
use crate::plain::{refused, viewer_of};
use crate::view::{Caller, ConsoleError, Cursor, ExportAsked, ExportFormat};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use format::Writer;
use futures::{Stream, StreamExt, stream};
use leptos::config::LeptosOptions;
use listed::Listed;
use std::sync::Arc;

/// No export has more rows.
const MOST_ROWS: u32 = 100_000;

/// The one route.
pub(crate) fn routes(options: &LeptosOptions, console: &ConsoleHandle) -> Router<LeptosOptions> {
    let (options, console) = (options.clone(), console.clone());
    let answer = move |Path(file): Path<String>, request: Request| {
        let (options, console) = (options.clone(), console.clone());
        async move {
            let (asked, _) = request.into_parts();
            match begun(&console, &file, &asked).await {
                Ok(response) => response,
                Err(ConsoleError::NotSignedIn) => {
                    let back = asked.uri.to_string();
                    Redirect::to(&sign_in_address(Some(&back))).into_response()
                }
                Err(error) => {
                    let request = Request::from_parts(asked, Body::empty());
                    refused(&options, (request, console), error).await
                }
            }
        }
    };
    Router::new().route("/export/{file}", get(answer))
}

/// The answer, as soon as its first rows are read: what is wrong until then is told on a page.
async fn begun(
    console: &ConsoleHandle,
    file: &str,
    request: &Parts,
) -> Result<Response, ConsoleError> {
    let caller = request.extensions.get::<Caller>();
    let caller = caller.ok_or(ConsoleError::NotSignedIn)?;
    let zone = viewer_of(&request.headers, console).zone;
    let console = console.0.clone();
    let (list, format) = named(file).ok_or_else(nothing)?;
    let terms = terms(&request.uri);
    let listed = Listed::read(list, &terms, console.now(), &zone)?;
    let asked = ExportAsked {
        object: listed.object(),
        format,
        terms,
    };
    let who = console.export(caller, asked).await?;
    let day = zone.ymd(console.now());
    let mut export = Export {
        console,
        who,
        listed,
        writer: Writer::new(format, zone),
        next: None,
        has_head: false,
        rows: 0,
        is_over: false,
    };
    let first = export.stretch().await?;
    let body = stream::once(async { Ok(first) }).chain(export.rest());
    let name = format!(
        "attachment; filename=\"replygate-{list}-{day}.{}\"",
        format.stored()
    );
    let mut response = Body::from_stream(body).into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(format.mime()),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(name) = HeaderValue::from_str(&name) {
        headers.insert(header::CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

fn named(file: &str) -> Option<(&'static str, ExportFormat)> {
    let (list, format) = file.rsplit_once('.')?;
    let list = listed::NAMES.iter().find(|name| **name == list)?;
    Some((list, ExportFormat::from_stored(format)?))
}

fn nothing() -> ConsoleError {
    ConsoleError::NotFound {
        what: "export".to_owned(),
    }
}

/// The terms of the query that say something.
fn terms(uri: &Uri) -> Vec<(String, String)> {
    let query = uri.query().unwrap_or_default();
    form_urlencoded::parse(query.as_bytes())
        .filter(|(name, value)| !value.trim().is_empty() && name != "after")
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

/// An export on its way.
struct Export {
    console: Arc<dyn Console>,
    who: Caller,
    listed: Listed,
    writer: Writer,
    next: Option<Cursor>,
    has_head: bool,
    rows: u32,
    is_over: bool,
}

impl Export {
    /// The next rows, written.
    async fn stretch(&mut self) -> Result<String, ConsoleError> {
        let (records, next) = self
            .listed
            .stretch(&*self.console, &self.who, self.next.take())
            .await?;
        let mut text = String::new();
        if !self.has_head {
            self.has_head = true;
            self.writer.head(self.listed.columns(), &mut text);
        }
        for record in &records {
            if self.rows == MOST_ROWS {
                self.writer.cut(self.listed.columns(), MOST_ROWS, &mut text);
                self.is_over = true;
                return Ok(text);
            }
            self.writer.row(self.listed.columns(), record, &mut text);
            self.rows += 1;
        }
        self.is_over = next.is_none();
        self.next = next;
        Ok(text)
    }

    /// Everything behind the first rows. A fault ends it in the middle, which a browser tells as a download that failed.
    fn rest(self) -> impl Stream<Item = Result<String, ConsoleError>> {
        stream::try_unfold(self, |mut export| async move {
            if export.is_over {
                return Ok(None);
            }
            let text = export.stretch().await?;
            Ok(Some((text, export)))
        })
    }
}
