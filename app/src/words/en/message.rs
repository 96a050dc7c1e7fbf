//! A message's page.

use crate::words::message::Message;

pub(super) const MESSAGE: Message = Message {
    title: "Message",
    text: "Text",
    replies: "Replies that covered it",
    avoided: "Tool calls that were held back",
    events: "What happened",
    path: "The way of its reply",
    received: "Received",
    channel: "Channel",
    contact: "Contact",
    reply_time: "Answered after",
    session: "Session",
    id: "Message",
};
