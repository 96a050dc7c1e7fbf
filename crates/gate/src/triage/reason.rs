//! The rules of the evaluator by name. It never contains a word of a customer.

use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $phrase:literal),+ $(,)?) => {
        /// The rule that decided a verdict.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Reason { $($(#[$doc])* $variant),+ }

        impl Reason {
            /// The reason as a short stable English phrase.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $phrase),+ }
            }
        }
    };
}

reasons! {
    /// No newer message was given.
    NothingNewer = "nothing newer",
    /// The newer message has no words.
    NoWords = "no words, only a sign of life",
    /// Only an emoji of thanks or agreement.
    KindEmoji = "only a friendly emoji",
    /// It begins or ends with an asterisk.
    Starred = "a correction marked with an asterisk",
    /// The same text again.
    Repeated = "the same message again",
    /// It states a condition of the request.
    Condition = "a condition of the same request",
    /// It asks for the opposite.
    Reversed = "asks for the opposite",
    /// It undoes the request.
    Undone = "undoes the request",
    /// It changes a part of the request.
    PartChanged = "changes a part of the request",
    /// It begs for the answer.
    Plea = "begs for the answer",
    /// It only wants to know.
    Curious = "only wants to know",
    /// There is no hurry.
    Patience = "says there is no hurry",
    /// It takes the request back.
    Withdrawn = "takes the request back",
    /// The matter is over.
    Resolved = "the matter is over",
    /// It refuses.
    Refused = "refuses",
    /// It says stop or wait after an order.
    Stopped = "stop or wait after an order",
    /// It says wait after a question.
    Waiting = "asks to wait",
    /// It asks for a person.
    Human = "asks for a person",
    /// It changes the subject.
    OtherSubject = "changes the subject",
    /// It asks for another language.
    OtherLanguage = "asks for another language",
    /// Thanks or courtesy.
    Courtesy = "thanks or courtesy",
    /// A sign of life.
    Nudge = "asks for a sign of life",
    /// It points at the answer.
    AboutAnswer = "asks about the answer or the outcome",
    /// Another question.
    NewQuestion = "another question",
    /// It corrects a detail.
    Corrected = "corrects a detail",
    /// It goes on where the held message broke off.
    Continued = "goes on with an unfinished message",
    /// It makes an exception.
    Narrowed = "narrows the request",
    /// It adds to the request.
    Added = "adds to the request",
    /// It explains the request.
    Explained = "explains the request",
    /// It gives a detail.
    Detail = "gives a detail",
    /// Another request.
    NewRequest = "another request",
    /// The same kind of request again.
    SameVerb = "the same kind of request again",
    /// It announces something that is still to come.
    Hesitant = "announces something still to come",
    /// It says the same in other words.
    Affirmed = "says the same in other words",
    /// No rule applies.
    Unsure = "no rule applies",
}
