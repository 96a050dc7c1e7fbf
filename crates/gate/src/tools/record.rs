//! The words of the ledger's records. Must never name a storage.

use crate::status::words;

words! {
    /// Who carries a call out.
    Runner, "runner", {
        /// A process of this installation: its calls die with it.
        Engine = "engine",
        /// An agent elsewhere, which tells the outcome itself.
        Outside = "outside",
    }
}

words! {
    /// Why a call was not carried out.
    Avoided, "reason", {
        /// Its work was done.
        Repeated = "repeated",
        /// Its work was being done: it waited and got that result.
        Joined = "joined",
        /// Its work may have been done: nobody knows.
        Unknown = "unknown",
    }
}

words! {
    /// What a person thinks of a call that was not carried out.
    Opinion, "opinion", {
        /// It was the same, and it was right not to do it again.
        Right = "right",
        /// The customer wanted it again.
        ShouldHaveRun = "should_have_run",
        /// Hard to tell.
        Unsure = "unsure",
    }
}
