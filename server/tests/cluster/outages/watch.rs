//! What a trial's processes say of themselves, what memory they need, and when all is well again.

use std::time::Duration;

use futures::future::join_all;
use replygate_cluster::Postgres;
use replygate_ports::store::Store as _;
use reqwest::Client;

use super::Trial;
use crate::passage::Service;
use crate::process::Process;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(100);

/// What was seen.
pub struct Watched {
    /// From the service's absence until a process said so; `None` for never.
    pub told: Option<Duration>,
    /// From the service's return until all was well; `None` for not in time.
    pub recovered: Option<Duration>,
    /// By how much a process's memory grew.
    pub grown_mb: f64,
    /// What a process said that was not so, and what was not well in time.
    pub wrong: Vec<String>,
}

/// A process's answer to `/readyz`.
struct Ready {
    status: u16,
    words: String,
}

impl Ready {
    fn is_all_up(&self) -> bool {
        self.status == 200 && self.words == "ready\nRedis: up\nRabbitMQ: up\n"
    }

    /// Whether it says that a service cannot be used.
    fn tells_of(&self, service: Service) -> bool {
        let is_up = |name: &str| self.words.contains(&format!("{name}: up"));
        match service {
            Service::Postgres => self.status == 503,
            Service::Redis => !is_up("Redis"),
            Service::Rabbit => !is_up("RabbitMQ"),
        }
    }
}

/// Watches a trial.
pub struct Watch<'a> {
    trial: &'a Trial,
    client: Client,
    store: Postgres,
    began_mb: [f64; 2],
    watched: Watched,
}

impl<'a> Watch<'a> {
    pub async fn new(trial: &'a Trial) -> Self {
        Self {
            client: Client::new(),
            store: trial.stand.place.store().await,
            began_mb: memory(trial),
            watched: Watched {
                told: None,
                recovered: None,
                grown_mb: 0.0,
                wrong: Vec::new(),
            },
            trial,
        }
    }

    /// All is well for so long.
    pub async fn look_for(&mut self, how_long: Duration) {
        let until = self.trial.clock.elapsed() + how_long;
        while self.trial.clock.elapsed() < until {
            for ready in self.ready().await {
                if !ready.is_all_up() {
                    self.dishonest("before", &ready);
                }
            }
            self.pause().await;
        }
    }

    /// The service is away for so long. PostgreSQL's absence is told in every answer; the others', which only whoever
    /// uses them meets, by one process at the end.
    pub async fn look_while_away(&mut self, how_long: Duration) {
        let service = self.trial.service;
        let began = self.trial.clock.elapsed();
        let until = began + how_long;
        let mut last = Vec::new();
        loop {
            let answers = self.ready().await;
            if self.trial.clock.elapsed() >= until {
                break;
            }
            if answers.iter().any(|ready| ready.tells_of(service)) {
                let told = self.trial.clock.elapsed().saturating_sub(began);
                self.watched.told.get_or_insert(told);
            }
            for ready in &answers {
                let is_away = service == Service::Postgres && self.trial.ill.takes_away();
                if (ready.status == 503) != is_away {
                    self.dishonest("meanwhile", ready);
                }
            }
            last = answers;
            self.pause().await;
        }
        if self.trial.ill.takes_away() && !last.iter().any(|ready| ready.tells_of(service)) {
            let said: Vec<&str> = last.iter().map(|ready| ready.words.as_str()).collect();
            self.watched
                .wrong
                .push(format!("nobody told of it: {said:?}"));
        }
    }

    /// Until every process says so and whatever was due at the service's return is done.
    pub async fn look_until_well(&mut self, within: Duration) {
        let (back, back_at) = (self.trial.clock.elapsed(), self.trial.clock.now());
        loop {
            let ready = self.ready().await;
            let overdue = self.store.scheduled(back_at, None, 1_000).await.unwrap();
            let took = self.trial.clock.elapsed().saturating_sub(back);
            if ready.iter().all(Ready::is_all_up) && overdue.is_empty() {
                self.watched.recovered = Some(took);
                return;
            }
            if took > within {
                let words: Vec<&str> = ready.iter().map(|ready| ready.words.as_str()).collect();
                let left = overdue.len();
                let told = format!("not well in time: {left} sessions are overdue, {words:?}");
                return self.watched.wrong.push(told);
            }
            self.pause().await;
        }
    }

    pub async fn end(self) -> Watched {
        self.store.close().await;
        self.watched
    }

    async fn ready(&self) -> Vec<Ready> {
        let asked = self.trial.processes.iter().map(|process| async {
            let asked = self.client.get(format!("{}/readyz", process.url));
            let answer = asked.send().await.unwrap();
            let status = answer.status().as_u16();
            let words = answer.text().await.unwrap();
            Ready { status, words }
        });
        join_all(asked).await
    }

    fn dishonest(&mut self, when: &str, ready: &Ready) {
        let told = format!("/readyz {when}: {} {:?}", ready.status, ready.words);
        if self.watched.wrong.len() < 5 {
            self.watched.wrong.push(told);
        }
    }

    async fn pause(&mut self) {
        let now = memory(self.trial);
        for (now, began) in now.iter().zip(self.began_mb) {
            self.watched.grown_mb = self.watched.grown_mb.max(now - began);
        }
        self.trial.clock.sleep(LOOK).await;
    }
}

fn memory(trial: &Trial) -> [f64; 2] {
    trial.processes.each_ref().map(Process::resident_mb)
}
