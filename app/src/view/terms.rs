//! The one text field of a filter: words to search for, and terms such as `status:PARKED`. Must never ignore a term that
//! it does not know.

use super::ConsoleError;

/// What a filter's text field says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    /// Terms by name, in the order of writing.
    pub(crate) named: Vec<(&'static str, String)>,
    /// What is left: words to search for.
    pub(crate) text: Option<String>,
}

impl Terms {
    /// Reads the field. `known` are the names of terms that this list has. Quotation marks make words of what would be a
    /// term, and keep a term's value together.
    pub(crate) fn read(field: &str, known: &[&'static str]) -> Result<Self, ConsoleError> {
        let mut terms = Self::default();
        let mut words = Vec::new();
        for piece in pieces(field) {
            let Some((name, value)) = piece.term() else {
                words.push(piece.plain());
                continue;
            };
            let Some(known) = known.iter().find(|known| **known == name) else {
                return Err(unknown(&piece.raw, known));
            };
            terms.named.push((known, value));
        }
        let text = words.join(" ");
        terms.text = Some(text).filter(|text| !text.is_empty());
        Ok(terms)
    }

    /// The last value of a term.
    pub(crate) fn last(&self, name: &str) -> Option<&str> {
        let of_name = self.named.iter().rev().find(|(own, _)| *own == name);
        of_name.map(|(_, value)| value.as_str())
    }
}

/// A stretch without blanks outside quotation marks.
struct Piece {
    raw: String,
}

impl Piece {
    /// Name and value, if it is `name:value`.
    fn term(&self) -> Option<(&str, String)> {
        let (name, value) = self.raw.split_once(':')?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        // An address is no term, and neither is a name that asks for nothing.
        let is_value = !value.is_empty() && !value.starts_with("//");
        (is_name && is_value).then(|| (name, value.replace('"', "")))
    }

    fn plain(&self) -> String {
        self.raw.replace('"', "")
    }
}

fn pieces(field: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut piece, mut quoted) = (String::new(), false);
    for c in field.chars() {
        quoted ^= c == '"';
        if c.is_whitespace() && !quoted {
            pieces.push(std::mem::take(&mut piece));
        } else {
            piece.push(c);
        }
    }
    pieces.push(piece);
    pieces
        .into_iter()
        .filter(|piece| !piece.replace('"', "").is_empty())
        .map(|raw| Piece { raw })
        .collect()
}

fn unknown(term: &str, known: &[&str]) -> ConsoleError {
    let names: Vec<String> = known.iter().map(|name| format!("{name}:")).collect();
    ConsoleError::Invalid {
        field: "q".to_owned(),
        value: term.chars().take(64).collect(),
        allowed: format!(
            "{}, or words; \"{term}\" searches for the words",
            names.join(" ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::Terms;
    use crate::view::ConsoleError;

    const KNOWN: [&str; 2] = ["channel", "status"];

    #[test]
    fn terms_and_words_are_told_apart() {
        let terms = Terms::read("  status:PARKED where is  channel:shop order", &KNOWN).unwrap();
        assert_eq!(terms.last("status"), Some("PARKED"));
        assert_eq!(terms.last("channel"), Some("shop"));
        assert_eq!(terms.text.as_deref(), Some("where is order"));
        assert_eq!(Terms::read("", &KNOWN).unwrap(), Terms::default());
    }

    #[test]
    fn a_term_that_does_not_exist_is_named_with_those_that_do() {
        let error = Terms::read("pix statu:PARKED", &KNOWN).unwrap_err();
        let ConsoleError::Invalid { value, allowed, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(value, "statu:PARKED");
        assert!(allowed.starts_with("channel: status:"), "{allowed}");
    }

    #[test]
    fn quotation_marks_and_addresses_are_words() {
        let terms = Terms::read(
            "\"re: order\" https://a.example status:\"two words\"",
            &KNOWN,
        );
        let terms = terms.unwrap();
        assert_eq!(terms.text.as_deref(), Some("re: order https://a.example"));
        assert_eq!(terms.last("status"), Some("two words"));
    }
}
