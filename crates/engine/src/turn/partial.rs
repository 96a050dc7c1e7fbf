//! What a turn has written so far, and what becomes of it when newer messages interrupt the turn. Must never reach the user.

use std::sync::{Mutex, PoisonError};

use replygate_gate::{Command, Draft, ReplyId};
use replygate_ports::store::NewReply;

use super::Running;
use crate::desk::{Cause, StepError};
use crate::engine::Inner;

/// What is kept of an answer, in bytes: more than any channel sends, less than would hurt to store.
const MOST: usize = 64 * 1024;

/// How far an answer is.
#[derive(Default)]
pub(super) struct Written(Mutex<String>);

impl Written {
    /// A further piece of the answer.
    pub(super) fn add(&self, piece: &str) {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST.saturating_sub(text.len());
        text.push_str(&piece[..piece.floor_char_boundary(room)]);
    }

    /// The answer is this so far.
    pub(super) fn is_now(&self, parts: &[String]) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        self.add(&parts.join("\n\n"));
    }

    fn take(&self) -> String {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *text)
    }
}

impl Inner {
    /// Keeps what the turn had written, if it was interrupted and the next one has not begun.
    pub(super) async fn keep_partial(&self, running: &Running) {
        let text = running.written.take();
        if text.trim().is_empty() {
            return;
        }
        let (turn, reply) = (running.owner.turn, ReplyId(self.mint()));
        let cause = Cause {
            reply: Some(NewReply {
                id: reply,
                parts: vec![text],
            }),
            ..Cause::by("worker")
        };
        let step = self
            .desk
            .step(running.made.id, cause, |_| {
                Ok(Command::KeepPartial {
                    turn,
                    draft: Draft { reply, parts: 1 },
                })
            })
            .await;
        match step {
            Ok(made) => self.after(&made).await,
            Err(StepError::Refused(_)) => {}
            Err(error) => {
                tracing::warn!(session = %running.made.id, %error, "what an interrupted turn had written is lost");
            }
        }
    }
}
