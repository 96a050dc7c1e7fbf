//! A call that has leave, until it is known how it ended, or nobody will learn it. Must never end without an outcome on
//! record, and never asks the server twice.

use std::time::Duration;

use futures::future::BoxFuture;
use replygate_agents::mcp::Ended;
use replygate_gate::ActionId;
use replygate_gate::tools::{Note, OnUnknown};

use super::client::Client;
use super::server::{Answering, Piece, Tells, Then};
use super::{Exchange, settlement};
use crate::mcp::flights::Flight;

/// After its time is over and the client has its answer, a call is listened to for so long: what it came to may still be
/// learnt.
const LISTEN_ON: Duration = Duration::from_mins(10);

/// A call that has leave.
pub(super) struct UnderWay {
    exchange: Exchange,
    action: ActionId,
    /// What the tool's own service is to know it by.
    key: ActionId,
}

/// How far a call is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Its answer is waited for.
    InTime,
    /// Its time is over, and an answer could still tell what came of it.
    Late,
    /// It is known how it ended.
    Known,
}

impl UnderWay {
    pub(super) const fn new(exchange: Exchange, action: ActionId, key: ActionId) -> Self {
        Self {
            exchange,
            action,
            key,
        }
    }

    pub(super) async fn run(self, mut client: Client) {
        if client.is_gone() {
            // It went away while it waited for leave: nothing was sent.
            self.settle(Ended::Failed {
                code: "client_gone".to_owned(),
                message: String::new(),
            })
            .await;
            return;
        }
        let may_cancel = self.exchange.tool.on_unknown == OnUnknown::Retry;
        let flight = Flight::new(&self.exchange.headers, &self.exchange.id, may_cancel);
        let flights = &self.exchange.proxy.flights;
        flights.begin(self.action, flight);
        self.listen(&mut client).await;
        flights.end(self.action);
    }

    async fn listen(&self, client: &mut Client) {
        let mut answering = Answering::ask(&self.exchange, self.key);
        let mut stage = Stage::InTime;
        let mut over = self.sleep(Duration::from_millis(self.exchange.tool.timeout_ms));
        loop {
            tokio::select! {
                biased;
                piece = answering.next() => {
                    if piece.ended.is_some() {
                        stage = Stage::Known;
                    }
                    match self.took(piece, client).await {
                        Then::More => {}
                        Then::Elsewhere if stage == Stage::InTime => {
                            over.await;
                            self.gives_up("stream_ended").await;
                            return;
                        }
                        Then::Over | Then::Elsewhere => return,
                    }
                }
                () = &mut over => match stage {
                    Stage::InTime => {
                        stage = Stage::Late;
                        self.gives_up("timeout").await;
                        client.refuse(&self.unknown()).await;
                        over = self.sleep(LISTEN_ON);
                    }
                    // What still comes behind the answer tells nothing.
                    Stage::Known | Stage::Late => return,
                },
            }
        }
    }

    /// Deals with a piece of the answer.
    async fn took(&self, piece: Piece, client: &mut Client) -> Then {
        if let Some(ended) = piece.ended {
            self.settle(ended).await;
        }
        match piece.tells {
            Tells::Head(status, headers) => client.begin(status, headers),
            Tells::More(bytes) => client.more(bytes).await,
            Tells::Whole(status, headers, body) => client.whole(status, headers, body),
            Tells::Refusal(words) => client.refuse(words).await,
            Tells::Lost => client.refuse(&self.unknown()).await,
            Tells::End => client.end(),
            Tells::Nothing => {}
        }
        piece.then
    }

    /// Nobody learns any more how it ended, unless somebody has meanwhile, by another stream.
    async fn gives_up(&self, code: &str) {
        if self.exchange.proxy.flights.is_under_way(self.action) {
            self.settle(Ended::unknown(code)).await;
        }
    }

    async fn settle(&self, ended: Ended) {
        let lease_ms = self.exchange.wish.guarding.lease_ms;
        let guard = &self.exchange.guard;
        guard
            .settle_surely(self.action, settlement(ended), lease_ms)
            .await;
    }

    fn sleep(&self, wait: Duration) -> BoxFuture<'_, ()> {
        self.exchange.clock.sleep(wait)
    }

    /// What the model is told of a call whose outcome is not known.
    fn unknown(&self) -> String {
        Note::NotConfirmed.text(self.exchange.wish.tongue)
    }
}
