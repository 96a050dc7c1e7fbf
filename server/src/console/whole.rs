//! The area of the whole. Everything here is bounded: the newest rows, counted parts of time, the last few replies of a
//! channel.

use std::collections::HashMap;

use async_trait::async_trait;
use replygate_app::console::Whole;
use replygate_app::view::{
    Caller, ConsoleError, FlowStation, HealthReport, Need, OutcomePart, Overview, OverviewAsked,
    Permission, SessionStateWord, StatusWord, TimePart,
};
use replygate_gate::{At, ReplyStatus};
use replygate_ports::figures::{ReplyTime, Stretch};
use replygate_ports::operations::OperationState;
use replygate_ports::views::{SessionQuery, SessionSummary};

use super::health::FAILING;
use super::{ServerConsole, at, channel, state, unavailable};

/// A chart has at most so many parts.
const PARTS: i64 = 60;
/// The parts that read well, in milliseconds.
const STEPS: [i64; 9] = [
    60_000,
    300_000,
    600_000,
    1_800_000,
    3_600_000,
    10_800_000,
    21_600_000,
    86_400_000,
    604_800_000,
];
/// Reply times are read for at most so many deliveries.
const TIMES: u32 = 5_000;
/// Open sessions are looked at up to this number.
const SESSIONS: u32 = 200;
const HOUR_MS: u64 = 3_600_000;

#[async_trait]
impl Whole for ServerConsole {
    async fn overview(&self, who: &Caller, asked: OverviewAsked) -> Result<Overview, ConsoleError> {
        who.need(Permission::See)?;
        let now = self.service.stores.clock.now();
        let step_ms = step(asked.to.0 - asked.from.0);
        let stretch = Stretch {
            channel: asked.channel.map(|channel| channel.0),
            from: At(asked.from.0.div_euclid(step_ms) * step_ms),
            to: At(asked.to.0),
        };
        let last_hour = Stretch {
            from: now.minus(HOUR_MS),
            to: now.plus(1),
            ..stretch.clone()
        };
        let figures = &self.service.stores.figures;
        let hour = figures.outcomes(&last_hour, HOUR_MS * 2).await;
        let delivered = hour
            .map_err(unavailable)?
            .iter()
            .filter(|part| part.status == ReplyStatus::Delivered)
            .map(|part| part.count)
            .sum();
        let recent = figures.reply_times(&last_hour, TIMES).await;
        let recent: Vec<u64> = recent
            .map_err(unavailable)?
            .iter()
            .map(|time| time.waited_ms)
            .collect();
        let outcomes = figures.outcomes(&stretch, step_ms as u64).await;
        let times = figures.reply_times(&stretch, TIMES).await;
        let channels = self.service.engine.board().channels();
        Ok(Overview {
            needs: self.needs().await?,
            delivered,
            median_ms: share(recent, 50),
            flow: self.flow().await?,
            outcomes: parts(&outcomes.map_err(unavailable)?, &stretch, step_ms),
            times: time_parts(&times.map_err(unavailable)?, &stretch, step_ms),
            step_ms,
            channels: channels
                .iter()
                .map(|live| channel(&live.settings.id))
                .collect(),
            as_of: at(now),
        })
    }

    async fn health(&self, who: &Caller) -> Result<HealthReport, ConsoleError> {
        who.need(Permission::See)?;
        Ok(HealthReport {
            parts: self.parts().await?,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            since: at(self.since),
            as_of: self.time(),
        })
    }
}

impl ServerConsole {
    async fn needs(&self) -> Result<Vec<Need>, ConsoleError> {
        let mut needs = self.waiting_needs().await?;
        let calls = self.unknown_call_count().await;
        needs.extend(calls.map(|count| Need::UnknownCalls { count }));
        let locked = self.locked().await?;
        if locked > 0 {
            needs.push(Need::Locked { count: locked });
        }
        let unjudged = self.unjudged_count().await;
        needs.extend(unjudged.map(|count| Need::Unjudged { count }));
        let operations = self.service.stores.operations.operations(None, 50).await;
        let halted = operations
            .map_err(unavailable)?
            .into_iter()
            .filter(|operation| operation.state == OperationState::Halted);
        needs.extend(halted.map(|operation| Need::Halted {
            operation: operation.id.to_string().into(),
        }));
        for live in self.service.engine.board().channels() {
            let (failures, of) = self.channel_failures(&live.settings.id).await?;
            if failures >= FAILING {
                needs.push(Need::Failing {
                    channel: channel(&live.settings.id),
                    failures,
                    of,
                });
            }
        }
        Ok(needs)
    }

    /// The replies that wait for a person, with their number where it could be counted in time.
    async fn waiting_needs(&self) -> Result<Vec<Need>, ConsoleError> {
        let newest = self.newest_waiting().await?;
        let counts = self.in_time(self.service.stores.views.open_counts()).await;
        let many = |wanted: ReplyStatus| match &counts {
            Some(counts) => counts
                .iter()
                .find(|(status, _)| *status == wanted)
                .map(|(_, count)| Some(*count)),
            None => newest
                .iter()
                .any(|view| view.status == wanted)
                .then_some(None),
        };
        let unknown = many(ReplyStatus::Unknown).map(|count| Need::Unknown { count });
        let oldest = newest.iter().map(|view| view.changed_at).min();
        let parked = many(ReplyStatus::Parked).map(|count| Need::Parked {
            count,
            oldest: oldest.map(at),
        });
        Ok(unknown.into_iter().chain(parked).collect())
    }

    /// Sessions whose outside lock outlived its lease, among those that are open.
    async fn locked(&self) -> Result<u32, ConsoleError> {
        let now = self.service.stores.clock.now();
        let open = self.open_sessions().await?;
        let stuck = open.iter().filter(|summary| {
            let lock = summary.stored.session.lock.as_ref();
            lock.is_some_and(|lock| lock.is_stuck(now))
        });
        Ok(stuck.count() as u32)
    }

    async fn open_sessions(&self) -> Result<Vec<SessionSummary>, ConsoleError> {
        let query = SessionQuery {
            open_only: true,
            limit: SESSIONS,
            ..SessionQuery::default()
        };
        self.service
            .stores
            .views
            .sessions(&query)
            .await
            .map_err(unavailable)
    }

    async fn flow(&self) -> Result<Vec<(FlowStation, u32)>, ConsoleError> {
        let now = self.service.stores.clock.now();
        let mut counts: HashMap<SessionStateWord, u32> = HashMap::new();
        for summary in self.open_sessions().await? {
            let word = state::word(&summary.stored.session, now, summary.last_activity).word;
            *counts.entry(word).or_insert(0) += 1;
        }
        let stations = [
            (FlowStation::Collecting, SessionStateWord::Collecting),
            (FlowStation::Thinking, SessionStateWord::Thinking),
            (FlowStation::Deciding, SessionStateWord::Deciding),
            (FlowStation::Sending, SessionStateWord::Sending),
            (FlowStation::Parked, SessionStateWord::Stuck),
        ];
        let of = |(station, word)| (station, counts.get(&word).copied().unwrap_or(0));
        Ok(stations.into_iter().map(of).collect())
    }
}

/// The smallest part of time with which the whole has no more parts than a chart may have.
fn step(length_ms: i64) -> i64 {
    STEPS
        .into_iter()
        .find(|step| length_ms / step <= PARTS)
        .unwrap_or(STEPS[STEPS.len() - 1])
}

/// The value that `percent` of all do not exceed.
fn share(mut values: Vec<u64>, percent: usize) -> Option<u64> {
    values.sort_unstable();
    let rank = (values.len() * percent).div_ceil(100).max(1) - 1;
    values.get(rank).copied()
}

fn beginnings(stretch: &Stretch, step_ms: i64) -> impl Iterator<Item = At> + use<> {
    let count = (stretch.to.0 - stretch.from.0 + step_ms - 1) / step_ms;
    let from = stretch.from.0;
    (0..count.clamp(0, PARTS + 1)).map(move |part| At(from + part * step_ms))
}

/// Every part of the stretch, those without an outcome too.
fn parts(
    outcomes: &[replygate_ports::figures::Outcomes],
    stretch: &Stretch,
    step_ms: i64,
) -> Vec<OutcomePart> {
    beginnings(stretch, step_ms)
        .map(|begin| OutcomePart {
            at: at(begin),
            counts: outcomes
                .iter()
                .filter(|outcome| outcome.at == begin)
                .map(|outcome| (StatusWord::from(outcome.status), outcome.count))
                .collect(),
        })
        .collect()
}

fn time_parts(times: &[ReplyTime], stretch: &Stretch, step_ms: i64) -> Vec<TimePart> {
    beginnings(stretch, step_ms)
        .filter_map(|begin| {
            let end = At(begin.0 + step_ms);
            let waited: Vec<u64> = times
                .iter()
                .filter(|time| time.at >= begin && time.at < end)
                .map(|time| time.waited_ms)
                .collect();
            Some(TimePart {
                at: at(begin),
                median_ms: share(waited.clone(), 50)?,
                p95_ms: share(waited, 95)?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{share, step};

    #[test]
    fn a_chart_has_as_many_parts_as_read_well() {
        assert_eq!(step(3_600_000), 60_000);
        assert_eq!(step(6 * 3_600_000), 600_000);
        assert_eq!(step(24 * 3_600_000), 1_800_000);
        assert_eq!(step(7 * 86_400_000), 10_800_000);
        assert_eq!(step(i64::MAX / 2), 604_800_000);
    }

    #[test]
    fn a_share_is_a_value_that_somebody_waited() {
        let values: Vec<u64> = (1..=20).collect();
        assert_eq!(share(values.clone(), 50), Some(10));
        assert_eq!(share(values, 95), Some(19));
        assert_eq!(share(vec![7], 95), Some(7));
        assert_eq!(share(Vec::new(), 50), None);
    }
}
