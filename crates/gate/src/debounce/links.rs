//! Recognises links. It never opens one.

use crate::text::chars;

/// Endings of host names that people write without a scheme. Others need a scheme, "www." or a path.
const DOMAINS: &[&str] = &[
    "com", "org", "net", "br", "io", "me", "co", "app", "dev", "info", "biz", "shop", "store",
    "online", "site", "pt", "es", "fr", "mx", "ar", "cl", "pe", "uk", "us", "de", "it", "in", "cn",
    "jp", "sa", "ae", "eg", "ma", "be", "ly", "gl", "tv", "edu", "gov", "eu", "ca", "hk", "tw",
];

/// True if the text is one or more links with nothing but blanks, emoji and brackets around them.
pub(super) fn is_bare(text: &str) -> bool {
    let mut seen = false;
    for token in text.split(|c: char| chars::is_blank(c) || chars::is_invisible(c)) {
        let token =
            token.trim_matches(|c| chars::is_closing(c) || chars::is_opening(c) || c == '<');
        if is_link(token) {
            seen = true;
        } else if token.chars().any(chars::is_word) {
            return false;
        }
    }
    seen
}

/// The byte range of the link that the text ends in. Only ASCII belongs to a link, so a mark of another script ends the sentence.
pub(super) fn at_end(text: &str) -> Option<(usize, usize)> {
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_ascii_graphic())
        .last()
        .map(|(at, _)| at)?;
    let token = text[start..].trim_start_matches(['(', '[', '<', '"', '\'']);
    is_link(token).then_some((text.len() - token.len(), text.len()))
}

fn is_link(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    if let Some((scheme, rest)) = lower.split_once("://") {
        return !rest.is_empty()
            && rest.is_ascii()
            && scheme.starts_with(|c: char| c.is_ascii_lowercase())
            && scheme.bytes().all(is_scheme_byte);
    }
    let (host, path) = lower.split_at(lower.find(['/', '?', '#']).unwrap_or(lower.len()));
    let host = host.split(':').next().unwrap_or_default();
    if host.contains('@')
        || !host
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'))
    {
        return false;
    }
    let mut labels = host.trim_end_matches(['.', ',']).rsplit('.');
    let top = labels.next().unwrap_or_default();
    let names: Vec<&str> = labels.collect();
    let is_host = !names.is_empty()
        && names.iter().all(|label| !label.is_empty())
        && top.len() >= 2
        && top.bytes().all(|b| b.is_ascii_lowercase());
    is_host && (path.starts_with('/') || names.last() == Some(&"www") || DOMAINS.contains(&top))
}

fn is_scheme_byte(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_with_and_without_scheme_are_bare() {
        for text in [
            "https://a.example/x?y=1",
            " <https://a.example> ",
            "www.loja.com.br",
            "loja.com.br",
            "t.me/abc",
            "https://a.example\nhttps://b.example 👀",
        ] {
            assert!(is_bare(text), "{text}");
        }
    }

    #[test]
    fn words_addresses_and_numbers_are_no_links() {
        for text in [
            "see https://a.example",
            "maria@example.com",
            "e/ou",
            "2.5",
            "etc.",
            "R$1.250/mês",
            "foto.jpg",
            "",
        ] {
            assert!(!is_bare(text), "{text}");
        }
    }

    #[test]
    fn a_link_at_the_end_takes_the_ascii_mark_with_it() {
        assert_eq!(at_end("see https://a.example/?"), Some((4, 23)));
        assert_eq!(at_end("请看https://a.example/。"), None);
    }
}
