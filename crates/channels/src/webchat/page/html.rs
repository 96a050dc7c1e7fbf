//! Fills the page's template. Must never fill a slot twice or find a slot inside a value, so it reads the template once.

use replygate_gate::At;

use super::line::{Line, Speaker};
use super::words::{Language, Words};

const TEMPLATE: &str = include_str!("chat.html");

/// What a page shows.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The channel's id, part of every address on the page.
    pub channel: &'a str,
    /// The heading, such as the shop's name.
    pub title: &'a str,
    /// The language of the page's own words.
    pub language: Language,
    /// The conversation so far, oldest first.
    pub lines: &'a [Line],
    /// A fresh random id for the message that the form sends when there is no script: a form posted twice is one message.
    pub form_id: &'a str,
}

/// The complete page.
#[must_use]
pub fn render(page: &Page<'_>) -> String {
    let mut html = String::with_capacity(TEMPLATE.len() + 512 * page.lines.len());
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        html.push_str(before);
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        html.push_str(&slot(page, name));
        rest = after;
    }
    html.push_str(rest);
    html
}

fn slot(page: &Page<'_>, name: &str) -> String {
    let words = page.language.words();
    let plain = match name {
        "lines" => return page.lines.iter().map(|line| bubble(line, words)).collect(),
        "start" if page.lines.is_empty() => "",
        "start" => "hidden",
        "channel" => page.channel,
        "title" => page.title,
        "initial" => return escape(&initial(page.title)),
        "form_id" => page.form_id,
        "lang" => words.lang,
        "conversation" => words.conversation,
        "you" => words.you,
        "them" => words.them,
        "field" => words.field,
        "hint" => words.hint,
        "send" => words.send,
        "empty" => words.empty,
        "typing" => words.typing,
        "sending" => words.sending,
        "failed" => words.failed,
        "busy" => words.busy,
        "again" => words.again,
        "online" => words.online,
        "offline" => words.offline,
        "no_script" => words.no_script,
        "reload" => words.reload,
        _ => "",
    };
    escape(plain)
}

fn initial(title: &str) -> String {
    title
        .chars()
        .find(|c| c.is_alphanumeric())
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default()
}

fn bubble(line: &Line, words: &Words) -> String {
    let speaker = match line.from {
        Speaker::You => words.you,
        Speaker::Them => words.them,
        Speaker::Notice => "",
    };
    let speaker = match speaker {
        "" => String::new(),
        speaker => format!("<span class=\"unseen\">{}</span>", escape(speaker)),
    };
    let (iso, clock) = times(line.at);
    format!(
        "<li class=\"line {from}\" data-key=\"{key}\" data-at=\"{at}\">{speaker}\
         <p class=\"text\">{text}</p><p class=\"meta\"><time datetime=\"{iso}\">{clock}</time></p></li>",
        from = line.from.as_str(),
        key = escape(&line.key),
        at = line.at,
        text = escape(&line.text),
    )
}

/// The machine's form and a short one in UTC, which the script turns into the reader's own time.
fn times(at: At) -> (String, String) {
    let Ok(instant) = jiff::Timestamp::from_millisecond(at.0) else {
        return (String::new(), String::new());
    };
    (
        instant.to_string(),
        instant.strftime("%H:%M UTC").to_string(),
    )
}

/// Text as HTML text or as a quoted attribute's value. NUL, which HTML does not know, is shown as a replacement mark.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\0' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page<'a>(lines: &'a [Line], title: &'a str) -> Page<'a> {
        Page {
            channel: "shop",
            title,
            language: Language::Portuguese,
            lines,
            form_id: "f1",
        }
    }

    fn line(text: &str) -> Line {
        Line {
            key: "msg_1".into(),
            from: Speaker::You,
            text: text.into(),
            at: At(1_700_000_000_000),
        }
    }

    #[test]
    fn the_page_is_complete_without_a_script() {
        let html = render(&page(&[line("oi")], "Pizzaria"));
        for piece in [
            "<html lang=\"pt\">",
            "<form id=\"composer\" class=\"composer\" method=\"post\" action=\"/chat/shop/messages\"",
            "name=\"id\" value=\"f1\"",
            "<p class=\"text\">oi</p>",
            "<time datetime=\"2023-11-14T22:13:20Z\">22:13 UTC</time>",
            "href=\"/chat/shop/chat.css\"",
            "src=\"/chat/shop/chat.js\"",
            "<noscript>",
        ] {
            assert!(html.contains(piece), "{piece} is not in\n{html}");
        }
        assert!(!html.contains("{{"), "a slot was left open");
    }

    #[test]
    fn every_slot_of_the_template_has_a_value() {
        let page = page(&[], "x");
        for name in TEMPLATE
            .split("{{")
            .skip(1)
            .filter_map(|piece| piece.split("}}").next())
        {
            assert!(
                !slot(&page, name).is_empty() || matches!(name, "lines" | "start"),
                "{name}"
            );
        }
    }

    #[test]
    fn nothing_inline_that_a_strict_policy_forbids() {
        assert!(
            !TEMPLATE.contains("style=")
                && !TEMPLATE.contains("<style")
                && !TEMPLATE.contains(" onclick")
        );
        assert!(
            TEMPLATE
                .split("<script")
                .skip(1)
                .all(|tag| tag.trim_start().starts_with("type=\"module\" src="))
        );
    }

    #[test]
    fn a_slot_in_somebodys_words_stays_words() {
        let html = render(&page(&[line("{{form_id}}")], "a"));
        assert!(html.contains("<p class=\"text\">{{form_id}}</p>"));
    }

    proptest! {
        #[test]
        fn no_words_become_markup(text in "[<>&\"'a-z\u{0}/ =]{1,40}") {
            let html = render(&page(&[line(&text)], "Shop"));
            let empty = render(&page(&[line("")], "Shop"));
            prop_assert_eq!(html.matches('<').count(), empty.matches('<').count());
            prop_assert_eq!(html.matches('"').count(), empty.matches('"').count());
        }
    }
}
