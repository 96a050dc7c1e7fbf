//! Whether every part works.

use super::At;
use super::stored::stored_words;
use serde::{Deserialize, Serialize};

stored_words! {
    /// How a part is.
    HealthWord {
        /// It works.
        Fine = "fine",
        /// It works, and something is to be looked at.
        Strained = "strained",
        /// It does not work.
        Down = "down",
    }
}

stored_words! {
    /// A part of an installation.
    HealthPart {
        /// The database, by name.
        Store = "store",
        /// Redis, where there are many processes.
        Redis = "redis",
        /// RabbitMQ, where there are many processes.
        Rabbit = "rabbitmq",
        /// A queue of RabbitMQ, by name.
        Queue = "queue",
        /// The processes that answer and send, where there are many.
        Workers = "workers",
        /// Timers and reminders: what is due is done.
        Schedule = "schedule",
        /// Sessions with open work.
        Sessions = "sessions",
        /// A channel's way to its customers.
        Channel = "channel",
        /// Those who answer.
        Agent = "agent",
        /// The live stream of the console.
        Stream = "stream",
    }
}

stored_words! {
    /// What can be wrong in a session.
    Ailing {
        /// A reply is due and nobody hands it over.
        NotSent = "not_sent",
        /// A time has come and nobody looked after the session.
        NotLookedAfter = "not_looked_after",
        /// A reply is held for longer than its channel allows.
        HeldTooLong = "held_too_long",
        /// An outside lock is not renewed.
        LockStuck = "lock_stuck",
        /// Its channel is not configured.
        NoChannel = "no_channel",
    }
}

/// Something that is known of a part. Times are the server's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HealthFact {
    /// It answers after so many milliseconds.
    AnswersIn(u64),
    /// It does not answer, since when if that is known.
    Away(Option<At>),
    /// It answers, and takes nothing new since then.
    Full(At),
    /// It answers, and takes nothing new.
    TakesNothing,
    /// It last ceased to work then, and works again.
    LastFailure(At),
    /// Its version.
    Version(String),
    /// Its version, with which it may not do.
    DoubtfulVersion(String),
    /// Its clock differs from this machine's by so many milliseconds.
    ClockOff(u64),
    /// It may forget what it has acknowledged.
    Forgets,
    /// It drops what it holds when its memory is full.
    Evicts,
    /// It is a copy that takes no writes.
    Replica,
    /// This queue is not as it has to be; without a name, queues cannot be looked at.
    WrongQueue(Option<String>),
    /// So many messages wait in it.
    Waiting(u64),
    /// So many processes read it.
    Readers(u64),
    /// The oldest work is overdue by so many milliseconds.
    Overdue(u64),
    /// So many of its last replies failed.
    Failures {
        /// How many.
        failed: u32,
        /// Of how many.
        of: u32,
    },
    /// So many sessions have open work.
    Open(u64),
    /// They are too many to be looked through in time.
    TooMany,
    /// So many sessions ail in this way.
    Ailing(Ailing, u64),
}

/// How one part is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// Which sort of part.
    pub part: HealthPart,
    /// Its name, where there are several of the sort.
    pub name: Option<String>,
    /// How it is.
    pub word: HealthWord,
    /// What is known of it, the most important first.
    pub facts: Vec<HealthFact>,
}

/// Every part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HealthReport {
    /// The parts, worst first.
    pub parts: Vec<Health>,
    /// The server's version.
    pub version: String,
    /// Since when it runs.
    pub since: At,
    /// The server's time when this was read.
    pub as_of: At,
}
