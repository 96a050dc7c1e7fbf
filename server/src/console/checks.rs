//! What speaks for and against sending a reply late. Pure: facts in, checks out; must never decide for the operator.

use replygate_app::view::{At, Check, CheckWord, Choice, Meanwhile, Weight};

/// How many of the channel's last replies have to fail before it is said to fail.
const FAILING: u32 = 3;

/// What was found out about a waiting reply and its session.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and none excludes another"
)]
pub(super) struct Findings {
    /// Nobody knows whether it arrived.
    pub(super) is_unknown: bool,
    /// It has no text.
    pub(super) is_empty: bool,
    /// It covers no message.
    pub(super) covers_nothing: bool,
    /// The agent is answering its messages again.
    pub(super) being_rerun: bool,
    /// Who answers instead of the agent at this moment.
    pub(super) taken_over: Option<String>,
    /// Who wrote to the customer since it was written, and when.
    pub(super) person: Option<(String, At)>,
    /// Another reply answered some of its messages.
    pub(super) answered_elsewhere: bool,
    /// The customer got the same text.
    pub(super) same_text: Option<At>,
    /// A newer reply was delivered.
    pub(super) newer_reply: Option<At>,
    /// Messages of the customer since it was written.
    pub(super) newer_messages: u32,
    /// How often an operator put it back in line.
    pub(super) returns: u32,
    /// Of the channel's last replies, so many failed, of so many.
    pub(super) channel_failures: (u32, u32),
    /// Its turn did something outside.
    pub(super) effects: bool,
    /// A turn runs or messages are being collected.
    pub(super) busy: bool,
}

impl Findings {
    /// The one thing that a list tells.
    pub(super) fn meanwhile(&self) -> Meanwhile {
        let person = self
            .taken_over
            .clone()
            .or(self.person.as_ref().map(|(by, _)| by.clone()));
        if let Some(by) = person {
            return Meanwhile::Person { by };
        }
        if let Some(at) = self.same_text {
            return Meanwhile::SameText { at };
        }
        if let Some(at) = self.newer_reply {
            return Meanwhile::NewerReply { at };
        }
        match self.newer_messages {
            0 => Meanwhile::Nothing,
            count => Meanwhile::NewerMessages { count },
        }
    }

    /// Everything that is to be said, gravest first.
    pub(super) fn checks(&self) -> Vec<Check> {
        let mut checks = Vec::new();
        let mut say = |check: Check| checks.push(check);
        if self.being_rerun {
            say(check(CheckWord::BeingRerun, Weight::Blocks, Choice::ALL));
        }
        if let Some(by) = &self.taken_over {
            let against = [Choice::Send, Choice::Rerun];
            say(by_whom(
                check(CheckWord::Person, Weight::Blocks, &against),
                by,
                None,
            ));
        } else if let Some((by, at)) = &self.person {
            let person = check(
                CheckWord::Person,
                Weight::Refuses,
                &[Choice::Send, Choice::Rerun],
            );
            say(by_whom(person, by, Some(*at)));
        }
        if self.is_empty {
            say(check(CheckWord::Empty, Weight::Blocks, &[Choice::Send]));
        }
        if self.covers_nothing {
            say(check(CheckWord::Empty, Weight::Blocks, &[Choice::Rerun]));
        }
        if self.answered_elsewhere {
            let against = [Choice::Send, Choice::Rerun];
            say(check(
                CheckWord::AnsweredElsewhere,
                Weight::Refuses,
                &against,
            ));
        }
        if let Some(at) = self.same_text {
            say(at_time(
                check(CheckWord::SameText, Weight::Refuses, &[Choice::Send]),
                at,
            ));
        }
        if self.is_unknown {
            let against = [Choice::Send, Choice::Rerun];
            say(check(CheckWord::OutcomeUnknown, Weight::Warns, &against));
        }
        if let Some(at) = self.newer_reply {
            let against = [Choice::Send, Choice::Rerun];
            say(at_time(
                check(CheckWord::NewerReply, Weight::Warns, &against),
                at,
            ));
        }
        if self.newer_messages > 0 {
            let newer = check(CheckWord::NewerMessages, Weight::Warns, &[Choice::Send]);
            say(counted(newer, self.newer_messages));
        }
        let (failures, of) = self.channel_failures;
        if failures >= FAILING {
            let fails = check(
                CheckWord::ChannelFails,
                Weight::Warns,
                &[Choice::Send, Choice::Rerun],
            );
            say(Check {
                by: Some(of.to_string()),
                ..counted(fails, failures)
            });
        }
        if self.returns > 0 {
            let weight = if self.returns > 1 {
                Weight::Asks
            } else {
                Weight::Warns
            };
            say(counted(
                check(CheckWord::CameBack, weight, &[Choice::Send]),
                self.returns,
            ));
        }
        if self.effects {
            say(check(CheckWord::Effects, Weight::Informs, &[]));
        }
        if self.busy {
            say(check(CheckWord::Busy, Weight::Informs, &[]));
        }
        checks.sort_by_key(|check| std::cmp::Reverse(check.weight));
        checks
    }

    /// What most people would do.
    pub(super) fn usual(&self) -> Option<Choice> {
        if self.being_rerun || self.taken_over.is_some() || self.is_unknown {
            return None;
        }
        let is_answered =
            self.newer_reply.is_some() || self.same_text.is_some() || self.person.is_some();
        if is_answered || self.answered_elsewhere {
            return Some(Choice::Discard);
        }
        if (self.newer_messages > 0 || self.is_empty) && !self.covers_nothing {
            return Some(Choice::Rerun);
        }
        (!self.is_empty).then_some(Choice::Send)
    }
}

fn check(word: CheckWord, weight: Weight, against: &[Choice]) -> Check {
    Check {
        word,
        weight,
        against: against.to_vec(),
        count: None,
        by: None,
        at: None,
    }
}

fn counted(check: Check, count: u32) -> Check {
    Check {
        count: Some(count),
        ..check
    }
}

fn at_time(check: Check, at: At) -> Check {
    Check {
        at: Some(at),
        ..check
    }
}

fn by_whom(check: Check, by: &str, at: Option<At>) -> Check {
    Check {
        by: Some(by.to_owned()),
        at,
        ..check
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(findings: &Findings, word: CheckWord) -> Option<Weight> {
        let checks = findings.checks();
        checks
            .iter()
            .find(|check| check.word == word)
            .map(|check| check.weight)
    }

    #[test]
    fn a_reply_after_which_nothing_happened_is_sent_as_it_is() {
        let quiet = Findings::default();
        assert_eq!(quiet.checks(), []);
        assert_eq!(quiet.usual(), Some(Choice::Send));
        assert_eq!(quiet.meanwhile(), Meanwhile::Nothing);
    }

    #[test]
    fn newer_messages_call_for_the_agent_and_a_newer_reply_for_the_bin() {
        let written = Findings {
            newer_messages: 2,
            ..Findings::default()
        };
        assert_eq!(written.usual(), Some(Choice::Rerun));
        let answered = Findings {
            newer_reply: Some(At(5)),
            ..written
        };
        assert_eq!(answered.usual(), Some(Choice::Discard));
        assert_eq!(
            weight(&answered, CheckWord::NewerReply),
            Some(Weight::Warns)
        );
    }

    #[test]
    fn what_the_customer_has_is_not_sent_twice_without_a_reason() {
        let same = Findings {
            same_text: Some(At(5)),
            answered_elsewhere: true,
            ..Findings::default()
        };
        assert_eq!(weight(&same, CheckWord::SameText), Some(Weight::Refuses));
        assert_eq!(
            weight(&same, CheckWord::AnsweredElsewhere),
            Some(Weight::Refuses)
        );
    }

    #[test]
    fn a_person_who_answers_now_cannot_be_overruled_one_who_answered_can() {
        let now = Findings {
            taken_over: Some("Marta".to_owned()),
            person: Some(("Marta".to_owned(), At(1))),
            ..Findings::default()
        };
        assert_eq!(weight(&now, CheckWord::Person), Some(Weight::Blocks));
        assert_eq!(now.usual(), None);
        let once = Findings {
            taken_over: None,
            ..now
        };
        assert_eq!(weight(&once, CheckWord::Person), Some(Weight::Refuses));
    }

    #[test]
    fn an_empty_reply_can_only_be_answered_anew_or_dropped() {
        let empty = Findings {
            is_empty: true,
            ..Findings::default()
        };
        assert_eq!(empty.usual(), Some(Choice::Rerun));
        assert!(empty.checks()[0].against.contains(&Choice::Send));
    }

    #[test]
    fn a_third_try_asks_for_a_reason() {
        let back = |returns| Findings {
            returns,
            ..Findings::default()
        };
        assert_eq!(weight(&back(1), CheckWord::CameBack), Some(Weight::Warns));
        assert_eq!(weight(&back(2), CheckWord::CameBack), Some(Weight::Asks));
    }

    #[test]
    fn the_gravest_check_comes_first() {
        let many = Findings {
            effects: true,
            newer_messages: 1,
            same_text: Some(At(1)),
            ..Findings::default()
        };
        let weights: Vec<Weight> = many.checks().iter().map(|check| check.weight).collect();
        assert_eq!(weights, [Weight::Refuses, Weight::Warns, Weight::Informs]);
    }
}
