//! One entry.

use super::{Fake, ago, page};
use async_trait::async_trait;
use replygate_app::console::Activity;
use replygate_app::view::*;

#[async_trait]
impl Activity for Fake {
    async fn activity(
        &self,
        who: &Caller,
        filter: ActivityFilter,
        query: PageQuery,
    ) -> Result<Page<ActivityRow>, ConsoleError> {
        who.need(Permission::See)?;
        let row = ActivityRow {
            place: 7,
            at: ago(60),
            by: "Ana".to_owned(),
            role: "operator".to_owned(),
            verb: "reprocess".to_owned(),
            object: "rep_7".to_owned(),
            address: Some("/go?id=rep_7".to_owned()),
            before: Some("PARKED, generation 1".to_owned()),
            after: Some("PENDING, generation 2".to_owned()),
            reason: Some("she called".to_owned()),
            result: ActivityResult::Done,
        };
        let is_wanted = query.after.is_none() && filter.by.as_deref().is_none_or(|by| by == "Ana");
        Ok(page(if is_wanted { vec![row] } else { Vec::new() }, None))
    }
}
