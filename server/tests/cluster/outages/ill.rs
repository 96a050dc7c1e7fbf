//! The ways in which a network takes a service away.

use std::time::Duration;

use replygate_testkit::proxy::{Flow, TcpProxy, Toward};

/// Far more than a message takes on one machine, and less than anybody waits for.
const SLOW: Duration = Duration::from_millis(25);

/// What is wrong with the way to a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ill {
    /// Connections end, and none can be made.
    Refused,
    /// Nothing passes, and nobody is told; what was said arrives when it is over.
    BlackHole,
    /// What the service says is lost: answers, confirms, deliveries. It does what it is told.
    AnswersLost,
    /// What the service is told is lost: questions, publications, acknowledgements.
    RequestsLost,
    /// Everything arrives late.
    Slow,
}

pub const ILLS: [Ill; 5] = [
    Ill::Refused,
    Ill::BlackHole,
    Ill::AnswersLost,
    Ill::RequestsLost,
    Ill::Slow,
];

impl Ill {
    pub fn begin(self, way: &TcpProxy) {
        match self {
            Self::Refused => way.close_door(),
            Self::BlackHole => way.set_both(Flow::Held),
            Self::AnswersLost => way.set(Toward::Client, Flow::Held),
            Self::RequestsLost => way.set(Toward::Server, Flow::Held),
            Self::Slow => way.set_both(Flow::Delayed(SLOW)),
        }
    }

    pub fn end(self, way: &TcpProxy) {
        match self {
            Self::Refused => way.open_door(),
            Self::BlackHole | Self::Slow => way.set_both(Flow::Open),
            // What was held is lost with its connections.
            Self::AnswersLost | Self::RequestsLost => {
                way.reset();
                way.set_both(Flow::Open);
            }
        }
    }

    /// Whether the service is of any use meanwhile.
    pub fn takes_away(self) -> bool {
        self != Self::Slow
    }
}
