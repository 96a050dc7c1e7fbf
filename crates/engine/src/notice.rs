//! What the product itself says to a customer: acknowledgements of control commands, in the customer's language. Must
//! never stand in the order of replies.

use replygate_gate::control::Control;
use replygate_gate::text::{Languages, written_in};
use replygate_ports::settings::{NoticeLanguage, Notices};

/// So many of the customer's last texts tell the language.
const TEXTS: usize = 10;

/// The acknowledgement of a control command to somebody who wrote `before`, newest first; `None` when the channel says
/// nothing.
#[must_use]
pub fn acknowledgement<'n, 't>(
    notices: &'n Notices,
    control: Control,
    before: impl Iterator<Item = &'t str>,
) -> Option<&'n str> {
    let known = before
        .take(TEXTS)
        .find_map(|text| written_in(text, Languages::all()));
    notices.after(control, known.and_then(NoticeLanguage::of))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(before: &[&str]) -> &'static str {
        let notices = Notices::default();
        let text = acknowledgement(&notices, Control::Stop, before.iter().copied()).unwrap();
        text.split(['.', ' ']).next().unwrap().to_owned().leak()
    }

    #[test]
    fn the_newest_text_that_shows_a_language_tells_it() {
        assert_eq!(said(&["ok", "¿Dónde está mi pedido?"]), "Detenido");
        assert_eq!(said(&["Onde está o meu pedido?", "where is it?"]), "Parado");
        assert_eq!(said(&["where is my order?"]), "Stopped");
    }

    #[test]
    fn the_channels_own_language_is_spoken_to_whom_nobody_knows() {
        assert_eq!(said(&[]), "Stopped");
        let notices = Notices {
            language: NoticeLanguage::Pt,
            ..Notices::default()
        };
        for before in [&["77"][..], &["où est mon colis ?"]] {
            let said = acknowledgement(&notices, Control::Reset, before.iter().copied());
            assert!(said.unwrap().starts_with("Começando"), "{before:?}");
        }
    }

    #[test]
    fn an_empty_text_says_nothing() {
        let notices = Notices {
            stop_en: " ".to_owned(),
            ..Notices::default()
        };
        assert_eq!(
            acknowledgement(&notices, Control::Stop, [].into_iter()),
            None
        );
    }
}
