//! Control commands: messages that steer the conversation instead of belonging to it. It never acts; it only recognises.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::text::languages::Role;
use crate::text::{Languages, chars, fold};

/// A longer message is never a command, and is not folded to find that out.
const LONGEST_BYTES: usize = 128;

/// What a control command asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// Drop the pending burst and the undelivered replies.
    Stop,
    /// The same, and forget the conversation so far.
    Reset,
}

impl Control {
    /// The word that JSON and the console use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Reset => "reset",
        }
    }
}

/// Which messages are commands. Bare stop words of the languages count besides these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ControlCommands {
    /// Messages that stop.
    pub stop: Vec<String>,
    /// Messages that reset.
    pub reset: Vec<String>,
}

impl Default for ControlCommands {
    fn default() -> Self {
        Self {
            stop: vec!["/stop".to_owned()],
            reset: vec!["/reset".to_owned()],
        }
    }
}

/// The command that a whole message is, if it is one: in any case, with `@botname` behind it as Telegram sends it in groups, and with
/// trailing blanks, marks and emoji. "/etc/hosts is empty" is none.
#[must_use]
pub fn parse(text: &str, commands: &ControlCommands, languages: &Languages) -> Option<Control> {
    if text.len() > LONGEST_BYTES {
        return None;
    }
    let start = text.trim_start_matches(|c| chars::is_blank(c) || chars::is_invisible(c));
    let folded = fold::fold(&start[..start.len() - wrapping(start.graphemes(true).rev())]);
    let name = folded
        .split_once('@')
        .filter(|(_, bot)| !bot.is_empty() && bot.bytes().all(is_bot_byte))
        .map_or(folded.as_str(), |(name, _)| name);
    if is_any(name, &commands.stop) {
        return Some(Control::Stop);
    }
    if is_any(name, &commands.reset) {
        return Some(Control::Reset);
    }
    is_stop_word(text, languages).then_some(Control::Stop)
}

/// A stop word that is also an everyday word ("para") stands in the lists with an exclamation mark and counts only with one.
fn is_stop_word(text: &str, languages: &Languages) -> bool {
    let start = &text[wrapping(text.graphemes(true))..];
    let word = fold::fold(&start[..start.len() - wrapping(start.graphemes(true).rev())]);
    let asked = text.contains(chars::is_question);
    let cried = text.contains(['!', '！']);
    !asked
        && (languages.has(&word, Role::Stop)
            || (cried && languages.has(&format!("{word}!"), Role::Stop)))
}

fn is_any(name: &str, commands: &[String]) -> bool {
    !name.is_empty()
        && commands
            .iter()
            .any(|command| fold::fold(command.trim()) == name)
}

fn is_bot_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// The length in bytes of the blanks, marks, emoji and quotes that come first.
fn wrapping<'a>(clusters: impl Iterator<Item = &'a str>) -> usize {
    clusters
        .take_while(|cluster| is_wrapping(cluster))
        .map(str::len)
        .sum()
}

fn is_wrapping(cluster: &str) -> bool {
    chars::is_emoji(cluster)
        || cluster.chars().all(|c| {
            chars::is_blank(c)
                || chars::is_invisible(c)
                || chars::is_cry(c)
                || chars::is_full_stop(c)
                || chars::is_dot(c)
                || chars::is_ellipsis(c)
                || chars::is_pause(c)
                || chars::is_opening(c)
                || chars::is_closing(c)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<Control> {
        parse(text, &ControlCommands::default(), Languages::all())
    }

    #[test]
    fn a_command_is_recognised_in_every_dress() {
        for text in [
            "/stop",
            "/STOP",
            " /stop \n",
            "/stop@shop_bot",
            "／stop",
            "\u{200F}/stop",
            "/stop!",
            "/stop 🛑",
        ] {
            assert_eq!(parsed(text), Some(Control::Stop), "{text:?}");
        }
        assert_eq!(parsed("/Reset@shop_bot "), Some(Control::Reset));
    }

    #[test]
    fn paths_longer_texts_and_questions_are_no_commands() {
        for text in [
            "/etc/hosts is empty",
            "/stopwatch",
            "/stop sending",
            "the bus stop",
            "stop?",
            "espera",
            "para",
            "wait",
            "/",
            "",
            "@stop",
            "🙏",
        ] {
            assert_eq!(parsed(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_bare_stop_word_alone_stops() {
        for text in [
            "Stop!!",
            "pare",
            "detente",
            "¡Alto!",
            "¡Para!",
            "arrête",
            "停止",
            "やめて",
            "توقف",
        ] {
            assert_eq!(parsed(text), Some(Control::Stop), "{text:?}");
        }
    }

    #[test]
    fn the_commands_can_be_set() {
        let own = ControlCommands {
            stop: vec!["!halt".to_owned()],
            reset: vec!["Neu".to_owned()],
        };
        assert_eq!(parse("!HALT", &own, Languages::all()), Some(Control::Stop));
        assert_eq!(parse("neu.", &own, Languages::all()), Some(Control::Reset));
        assert_eq!(parse("/stop", &own, Languages::all()), None);
    }
}
