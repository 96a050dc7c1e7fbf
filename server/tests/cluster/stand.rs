//! A place for plays: signed channels, a deliver address, and a customer with a token.

use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use replygate::simulate::storm::Plan;
use replygate::simulate::{self, Customer, Endpoint, new_secret};
use replygate_channels::generic::Secret;
use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock;

use crate::place::Place;

/// A short storm.
pub const PLAN: Plan = Plan {
    sessions: 60,
    rate: 40.0,
    seconds: 5.0,
    seed: 5,
};

/// A busy database may be too slow for a command once or twice.
const TRIES: usize = 5;

pub struct Stand {
    pub place: Place,
    pub endpoint: Endpoint,
    /// The channels, as the file has them.
    pub channels: String,
    secret: Secret,
}

impl Stand {
    /// A stand with the channels that `toml` writes; `None` where a service is missing.
    pub async fn open(toml: fn(&str, &str) -> String) -> Option<Self> {
        let clock = Arc::new(SystemClock::start());
        Self::patient(toml, Duration::ZERO, clock).await
    }

    /// A stand whose deliver address takes its time with each answer.
    pub async fn patient(
        toml: fn(&str, &str) -> String,
        answers_after: Duration,
        clock: Arc<dyn Clock>,
    ) -> Option<Self> {
        let text = new_secret();
        let secret = Secret::parse(&text).unwrap();
        let anywhere = ([127, 0, 0, 1], 0).into();
        let endpoint = Endpoint::start(anywhere, secret.clone(), answers_after, clock).await;
        let endpoint = endpoint.unwrap();
        let channels = toml(&endpoint.url(), &text);
        let place = Place::with(&channels).await?;
        Some(Self {
            place,
            endpoint,
            channels,
            secret,
        })
    }

    /// A customer of the process at this address.
    pub fn customer(&self, url: &str, clock: &Arc<dyn Clock>) -> Customer {
        let place = simulate::Place {
            url: url.to_owned(),
            secret: self.secret.clone(),
            token: self.token(),
        };
        Customer::new(place, clock.clone()).unwrap()
    }

    fn token(&self) -> String {
        let made = (0..TRIES).map(|_| self.ask_for_token());
        let mut made = made.skip_while(|made| !made.status.success());
        let made = made.next().expect("a token is made");
        let text = String::from_utf8(made.stdout).unwrap();
        text.split_whitespace().last().unwrap().to_owned()
    }

    fn ask_for_token(&self) -> Output {
        Command::new(env!("CARGO_BIN_EXE_replygate"))
            .args(["token", "create", "--scope", "operate", "--config"])
            .arg(self.place.file())
            .output()
            .unwrap()
    }
}
