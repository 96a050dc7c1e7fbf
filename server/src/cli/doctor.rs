//! `replygate doctor`: what is wrong with an installation, and mending it.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use replygate_cluster::{Cluster, Finding, Level};
use replygate_embedded::{OsEntropy, SystemClock};
use replygate_engine::Peers;
use replygate_ports::clock::Clock;

use super::place::Place;
use super::store::Shelf;
use crate::Foundation;
use crate::config::{ClusterSection, Config, Environment, Role};
use crate::doctor::{Queue, Repair, Report, Told, idle_tickets, look, mend};

/// So long workers get to act on what they were reminded of, before it is looked at again.
const PATIENCE: Duration = Duration::from_secs(3);

/// Says what is wrong with the installation, beside running servers too; exit code 1 if anything needs attention
#[derive(Args)]
pub(super) struct Doctor {
    #[command(flatten)]
    place: Place,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Mends what can be mended: publishes missing tickets, wakes workers, takes out tickets that lead nowhere
    #[arg(long)]
    repair: bool,
}

impl Doctor {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let environment = Environment::of_process();
        super::serve::log(&environment, "off");
        let config = self.place.config(&environment)?;
        let mut report = super::runtime()?.block_on(self.examine(&config))?;
        let calm = report.services.iter().all(|told| told.level == "good");
        let idle = report.idle_tickets > 0 && !self.repair;
        report.ok = calm && report.ailments.is_empty() && !idle;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            print(&report);
        }
        Ok(if report.ok {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    async fn examine(&self, config: &Config) -> anyhow::Result<Report> {
        match &config.cluster {
            Some(section) => self.examine_cluster(section).await,
            None => examine_file(config).await,
        }
    }

    async fn examine_cluster(&self, section: &ClusterSection) -> anyhow::Result<Report> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
        let entropy = Arc::new(OsEntropy);
        let cluster = Cluster::connect(&section.services(), clock.clone(), entropy).await?;
        let services = cluster.check().await.iter().map(told).collect();
        let (postgres, rabbit) = (cluster.postgres.clone(), cluster.rabbit.clone());
        let mut report = Report {
            services,
            ..Report::default()
        };
        (report.open_sessions, report.ailments) = look(&postgres, &postgres, clock.now()).await?;
        if let Ok(depths) = rabbit.depths().await {
            report.services.extend(unread(&depths));
            report.queues = depths.into_iter().map(queue).collect();
            let repair = if self.repair { Repair::Yes } else { Repair::No };
            report.idle_tickets = idle_tickets(&rabbit, &postgres, repair).await?;
        }
        if self.repair && !report.ailments.is_empty() {
            let foundation = Foundation::cluster(cluster.clone(), clock.clone(), Role::Web);
            if let Some(peers) = &foundation.peers {
                remind(&mut report, &cluster, peers, &*clock).await?;
            }
        }
        cluster.close().await;
        Ok(report)
    }
}

/// Reminds workers and looks again: what is still wrong then needs a person.
async fn remind(
    report: &mut Report,
    cluster: &Cluster,
    peers: &Peers,
    clock: &dyn Clock,
) -> anyhow::Result<()> {
    mend(&report.ailments, &cluster.rabbit, peers, clock.now()).await?;
    let before = report.ailments.len();
    clock.sleep(PATIENCE).await;
    let postgres = &cluster.postgres;
    (report.open_sessions, report.ailments) = look(postgres, postgres, clock.now()).await?;
    report.mended = before.saturating_sub(report.ailments.len());
    Ok(())
}

/// A data directory has no services. What is wrong in its sessions mends itself at the server's next start.
async fn examine_file(config: &Config) -> anyhow::Result<Report> {
    let shelf = Shelf::open(config).await?;
    let looked = look(&*shelf.views, &*shelf.settings, shelf.clock.now()).await;
    shelf.close().await;
    let (open_sessions, ailments) = looked?;
    Ok(Report {
        open_sessions,
        ailments,
        ..Report::default()
    })
}

fn told(finding: &Finding) -> Told {
    Told {
        service: finding.service.to_owned(),
        level: finding.level.as_str(),
        words: finding.words.clone(),
    }
}

fn queue(depth: replygate_cluster::Depth) -> Queue {
    Queue {
        name: depth.queue,
        messages: depth.messages,
        consumers: depth.consumers,
    }
}

/// Tickets that nobody reads.
fn unread(depths: &[replygate_cluster::Depth]) -> Option<Told> {
    let work = depths
        .iter()
        .find(|depth| depth.queue.ends_with("outbound_messages"))?;
    (work.consumers == 0).then(|| Told {
        service: "RabbitMQ".to_owned(),
        level: Level::Warning.as_str(),
        words: format!(
            "no worker reads `{}`; start `replygate serve --role worker`",
            work.queue
        ),
    })
}

fn print(report: &Report) {
    for told in &report.services {
        println!("{:<8} {}: {}", told.level, told.service, told.words);
    }
    for queue in &report.queues {
        println!(
            "queue    {}: {} messages, {} consumers",
            queue.name, queue.messages, queue.consumers
        );
    }
    println!("sessions with open work: {}", report.open_sessions);
    for ailment in &report.ailments {
        let reply = ailment.reply.map(|reply| format!(" {reply}"));
        let (reply, words) = (reply.unwrap_or_default(), ailment.kind.words());
        println!("wrong    {}{reply}: {words}", ailment.session);
    }
    if report.idle_tickets > 0 {
        println!("tickets that lead nowhere: {}", report.idle_tickets);
    }
    if report.mended > 0 {
        println!("mended: {}", report.mended);
    }
    let verdict = if report.ok {
        "nothing needs attention"
    } else {
        "something needs attention"
    };
    println!("{verdict}");
}
