//! A queue exists with other arguments than ours: what the broker says about it, in words that help.

use std::fmt;

/// A queue exists with other arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The queue.
    pub queue: String,
    /// The argument that differs, such as `x-message-ttl`.
    pub argument: String,
    /// The value that the queue has.
    pub present: String,
    /// The value that it should have.
    pub wanted: String,
}

impl Conflict {
    /// Reads the broker's `PRECONDITION_FAILED - inequivalent arg 'x' for queue 'q' in vhost '/': received the value 'a' of
    /// type 't' but current is the value 'b' of type 't'`, where `none` stands for an argument that is not set.
    pub(super) fn read(text: &str) -> Option<Self> {
        let rest = text.split_once("inequivalent arg ")?.1;
        let (argument, rest) = quoted(rest)?;
        let (queue, rest) = quoted(rest.split_once("for queue ")?.1)?;
        let (wanted, present) = rest
            .split_once("received ")?
            .1
            .split_once("but current is ")?;
        Some(Self {
            queue: queue.to_owned(),
            argument: argument.to_owned(),
            present: value(present),
            wanted: value(wanted),
        })
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            queue,
            argument,
            present,
            wanted,
        } = self;
        write!(
            f,
            "the queue `{queue}` exists with `{argument}` {present}, and should have {wanted}; if no other program needs \
             it, delete it with `rabbitmqctl delete_queue {queue}` (nothing is lost: what was in it is published again), \
             else set another prefix"
        )
    }
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    text.split_once('\'')?.1.split_once('\'')
}

/// `the value '600' of type 'signedint'`, or `none`.
fn value(text: &str) -> String {
    quoted(text).map_or_else(|| "not set".to_owned(), |(value, _)| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brokers_words_are_understood() {
        let text = "PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue 'outbound_messages.delay.600ms' in \
                    vhost '/': received the value '600' of type 'signedint' but current is the value '500' of type 'long'";
        let conflict = Conflict {
            queue: "outbound_messages.delay.600ms".to_owned(),
            argument: "x-message-ttl".to_owned(),
            present: "500".to_owned(),
            wanted: "600".to_owned(),
        };
        assert_eq!(Conflict::read(text), Some(conflict));
    }

    #[test]
    fn an_argument_that_only_one_side_has_is_told() {
        let text = "PRECONDITION_FAILED - inequivalent arg 'x-expires' for queue 'q' in vhost '/': received none but current is the value '5' of type 'long'";
        let conflict = Conflict::read(text).unwrap();
        assert_eq!((&*conflict.wanted, &*conflict.present), ("not set", "5"));
        let text = conflict.to_string();
        for word in ["`q`", "`x-expires`", "rabbitmqctl delete_queue q"] {
            assert!(text.contains(word), "{text}");
        }
    }

    #[test]
    fn other_errors_are_no_conflict() {
        assert_eq!(
            Conflict::read("NOT_FOUND - no queue 'q' in vhost '/'"),
            None
        );
    }
}
