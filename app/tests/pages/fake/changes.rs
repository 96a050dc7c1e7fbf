//! One change per topic.

use super::Fake;
use async_trait::async_trait;
use futures::stream;
use replygate_app::console::{ChangeStream, Changes, Numbered};
use replygate_app::view::*;

#[async_trait]
impl Changes for Fake {
    async fn changes(
        &self,
        who: &Caller,
        topics: Vec<Topic>,
        after: Option<u64>,
    ) -> Result<ChangeStream, ConsoleError> {
        who.need(Permission::See)?;
        let seq = after.unwrap_or_default() + 1;
        let changes = topics.into_iter().map(move |topic| match topic {
            Topic::Session(id) => Numbered {
                seq,
                changes: vec![Change::Session { id, version: 8 }],
            },
            Topic::Duplicates => Numbered {
                seq,
                changes: vec![Change::Duplicate {
                    id: "dup_1".to_owned(),
                }],
            },
            Topic::Sessions | Topic::Parked | Topic::Operation(_) => Numbered {
                seq,
                changes: vec![Change::Resync],
            },
        });
        Ok(Box::pin(stream::iter(changes.collect::<Vec<_>>())))
    }
}
