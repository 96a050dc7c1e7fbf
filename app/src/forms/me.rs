//! `POST /settings/me`: keeps how somebody wants to read in cookies of their browser.

use super::Posted;
use super::posted::see;
use crate::view::viewer::cookies;
use crate::view::{Density, Shortcuts, Theme};
use axum::http::HeaderValue;
use axum::http::header::SET_COOKIE;
use axum::response::Response;

const YEAR_S: u32 = 31_536_000;

pub(super) async fn post(form: Posted) -> Response {
    let theme = form
        .field("theme")
        .and_then(|word| Theme::from_stored(&word));
    let density = form
        .field("density")
        .and_then(|word| Density::from_stored(&word));
    let shortcuts = if form.field("shortcuts").is_some() {
        Shortcuts::On
    } else {
        Shortcuts::Off
    };
    let zone = form.field("zone");
    let zone = zone.filter(|name| form.console.zone(name).is_some());
    let wishes = [
        (cookies::THEME, theme.map(Theme::stored)),
        (cookies::DENSITY, density.map(Density::stored)),
        (cookies::SHORTCUTS, Some(shortcuts.stored())),
        (cookies::ZONE, zone.as_deref()),
    ];
    let mut response = see("/settings/me?saved=yes");
    for (name, value) in wishes {
        // Words of ours and names of zones: none of them can break a header.
        if let Ok(cookie) = HeaderValue::from_str(&kept(name, value)) {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
    }
    response
}

/// The cookie for a wish; without one, the end of the cookie.
fn kept(name: &str, value: Option<&str>) -> String {
    let life = if value.is_some() { YEAR_S } else { 0 };
    let value = value.unwrap_or_default();
    format!("{name}={value}; Path=/; Max-Age={life}; SameSite=Lax")
}
