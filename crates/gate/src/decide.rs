//! What a command does, as events; or why it does nothing. Must never read a clock, draw chance or see a text: the same
//! function runs in production, in the model checker, in the simulator and in replays.

mod arrive;
mod dispatch;
mod double_texting;
mod expire;
mod operator;
mod turn;
mod verdict;

pub use verdict::effective;

use crate::command::{Command, Scene};
use crate::event::Event;
use crate::refusal::Refusal;
use crate::session::Session;

/// The events that `command` causes, never an empty list.
///
/// # Errors
/// A [`Refusal`] when it changes nothing.
pub fn decide(
    session: &Session,
    command: &Command,
    scene: &Scene<'_>,
) -> Result<Vec<Event>, Refusal> {
    match command {
        Command::Arrive(arrival) => Ok(arrive::arrive(session, arrival, scene)),
        Command::Control { control, message } => Ok(arrive::control(session, *control, *message)),
        Command::Judge { epoch, verdicts } => verdict::judge(session, *epoch, verdicts, scene),
        Command::Take { turn } => turn::take(session, *turn, scene),
        Command::Renew { fence } => turn::renew(session, *fence, scene),
        Command::ReserveEffect {
            fence,
            tool,
            action,
        } => turn::reserve_effect(session, *fence, tool.as_deref(), *action),
        Command::Abort { epoch, judgement } => {
            double_texting::abort(session, *epoch, judgement, scene)
        }
        Command::KeepPartial { turn, draft } => {
            double_texting::keep_partial(session, *turn, draft, scene)
        }
        Command::Commit(commit) => turn::commit(session, commit, scene),
        Command::Fail {
            fence,
            reply,
            verdicts,
            usage,
            code,
        } => turn::fail(session, *fence, *reply, verdicts, (code, *usage), scene),
        Command::HandBackTurn { fence } => turn::hand_back(session, *fence, scene),
        Command::Claim { reply, token } => dispatch::claim(session, *reply, *token, scene),
        Command::Settle { token, outcome } => dispatch::settle(session, *token, outcome, scene),
        Command::Report { reply } => dispatch::report(session, *reply),
        Command::ReleaseHold => operator::release_hold(session),
        Command::Lock {
            holder,
            lease_ms,
            ttl_ms,
        } => operator::lock(session, holder, *lease_ms, *ttl_ms, scene),
        Command::Unlock { holder } => operator::unlock(session, holder.as_deref(), scene),
        Command::TakeOver { by } => operator::take_over(session, by, scene),
        Command::Say { by, draft } => operator::say(session, by, draft, scene),
        Command::HandBack => operator::hand_back(session),
        Command::Reprocess(target) => operator::reprocess(session, target, scene),
        Command::Rerun {
            target,
            answered,
            override_reason,
        } => operator::rerun(session, target, answered, override_reason.as_deref(), scene),
        Command::Discard(target) => operator::discard(session, target),
        Command::MarkDelivered(target) => operator::mark_delivered(session, target),
        Command::Expire => expire::expire(session, scene),
        Command::Recover => expire::recover(session, scene),
    }
}
