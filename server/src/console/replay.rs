//! Recorded messages under two settings. Pure: what was recorded and two settings in, figures out.
//!
//! People may have written because they were answered, so a message behind a delivered reply is no sign of a burst that was cut
//! apart. How long the agent took is not simulated.

use std::collections::BTreeMap;

use replygate_app::view::{ChangeWord, ChangedBurst, Measures, Replay};
use replygate_gate::debounce::{Burst, BurstEnd, Signal, Timed, Windows, bursts};
use replygate_gate::{At, SessionId};

use super::at;

/// Who writes again so soon after a burst was over had not finished, in milliseconds.
const AGAIN_MS: i64 = 10_000;
/// Messages so far apart, or with a reply between them, belong to different stretches, in milliseconds.
const APART_MS: i64 = 60_000;
/// So many changed stretches are shown.
const SHOWN: usize = 20;

/// One message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded {
    pub(super) session: SessionId,
    pub(super) at: At,
    pub(super) signal: Signal,
}

/// What was recorded on a channel.
#[derive(Debug, Default)]
pub(super) struct Recording {
    /// Messages in any order.
    pub(super) messages: Vec<Recorded>,
    /// When replies were delivered, in any order.
    pub(super) delivered: Vec<(SessionId, At)>,
    /// Messages whose text is gone.
    pub(super) pruned: u32,
    /// Whether older ones were left out.
    pub(super) is_cut: bool,
}

/// Messages that belong together, and the first reply or message behind them.
struct Stretch {
    session: SessionId,
    messages: Vec<Timed>,
}

/// Both settings on the same messages.
pub(super) fn replay(mut recording: Recording, in_force: &Windows, proposed: &Windows) -> Replay {
    recording
        .messages
        .sort_by_key(|message| (message.session, message.at));
    let span = |pick: fn(i64, i64) -> i64| {
        let times = recording.messages.iter().map(|message| message.at.0);
        times.reduce(pick).map(|ms| at(At(ms)))
    };
    let (from, to) = (span(i64::min), span(i64::max));
    let stretches = stretches(&recording);
    let mut sides = [Tally::default(), Tally::default()];
    let mut changed = Vec::new();
    for stretch in &stretches {
        let before = bursts(&stretch.messages, in_force);
        let after = bursts(&stretch.messages, proposed);
        sides[0].add(&stretch.messages, &before);
        sides[1].add(&stretch.messages, &after);
        changed.extend(change(stretch, &before, &after));
    }
    let [in_force, proposed] = sides.map(Tally::measures);
    let changed_total = changed.len() as u32;
    changed.sort_by_key(|change: &ChangedBurst| (change.word, change.at));
    changed.truncate(SHOWN);
    Replay {
        from,
        to,
        messages: recording.messages.len() as u32,
        pruned: recording.pruned,
        is_cut: recording.is_cut,
        in_force,
        proposed,
        changed,
        changed_total,
    }
}

fn stretches(recording: &Recording) -> Vec<Stretch> {
    let mut delivered: BTreeMap<SessionId, Vec<At>> = BTreeMap::new();
    for (session, when) in &recording.delivered {
        delivered.entry(*session).or_default().push(*when);
    }
    let answered = |session: SessionId, from: At, to: At| {
        let replies = delivered.get(&session);
        replies.is_some_and(|replies| replies.iter().any(|reply| (from..to).contains(reply)))
    };
    let mut found: Vec<Stretch> = Vec::new();
    for message in &recording.messages {
        let timed = Timed {
            at: message.at.0,
            signal: message.signal,
        };
        let joins = found
            .last()
            .filter(|stretch| stretch.session == message.session);
        let last = joins.and_then(|stretch| stretch.messages.last());
        let joins = last.is_some_and(|last| {
            timed.at - last.at <= APART_MS && !answered(message.session, At(last.at), message.at)
        });
        match found.last_mut() {
            Some(stretch) if joins => stretch.messages.push(timed),
            _ => found.push(Stretch {
                session: message.session,
                messages: vec![timed],
            }),
        }
    }
    found
}

#[derive(Default)]
struct Tally {
    turns: u32,
    splits: u32,
    at_ceiling: u32,
    waits: Vec<u32>,
}

impl Tally {
    fn add(&mut self, messages: &[Timed], bursts: &[Burst]) {
        let turns = bursts.iter().filter(|burst| is_turn(burst));
        for burst in turns {
            self.turns += 1;
            self.at_ceiling += u32::from(burst.ended != BurstEnd::Quiet);
            self.waits.push(wait(messages, burst));
            let next = messages.get(burst.end);
            self.splits += u32::from(next.is_some_and(|next| next.at - burst.over <= AGAIN_MS));
        }
    }

    fn measures(mut self) -> Measures {
        self.waits.sort_unstable();
        Measures {
            turns: self.turns,
            splits: self.splits,
            wait_median_ms: percentile(&self.waits, 50),
            wait_p95_ms: percentile(&self.waits, 95),
            at_ceiling: self.at_ceiling,
        }
    }
}

/// The smallest value that so many percent reach at most; 0 of nothing.
fn percentile(sorted: &[u32], percent: usize) -> u32 {
    let place = (sorted.len() * percent).div_ceil(100).max(1) - 1;
    sorted.get(place).copied().unwrap_or_default()
}

fn is_turn(burst: &Burst) -> bool {
    burst.ended != BurstEnd::Command
}

/// How long a turn was waited for behind its last message.
fn wait(messages: &[Timed], burst: &Burst) -> u32 {
    let last = messages
        .get(burst.end - 1)
        .map_or(burst.over, |last| last.at);
    u32::try_from(burst.over - last).unwrap_or_default()
}

fn change(stretch: &Stretch, before: &[Burst], after: &[Burst]) -> Option<ChangedBurst> {
    let count = |bursts: &[Burst]| bursts.iter().filter(|burst| is_turn(burst)).count() as u32;
    let last = |bursts: &[Burst]| {
        let last = bursts.iter().rfind(|burst| is_turn(burst));
        last.map_or(0, |burst| wait(&stretch.messages, burst))
    };
    let (turns, wait_ms) = ((count(before), count(after)), (last(before), last(after)));
    let word = if turns.1 > turns.0 {
        ChangeWord::Worse
    } else if turns.1 < turns.0 {
        ChangeWord::Better
    } else if wait_ms.1 > wait_ms.0 {
        ChangeWord::Later
    } else if wait_ms.1 < wait_ms.0 {
        ChangeWord::Sooner
    } else {
        return None;
    };
    let first = stretch.messages.first()?;
    Some(ChangedBurst {
        session: stretch.session.to_string().into(),
        at: at(At(first.at)),
        messages: stretch.messages.len() as u32,
        word,
        turns,
        wait_ms,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording(messages: &[(u128, i64, Signal)], delivered: &[(u128, i64)]) -> Recording {
        Recording {
            messages: messages
                .iter()
                .map(|(session, at, signal)| Recorded {
                    session: SessionId(*session),
                    at: At(*at),
                    signal: *signal,
                })
                .collect(),
            delivered: delivered
                .iter()
                .map(|(session, at)| (SessionId(*session), At(*at)))
                .collect(),
            ..Recording::default()
        }
    }

    fn longer() -> Windows {
        Windows {
            closed_ms: 4_000,
            ..Windows::default()
        }
    }

    #[test]
    fn a_longer_window_puts_together_what_was_cut_apart_and_lets_everybody_wait() {
        let recorded = recording(
            &[
                (1, 3_000, Signal::Closed),
                (1, 0, Signal::Closed),
                (2, 0, Signal::Closed),
            ],
            &[],
        );
        let told = replay(recorded, &Windows::default(), &longer());
        assert_eq!((told.in_force.turns, told.in_force.splits), (3, 1));
        assert_eq!((told.proposed.turns, told.proposed.splits), (2, 0));
        assert_eq!(told.in_force.wait_median_ms, 1_200);
        assert_eq!(told.proposed.wait_p95_ms, 4_000);
        let words: Vec<_> = told.changed.iter().map(|change| change.word).collect();
        assert_eq!(words, [ChangeWord::Better, ChangeWord::Later]);
        assert_eq!(told.changed[0].turns, (2, 1));
    }

    #[test]
    fn who_writes_after_a_reply_was_not_cut_apart() {
        let messages = [(1, 0, Signal::Closed), (1, 3_000, Signal::Closed)];
        let told = replay(
            recording(&messages, &[(1, 2_000)]),
            &Windows::default(),
            &longer(),
        );
        assert_eq!((told.in_force.turns, told.in_force.splits), (2, 0));
        assert_eq!(told.proposed.turns, 2, "a reply stands between them");
    }

    #[test]
    fn the_same_setting_changes_nothing() {
        let messages = [(1, 0, Signal::Dangling), (1, 5_000, Signal::Neutral)];
        let windows = Windows::default();
        let told = replay(recording(&messages, &[]), &windows, &windows);
        assert_eq!(told.in_force, told.proposed);
        assert!(told.changed.is_empty());
    }

    #[test]
    fn nothing_recorded_is_nothing_measured() {
        let windows = Windows::default();
        let told = replay(Recording::default(), &windows, &windows);
        assert_eq!((told.messages, told.from), (0, None));
        assert_eq!(told.in_force, Measures::default());
    }
}
