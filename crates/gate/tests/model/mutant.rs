//! The guards that the model must miss when they are removed. Each is removed here, around the production code, never in it.

/// A guard that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// The check and the send are two steps: no atomic claim.
    CheckThenSend,
    /// A commit's verdicts apply whatever the replies are by now: no compare-and-set.
    BlindVerdicts,
    /// An early verdict applies whatever epoch the evaluator read.
    StaleJudge,
    /// A commit passes with anybody's fencing token.
    NoFence,
    /// A reply may be claimed before an earlier one.
    NoFifo,
    /// A consumer sends after its claim is over.
    NoDeadline,
    /// A lost claim puts the reply back in line.
    LostClaimIsPending,
    /// Replies are superseded when the turn begins, before their replacement exists.
    EarlySupersede,
    /// The lease of a dead worker never ends.
    EndlessLease,
    /// A newer message stops a turn that reserved an outside effect.
    BlindInterrupt,
}
