//! What a caller sees of a customer.

use replygate_app::view::Personal;

/// Whether texts and contacts are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// They are.
    Clear,
    /// Stand-ins are seen in their place.
    Veiled,
}

/// Lists show this much of a text.
const CUT: usize = 200;

/// A text, whole.
pub(super) fn text(sight: Sight, text: &str) -> Personal {
    if text.is_empty() {
        return Personal::Pruned;
    }
    if sight == Sight::Clear {
        return Personal::Shown(text.to_owned());
    }
    Personal::Masked(format!("{} characters", text.chars().count()))
}

/// A text as a list shows it.
pub(super) fn cut(sight: Sight, whole: &str) -> Personal {
    if sight == Sight::Veiled || whole.chars().nth(CUT).is_none() {
        return text(sight, whole);
    }
    let mut short: String = whole.chars().take(CUT - 1).collect();
    short.push('…');
    Personal::Shown(short)
}

/// A contact: a stand-in keeps the end of a long one, by which people tell them apart.
pub(super) fn contact(sight: Sight, contact: &str) -> Personal {
    if sight == Sight::Clear {
        return Personal::Shown(contact.to_owned());
    }
    let length = contact.chars().count();
    let end: String = if length >= 8 {
        contact.chars().skip(length - 4).collect()
    } else {
        String::new()
    };
    Personal::Masked(format!("•••• {end}").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn under_a_veil_one_sees_how_long_a_text_is_and_no_more() {
        let veiled = Sight::Veiled;
        assert_eq!(
            text(veiled, "olá"),
            Personal::Masked("3 characters".to_owned())
        );
        assert_eq!(
            contact(veiled, "5511999991234"),
            Personal::Masked("•••• 1234".to_owned())
        );
        assert_eq!(contact(veiled, "ana"), Personal::Masked("••••".to_owned()));
    }

    #[test]
    fn a_list_cuts_long_texts() {
        let Personal::Shown(short) = cut(Sight::Clear, &"é".repeat(300)) else {
            panic!("without a veil texts are seen");
        };
        assert_eq!(short.chars().count(), CUT);
    }
}
