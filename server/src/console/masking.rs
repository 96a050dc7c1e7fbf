//! What a caller may see of a customer.

use replygate_app::view::{Caller, Permission, Personal};

/// Lists show this much of a text.
const CUT: usize = 200;

/// A text, whole.
pub(super) fn text(who: &Caller, text: &str) -> Personal {
    if text.is_empty() {
        return Personal::Pruned;
    }
    if who.may(Permission::Reveal) {
        return Personal::Shown(text.to_owned());
    }
    Personal::Masked(format!("{} characters", text.chars().count()))
}

/// A text as a list shows it.
pub(super) fn cut(who: &Caller, whole: &str) -> Personal {
    if !who.may(Permission::Reveal) || whole.chars().nth(CUT).is_none() {
        return text(who, whole);
    }
    let mut short: String = whole.chars().take(CUT - 1).collect();
    short.push('…');
    Personal::Shown(short)
}

/// A contact: a stand-in keeps the end of a long one, by which people tell them apart.
pub(super) fn contact(who: &Caller, contact: &str) -> Personal {
    if who.may(Permission::Reveal) {
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
    use replygate_app::view::Role;

    use super::*;

    fn who(role: Role) -> Caller {
        Caller::with_role("a".into(), "a".to_owned(), role)
    }

    #[test]
    fn a_viewer_sees_how_long_a_text_is_and_no_more() {
        let viewer = who(Role::Viewer);
        assert_eq!(
            text(&viewer, "olá"),
            Personal::Masked("3 characters".to_owned())
        );
        assert_eq!(
            contact(&viewer, "5511999991234"),
            Personal::Masked("•••• 1234".to_owned())
        );
        assert_eq!(contact(&viewer, "ana"), Personal::Masked("••••".to_owned()));
    }

    #[test]
    fn a_list_cuts_long_texts() {
        let Personal::Shown(short) = cut(&who(Role::Support), &"é".repeat(300)) else {
            panic!("a supporter sees texts");
        };
        assert_eq!(short.chars().count(), CUT);
    }
}
