//! Keys by reference: the settings name where a key is, never what it is. Must never show one, nor a text that could be
//! one.

use reqwest::header::HeaderValue;

use replygate_ports::settings::SettingError;

use crate::kind::SecretSource;
use crate::options::Options;

/// What a reference may be, for people.
pub(crate) const ALLOWED: &str =
    "env:NAME or file:PATH, where a key of visible ASCII characters is";

/// The key that the option `name` refers to, as a header's value after `prefix`; `None` when the option is not set.
pub(crate) fn header(
    options: &Options<'_>,
    name: &str,
    prefix: &str,
    source: &SecretSource,
) -> Result<Option<HeaderValue>, SettingError> {
    let Some(reference) = options.hidden(name, ALLOWED)? else {
        return Ok(None);
    };
    if !reference.starts_with("env:") && !reference.starts_with("file:") {
        // It may be the key itself.
        return Err(options.wrong(name, "a text that names no place", ALLOWED));
    }
    let wrong = || options.wrong(name, format!("`{reference}`"), ALLOWED);
    let key = source(reference).ok_or_else(wrong)?;
    sensitive(prefix, &key).ok_or_else(wrong).map(Some)
}

/// The value of a header that holds a key; `None` when the key is empty or cannot stand in a header.
pub(crate) fn sensitive(prefix: &str, key: &str) -> Option<HeaderValue> {
    let key = key.trim();
    if key.is_empty() {
        return None;
    }
    let mut value = HeaderValue::from_str(&format!("{prefix}{key}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}
