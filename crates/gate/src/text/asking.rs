//! Whether a text asks something. It never tells what.

use super::chars;

/// Whether there is a question in the text: a question mark of any script that is not part of an address.
#[must_use]
pub fn asks(text: &str) -> bool {
    text.split(|c: char| chars::is_blank(c) || chars::is_invisible(c))
        .filter(|token| !token.contains("://") && !token.starts_with("www."))
        .any(|token| token.contains(chars::is_question))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_seen_wherever_it_stands() {
        for text in [
            "Posso confirmar para quinta?",
            "Shall I book it? Reply until noon. 🙂",
            "¿Confirmo?\u{200D}",
            "متى تفتحون؟",
            "サイズ交換できますか？",
        ] {
            assert!(asks(text), "{text}");
        }
    }

    #[test]
    fn an_address_and_a_statement_ask_nothing() {
        for text in [
            "Follow it at https://example.org/track?id=7",
            "www.example.org/?a=b",
            "Your order is on its way.",
            "¿",
            "",
        ] {
            assert!(!asks(text), "{text}");
        }
    }
}
