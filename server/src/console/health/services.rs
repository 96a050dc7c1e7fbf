//! The services of a cluster as the console tells them. An installation on one file has none.

use std::time::Duration;

use futures::future::join;
use replygate_app::view::{Health, HealthFact, HealthPart, HealthWord};
use replygate_cluster::{About, Cluster, Depth, Finding, Health as Pulse, Level, QueueDuty};

use super::super::{ServerConsole, at};
use crate::wiring::Backing;

/// A service that takes longer to tell about itself is told as away.
const PATIENCE: Duration = Duration::from_secs(2);

impl ServerConsole {
    /// Redis, RabbitMQ, its queues and the workers at them.
    pub(super) async fn service_parts(&self) -> Vec<Health> {
        let Backing::Cluster(cluster) = &self.service.backing else {
            return Vec::new();
        };
        let (redis, rabbit) = join(self.redis(cluster), self.rabbit(cluster)).await;
        std::iter::once(redis).chain(rabbit).collect()
    }

    async fn redis(&self, cluster: &Cluster) -> Health {
        let redis = &cluster.redis;
        let part = known(HealthPart::Redis, &redis.health(), redis.last_failure());
        self.with_findings(part, redis.check()).await
    }

    async fn rabbit(&self, cluster: &Cluster) -> Vec<Health> {
        let rabbit = &cluster.rabbit;
        let part = known(HealthPart::Rabbit, &rabbit.health(), rabbit.last_failure());
        let told = self.with_findings(part, rabbit.check());
        let (told, depths) = join(told, self.patiently(rabbit.depths())).await;
        let mut parts = vec![told];
        if let Some(Ok(depths)) = depths {
            parts.extend(queues(&depths));
        }
        parts
    }

    /// The part with what its service tells, unless that takes too long.
    pub(super) async fn with_findings(
        &self,
        part: Health,
        findings: impl Future<Output = Vec<Finding>>,
    ) -> Health {
        match self.patiently(findings).await {
            Some(findings) => judged(part, &findings),
            None => Health {
                word: HealthWord::Down,
                facts: away_first(part.facts),
                ..part
            },
        }
    }

    async fn patiently<T>(&self, asked: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            answer = asked => Some(answer),
            () = self.service.stores.clock.sleep(PATIENCE) => None,
        }
    }
}

/// A service as this process has met it.
fn known(part: HealthPart, pulse: &Pulse, failed: Option<replygate_gate::At>) -> Health {
    let (word, fact) = match pulse {
        Pulse::Up => (
            HealthWord::Fine,
            failed.map(|failed| HealthFact::LastFailure(at(failed))),
        ),
        Pulse::Blocked { since, .. } => (HealthWord::Strained, Some(HealthFact::Full(at(*since)))),
        Pulse::Down { since, .. } => (HealthWord::Down, Some(HealthFact::Away(Some(at(*since))))),
    };
    Health {
        part,
        name: None,
        word,
        facts: fact.into_iter().collect(),
    }
}

/// What the service said is added: its version, and whatever is not as it should be.
fn judged(mut part: Health, findings: &[Finding]) -> Health {
    for finding in findings {
        let is_good = finding.level == Level::Good;
        let value = finding.value.clone();
        let fact = match finding.about {
            About::Version if is_good => HealthFact::Version(value.unwrap_or_default()),
            _ if is_good => continue,
            About::Version => HealthFact::DoubtfulVersion(value.unwrap_or_default()),
            About::Reach => {
                part.word = HealthWord::Down;
                part.facts = away_first(part.facts);
                continue;
            }
            About::Durability => HealthFact::Forgets,
            About::Clock => {
                HealthFact::ClockOff(value.and_then(|ms| ms.parse().ok()).unwrap_or_default())
            }
            About::Eviction => HealthFact::Evicts,
            About::Role => HealthFact::Replica,
            // Told by what this process has met, with its time.
            About::Alarm if part.word != HealthWord::Fine => continue,
            About::Alarm => HealthFact::TakesNothing,
            About::Queues => HealthFact::WrongQueue(value),
        };
        part.word = part.word.max(match finding.level {
            Level::Good => HealthWord::Fine,
            Level::Warning => HealthWord::Strained,
            Level::Bad => HealthWord::Down,
        });
        part.facts.push(fact);
    }
    part
}

/// That it does not answer, before everything else and once.
fn away_first(mut facts: Vec<HealthFact>) -> Vec<HealthFact> {
    if !matches!(facts.first(), Some(HealthFact::Away(_))) {
        facts.insert(0, HealthFact::Away(None));
    }
    facts
}

/// The queues that people know by name, those in which replies wait for their time as one, and who reads.
fn queues(depths: &[Depth]) -> Vec<Health> {
    let mut parts = Vec::new();
    for depth in depths {
        let waiting = HealthFact::Waiting(depth.messages.into());
        match depth.duty {
            QueueDuty::Work => {
                parts.push(queue(&depth.queue, waiting));
                parts.push(workers(depth.consumers));
            }
            QueueDuty::Parked => parts.push(queue(&depth.queue, waiting)),
            QueueDuty::Delay => {}
        }
    }
    parts
}

fn queue(name: &str, waiting: HealthFact) -> Health {
    Health {
        part: HealthPart::Queue,
        name: Some(name.to_owned()),
        word: HealthWord::Fine,
        facts: vec![waiting],
    }
}

/// Whether anybody reads what is to be handed over.
fn workers(count: u32) -> Health {
    Health {
        part: HealthPart::Workers,
        name: None,
        word: if count == 0 {
            HealthWord::Down
        } else {
            HealthWord::Fine
        },
        facts: vec![HealthFact::Readers(count.into())],
    }
}
