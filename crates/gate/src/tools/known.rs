//! Tools that are known by their names: whatever makes a calendar event, and whatever sends an e-mail. Must never
//! recognise a tool by one word alone.

use std::sync::LazyLock;

use super::recipe::{Field, RecipeKind};
use super::spelling::Spelling;

/// Verbs that make something new, in names of tools.
const MAKE: &[&str] = &[
    "create",
    "add",
    "insert",
    "new",
    "make",
    "book",
    "schedule",
    "set",
    "crear",
    "agregar",
    "agendar",
    "reservar",
    "criar",
    "adicionar",
    "marcar",
];
/// What stands in a calendar.
const EVENT: &[&str] = &[
    "event",
    "events",
    "appointment",
    "appointments",
    "meeting",
    "meetings",
    "evento",
    "eventos",
    "cita",
    "citas",
    "reunion",
    "reuniao",
    "compromisso",
    "consulta",
];
const CALENDAR: &[&str] = &["calendar", "calendario", "gcal", "agenda"];
/// Verbs that send, in names of tools.
const SEND: &[&str] = &["send", "enviar", "mandar", "post", "submit"];
/// What is sent by mail.
const MAIL: &[&str] = &[
    "email", "emails", "mail", "mails", "gmail", "mailbox", "correo", "correos", "outlook", "smtp",
];

/// The kind of recipe that a tool's name calls for.
pub(super) fn kind_of(tool: &str) -> RecipeKind {
    let words = words(tool);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if has(MAKE) && (has(EVENT) || has(CALENDAR)) {
        return RecipeKind::Calendar;
    }
    if has(SEND) && has(MAIL) {
        return RecipeKind::Email;
    }
    RecipeKind::Arguments
}

/// The words of a name: `google_calendar-createEvent` has four. `e-mail` is one.
fn words(tool: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in tool.replace("e-mail", "email").chars() {
        let begins = c.is_uppercase() && before.is_lowercase();
        if begins || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Title and start: a second call that adds an end, a guest or a place is the same event.
pub(super) fn calendar() -> &'static [Field] {
    static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
        vec![
            field(
                "title",
                Spelling::Text,
                &[
                    "title",
                    "summary",
                    "subject",
                    "event_title",
                    "event_name",
                    "name",
                    "titulo",
                ],
            ),
            field(
                "start",
                Spelling::Instant,
                &[
                    "start.date_time",
                    "start.date",
                    "start",
                    "start_datetime",
                    "start_at",
                    "starts_at",
                    "start_date+start_time",
                    "date+start_time",
                    "date+time",
                    "start_time",
                    "date_time",
                    "datetime",
                    "when",
                    "begin",
                    "dtstart",
                    "start_date",
                    "date",
                    "inicio",
                    "fecha+hora",
                    "data+hora",
                ],
            ),
        ]
    });
    &FIELDS
}

/// Recipients, subject, and a hash of what is said: the same subject with a corrected text is another mail.
pub(super) fn email() -> &'static [Field] {
    static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
        vec![
            field(
                "to",
                Spelling::Email,
                &[
                    "to",
                    "to_recipients",
                    "recipient",
                    "recipients",
                    "to_email",
                    "to_address",
                    "email",
                    "email_address",
                    "address",
                    "destinatario",
                    "para",
                ],
            ),
            optional("cc", Spelling::Email, &["cc", "cc_recipients"]),
            optional("bcc", Spelling::Email, &["bcc", "bcc_recipients"]),
            optional(
                "subject",
                Spelling::Text,
                &["subject", "title", "asunto", "assunto"],
            ),
            field(
                "body",
                Spelling::Hash,
                &[
                    "body.content",
                    "body",
                    "text",
                    "content",
                    "message",
                    "body_text",
                    "html",
                    "html_body",
                    "body_html",
                    "cuerpo",
                    "corpo",
                ],
            ),
            optional(
                "attachments",
                Spelling::Hash,
                &["attachments", "attachment", "files"],
            ),
        ]
    });
    &FIELDS
}

fn field(name: &str, spelling: Spelling, from: &[&str]) -> Field {
    Field {
        from: from.iter().map(|path| (*path).to_owned()).collect(),
        ..Field::named(name, spelling)
    }
}

fn optional(name: &str, spelling: Spelling, from: &[&str]) -> Field {
    Field {
        optional: true,
        ..field(name, spelling, from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_tools_are_recognised_however_they_are_named() {
        for name in [
            "calendar.create_event",
            "create_event",
            "createCalendarEvent",
            "google_calendar-create-event",
            "gcal.events.insert",
            "book_appointment",
            "agendar_cita",
        ] {
            assert_eq!(kind_of(name), RecipeKind::Calendar, "{name}");
        }
        for name in [
            "email.send",
            "send_email",
            "sendEmail",
            "gmail_send_message",
            "mailbox.send",
            "send-e-mail",
            "enviar_correo",
        ] {
            assert_eq!(kind_of(name), RecipeKind::Email, "{name}");
        }
    }

    #[test]
    fn other_tools_are_compared_by_all_their_arguments() {
        for name in [
            "calendar.cancel_event",
            "calendar.list_events",
            "list_emails",
            "send_message",
            "create_order",
            "event",
            "mail",
            "resend",
        ] {
            assert_eq!(kind_of(name), RecipeKind::Arguments, "{name}");
        }
    }
}
