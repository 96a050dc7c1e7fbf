//! The built-in calendar and mailbox.

use crate::words::built_in::BuiltIn;

pub(super) const BUILT_IN: BuiltIn = BuiltIn {
    title: "Calendar and mailbox",
    hint: "What agents put into the built-in calendar and mailbox. Mails are kept here and sent nowhere.",
    events: "Events, earliest first",
    start: "Begins",
    end: "Ends",
    what: "Event",
    guests: "Guests",
    state: "State",
    stands: "Stands",
    cancelled: "Cancelled",
    mails: "Mails, newest first",
    sent: "Sent",
    to: "To",
    subject: "Subject",
    body: "Text",
    channel: "Channel",
    contact: "Contact",
    call: "Call",
    no_event: "No agent has made an event yet. The tool calendar.create_event makes one.",
    no_mail: "No agent has sent a mail yet. The tool email.send sends one.",
    none_match: "Nothing matches these filters.",
    none_further: "There are no more.",
};
