//! How every part is. Everything here is bounded, and nothing waits longer than a person would: what does not answer in time
//! is told as away.

mod services;

use std::time::Duration;

use replygate_app::view::{Ailing, ConsoleError, Health, HealthFact, HealthPart, HealthWord};
use replygate_ports::views::ReplyQuery;

use super::parked::WAITING;
use super::{ServerConsole, unavailable};
use crate::doctor::{Ailment, Kind, look};
use crate::wiring::Backing;

/// A channel or an agent fails when at least so many of its last replies did.
pub(super) const FAILING: u32 = 3;
/// What is due and not done after this time is late, in milliseconds.
const LATE_MS: u64 = 5_000;
/// A store that takes longer is strained.
const SLOW: Duration = Duration::from_millis(250);

impl ServerConsole {
    /// Every part, worst first.
    pub(super) async fn parts(&self) -> Result<Vec<Health>, ConsoleError> {
        let mut parts = self.service_parts().await;
        let store = self.store_part().await;
        let is_down = store.word == HealthWord::Down;
        parts.insert(0, store);
        // Without its store nothing else can be said.
        if !is_down {
            parts.push(self.schedule_part().await?);
            parts.push(self.sessions_part().await);
            for live in self.service.engine.board().channels() {
                let id = &live.settings.id;
                let channel = self.channel_failures(id).await?;
                let agent = self.agent_failures(id).await?;
                parts.push(failing(HealthPart::Channel, id, channel));
                parts.push(failing(HealthPart::Agent, id, agent));
            }
        }
        parts.push(Health {
            part: HealthPart::Stream,
            name: None,
            word: HealthWord::Fine,
            facts: Vec::new(),
        });
        parts.sort_by_key(|part| std::cmp::Reverse(part.word));
        Ok(parts)
    }

    async fn store_part(&self) -> Health {
        let clock = &self.service.stores.clock;
        let begun = clock.now();
        let answer = self.service.stores.store.ping().await;
        let took = clock.now().since(begun);
        let (word, fact) = match answer {
            Err(_) => (HealthWord::Down, HealthFact::Away(None)),
            Ok(()) if Duration::from_millis(took) > SLOW => {
                (HealthWord::Strained, HealthFact::AnswersIn(took))
            }
            Ok(()) => (HealthWord::Fine, HealthFact::AnswersIn(took)),
        };
        let name = match &self.service.backing {
            Backing::Embedded(_) => "SQLite",
            Backing::Cluster(_) => "PostgreSQL",
        };
        let part = Health {
            part: HealthPart::Store,
            name: Some(name.to_owned()),
            word,
            facts: vec![fact],
        };
        match &self.service.backing {
            Backing::Cluster(cluster) if word != HealthWord::Down => {
                self.with_findings(part, Box::pin(cluster.postgres.check(&**clock)))
                    .await
            }
            _ => part,
        }
    }

    /// The longest that something that is due has not been done.
    async fn schedule_part(&self) -> Result<Health, ConsoleError> {
        let now = self.service.stores.clock.now();
        let overdue = self.service.stores.store.scheduled(now, None, 1).await;
        let overdue = overdue.map_err(unavailable)?;
        let late = overdue.first().map_or(0, |(due, _)| now.since(*due));
        Ok(Health {
            part: HealthPart::Schedule,
            name: None,
            word: if late > LATE_MS {
                HealthWord::Strained
            } else {
                HealthWord::Fine
            },
            facts: vec![HealthFact::Overdue(late)],
        })
    }

    /// What `replygate doctor` finds in sessions, as long as they can be looked through in the time of a count.
    async fn sessions_part(&self) -> Health {
        let stores = &self.service.stores;
        let looking = look(&*stores.views, &*stores.settings, stores.clock.now());
        let facts = match self.in_time(looking).await {
            None => vec![HealthFact::TooMany],
            Some((open, ailments)) if ailments.is_empty() => vec![HealthFact::Open(open as u64)],
            Some((_, ailments)) => ailing(&ailments),
        };
        let is_ailing = matches!(facts.first(), Some(HealthFact::Ailing(..)));
        Health {
            part: HealthPart::Sessions,
            name: None,
            word: if is_ailing {
                HealthWord::Strained
            } else {
                HealthWord::Fine
            },
            facts,
        }
    }

    /// Of a channel's last replies, how many the agent failed to write, of how many.
    async fn agent_failures(&self, channel: &str) -> Result<(u32, u32), ConsoleError> {
        let query = ReplyQuery {
            channel: Some(channel.to_owned()),
            statuses: Vec::new(),
            after: None,
            limit: 10,
        };
        let last = self.service.stores.views.reply_list(&query).await;
        let last = last.map_err(unavailable)?;
        let failed = last.iter().filter(|view| {
            use replygate_gate::ParkReason::{AgentFailed, ReplacementFailed};
            WAITING.contains(&view.status)
                && matches!(view.park_reason, Some(AgentFailed | ReplacementFailed))
        });
        Ok((failed.count() as u32, last.len() as u32))
    }
}

fn failing(part: HealthPart, name: &str, (failed, of): (u32, u32)) -> Health {
    Health {
        part,
        name: Some(name.to_owned()),
        word: if failed >= FAILING {
            HealthWord::Strained
        } else {
            HealthWord::Fine
        },
        facts: vec![HealthFact::Failures { failed, of }],
    }
}

/// How many sessions ail in which way.
fn ailing(ailments: &[Ailment]) -> Vec<HealthFact> {
    let count = |kind: Kind| ailments.iter().filter(|each| each.kind == kind).count() as u64;
    let ways = [
        (Ailing::NotSent, Kind::NoTicket),
        (Ailing::NotLookedAfter, Kind::NoTimer),
        (Ailing::HeldTooLong, Kind::Held),
        (Ailing::LockStuck, Kind::Locked),
        (Ailing::NoChannel, Kind::NoChannel),
    ];
    ways.into_iter()
        .map(|(how, kind)| HealthFact::Ailing(how, count(kind)))
        .filter(|fact| !matches!(fact, HealthFact::Ailing(_, 0)))
        .collect()
}
