//! Query strings of the console's own addresses.

use std::fmt::Write as _;

/// A query string under construction.
#[derive(Default)]
pub(crate) struct Query(String);

impl Query {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds `name=value` where there is a value that is not empty.
    pub(crate) fn add(&mut self, name: &str, value: Option<&str>) {
        let Some(value) = value.filter(|value| !value.is_empty()) else {
            return;
        };
        self.0.push(if self.0.is_empty() { '?' } else { '&' });
        self.0.push_str(name);
        self.0.push('=');
        escape(value, &mut self.0);
    }

    /// The address `path` with this query, behind the one that it has.
    pub(crate) fn on(self, path: &str) -> String {
        match self.0.strip_prefix('?') {
            Some(rest) if path.contains('?') => format!("{path}&{rest}"),
            _ => format!("{path}{}", self.0),
        }
    }
}

/// One segment of a path, with everything escaped that could end it.
#[must_use]
pub(crate) fn segment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

fn escape(text: &str, out: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Query, segment};

    #[test]
    fn values_cannot_end_their_parameter() {
        let mut query = Query::new();
        query.add("q", Some("a&b=c d#é"));
        query.add("state", None);
        query.add("after", Some(""));
        assert_eq!(query.on("/sessions"), "/sessions?q=a%26b%3Dc%20d%23%C3%A9");
    }

    #[test]
    fn a_query_goes_on_behind_another() {
        let mut query = Query::new();
        query.add("no", Some("gone"));
        assert_eq!(query.on("/x?a=1"), "/x?a=1&no=gone");
        assert_eq!(Query::new().on("/x?a=1"), "/x?a=1");
    }

    #[test]
    fn an_id_cannot_leave_its_segment() {
        assert_eq!(segment("../x?y"), "..%2Fx%3Fy");
    }
}
