//! The Replygate pipeline: messages come in, bursts become turns, replies are judged, handed over in order, retried and
//! parked, and people can step in. Must never name a driver, a route or a page: it knows `gate` and `ports` alone.

mod agenda;
mod board;
mod claim_time;
mod crew;
mod desk;
mod dispatch;
mod engine;
mod intake;
mod mint;
mod notice;
mod operator;
mod parts;
mod peers;
mod sweeper;
mod tokens;
mod tools;
mod triage;
mod turn;

pub use board::{Board, Live, SaveError};
pub use desk::{Made, StepError};
pub use engine::{Engine, Figures};
pub use intake::{Received, Rejection};
pub use notice::acknowledgement;
pub use operator::{Deed, Verb};
pub use parts::{Parts, Peers, Role, Tuning, Wired, Wiring};
pub use tools::{Guard, Leave, LiveTool, ToolSaveError, Toolbox, Wait, Wish};
