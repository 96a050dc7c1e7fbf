//! What a visitor sees again after a reload: their own words, what was delivered, and how commands were acknowledged.
//! Must never show what the visitor was not told.

use replygate_channels::webchat::page;
use replygate_engine::{Live, acknowledgement};
use replygate_gate::DropReason;
use replygate_gate::control::{self, Control};
use replygate_gate::text::Languages;
use replygate_ports::changes::MessageState;
use replygate_ports::views::{Line, MessageView};

/// The page's lines of a conversation that is told oldest first; what lies before a reset stays away.
pub(super) fn lines<'a>(
    conversation: impl Iterator<Item = &'a Line>,
    live: &Live,
) -> Vec<page::Line> {
    let mut shown: Vec<page::Line> = Vec::new();
    let mut written: Vec<&str> = Vec::new();
    for line in conversation {
        let message = match line {
            Line::Reply(reply) => {
                shown.extend(page::Line::of_reply(reply));
                continue;
            }
            Line::Message(message) => message,
        };
        let Some(control) = command(message, live) else {
            written.push(&message.text);
            shown.push(page::Line::of_message(message));
            continue;
        };
        // As the engine words it when the command comes in.
        let before = written.iter().rev().copied();
        let text = acknowledgement(&live.settings.notices, control, before);
        let notice = text.map(|text| page::Line::of_notice(message, text));
        if control == Control::Reset {
            shown.clear();
            written.clear();
        }
        shown.push(page::Line::of_message(message));
        shown.extend(notice);
    }
    // Pruned texts leave no line.
    shown.retain(|line| !line.text.is_empty());
    shown
}

/// The command that a message was, if it was one.
fn command(message: &MessageView, live: &Live) -> Option<Control> {
    if message.state != MessageState::Dropped(DropReason::IsCommand) {
        return None;
    }
    control::parse(&message.text, &live.settings.commands, Languages::all())
}
