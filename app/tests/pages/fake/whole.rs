//! A calm channel, and three replies that wait.

use super::{Fake, NOW, ago, shop};
use async_trait::async_trait;
use replygate_app::console::Whole;
use replygate_app::view::*;

#[async_trait]
impl Whole for Fake {
    async fn overview(&self, who: &Caller, asked: OverviewAsked) -> Result<Overview, ConsoleError> {
        who.need(Permission::See)?;
        let named = |name: &str| asked.channel.as_ref().is_some_and(|own| own.0 == name);
        let calm = named("calm");
        let part = |minutes: i64, delivered| OutcomePart {
            at: ago(minutes * 60),
            counts: vec![
                (StatusWord::Delivered, delivered),
                (StatusWord::Superseded, 2),
            ],
        };
        let needs = vec![
            Need::Unknown { count: Some(1) },
            Need::UnknownCalls {
                count: Count::Exactly(1),
            },
            Need::Parked {
                count: (!named("crowded")).then_some(3),
                oldest: Some(ago(7_200)),
            },
            Need::Unjudged {
                count: Count::MoreThan(10_000),
            },
        ];
        Ok(Overview {
            needs: if calm { Vec::new() } else { needs },
            delivered: 1_284,
            median_ms: Some(2_900),
            flow: FlowStation::ALL.iter().copied().zip(1..).collect(),
            outcomes: vec![part(20, 4), part(10, 31)],
            times: vec![TimePart {
                at: ago(600),
                median_ms: 2_900,
                p95_ms: 7_100,
            }],
            step_ms: 600_000,
            channels: vec![shop()],
            as_of: NOW,
        })
    }

    async fn health(&self, who: &Caller) -> Result<HealthReport, ConsoleError> {
        who.need(Permission::See)?;
        let health = |part, name: Option<&str>, word, facts: &[HealthFact]| Health {
            part,
            name: name.map(str::to_owned),
            word,
            facts: facts.to_vec(),
        };
        Ok(HealthReport {
            parts: vec![
                health(
                    HealthPart::Channel,
                    Some("shop"),
                    HealthWord::Strained,
                    &[HealthFact::Failures { failed: 8, of: 10 }],
                ),
                health(
                    HealthPart::Redis,
                    None,
                    HealthWord::Strained,
                    &[
                        HealthFact::Away(Some(ago(60))),
                        HealthFact::Version("7.2.4".to_owned()),
                    ],
                ),
                health(
                    HealthPart::Sessions,
                    None,
                    HealthWord::Strained,
                    &[HealthFact::Ailing(Ailing::LockStuck, 2)],
                ),
                health(
                    HealthPart::Store,
                    None,
                    HealthWord::Fine,
                    &[HealthFact::AnswersIn(2)],
                ),
            ],
            version: "1.2.3".to_owned(),
            since: ago(90_000),
            as_of: NOW,
        })
    }
}
