//! The area of activity: the log, with a way to what each entry is about.

use async_trait::async_trait;
use replygate_app::console::Activity;
use replygate_app::view::{
    ActivityFilter, ActivityResult, ActivityRow, Caller, ConsoleError, Cursor, Page, PageQuery,
    Permission,
};
use replygate_ports::activity as ports;

use super::{ServerConsole, at, cursor, unavailable};

#[async_trait]
impl Activity for ServerConsole {
    async fn activity(
        &self,
        who: &Caller,
        filter: ActivityFilter,
        page: PageQuery,
    ) -> Result<Page<ActivityRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let query = ports::ActivityQuery {
            by: filter.by,
            verb: filter.verb,
            object: filter.object,
            before: cursor::number(page.after.as_ref())?,
            limit: cursor::limit(&page),
        };
        let found = self.service.stores.activity.entries(&query).await;
        let found = found.map_err(unavailable)?;
        let last = found
            .last()
            .filter(|last| found.len() == query.limit as usize && last.place > 1);
        Ok(Page {
            next: last.map(|last| Cursor(last.place.to_string())),
            rows: found.into_iter().map(row).collect(),
            as_of,
            total: None,
        })
    }
}

fn row(entry: ports::Entry) -> ActivityRow {
    let activity = entry.activity;
    ActivityRow {
        place: entry.place,
        at: at(activity.at),
        by: activity.by,
        role: activity.role,
        verb: activity.verb,
        address: address(&activity.object),
        object: activity.object,
        before: activity.before,
        after: activity.after,
        reason: activity.reason,
        result: match activity.result {
            ports::ActivityResult::Done => ActivityResult::Done,
            ports::ActivityResult::Refused => ActivityResult::Refused,
            ports::ActivityResult::Failed => ActivityResult::Failed,
        },
    }
}

/// The page of an object; identifiers are looked up when somebody goes there.
fn address(object: &str) -> Option<String> {
    let pages = [
        ("channel:", "/channels/"),
        ("list:", "/"),
        ("view:", "/views/"),
    ];
    let page = |(kind, path): (&str, &str)| Some(format!("{path}{}", object.strip_prefix(kind)?));
    if let Some(address) = pages.into_iter().find_map(page) {
        return Some(address);
    }
    let is_id = ["ses_", "rep_", "msg_", "op_", "dup_"]
        .iter()
        .any(|prefix| object.starts_with(prefix));
    is_id.then(|| format!("/go?id={object}"))
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn what_has_a_page_is_linked_and_nothing_else() {
        assert_eq!(address("channel:shop").as_deref(), Some("/channels/shop"));
        assert_eq!(address("list:parked").as_deref(), Some("/parked"));
        assert_eq!(address("view:mine").as_deref(), Some("/views/mine"));
        assert_eq!(address("rep_1").as_deref(), Some("/go?id=rep_1"));
        assert_eq!(address("user:ana"), None);
        assert_eq!(address(""), None);
    }
}
