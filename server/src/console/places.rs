//! The area of times and places: the server's clock, the world's time zones, and where a thing is shown.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::tz::{TimeZone, db};
use replygate_app::console::Places;
use replygate_app::view::{
    At, Caller, ConsoleError, MessageId, Permission, SessionId, Shift, Zone, duplicate_address,
};
use replygate_gate as gate;

use super::{ServerConsole, not_found, unavailable};

/// A page may show what is this old, and a little of the future: three years and one, in milliseconds.
const BACK_MS: i64 = 3 * 366 * 86_400_000;
const AHEAD_MS: i64 = 366 * 86_400_000;

#[async_trait]
impl Places for ServerConsole {
    fn now(&self) -> At {
        self.time()
    }

    fn is_demo(&self) -> bool {
        self.service.is_demo
    }

    fn zone(&self, name: &str) -> Option<Zone> {
        zone(name, self.time())
    }

    fn zones(&self) -> Vec<String> {
        db().available()
            .map(|name| name.to_string())
            .filter(|name| is_place(name))
            .collect()
    }

    async fn find(&self, who: &Caller, id: String) -> Result<String, ConsoleError> {
        who.need(Permission::See)?;
        let id = id.trim();
        let stores = &self.service.stores;
        if let Ok(session) = id.parse::<gate::SessionId>() {
            let found = stores.store.load(session).await.map_err(unavailable)?;
            found.ok_or_else(|| not_found("session"))?;
            return Ok(SessionId(session.to_string()).address());
        }
        if let Ok(message) = id.parse::<gate::MessageId>() {
            let found = stores.views.messages_by_id(&[message]).await;
            let found = found.map_err(unavailable)?;
            found.first().ok_or_else(|| not_found("message"))?;
            return Ok(MessageId(message.to_string()).address());
        }
        if let Ok(reply) = id.parse::<gate::ReplyId>() {
            let session = stores.store.find_reply(reply).await.map_err(unavailable)?;
            let session = session.ok_or_else(|| not_found("reply"))?;
            let reply = replygate_app::view::ReplyId(reply.to_string());
            return Ok(reply.address_in(&SessionId(session.to_string())));
        }
        if let Ok(duplicate) = id.parse::<gate::DuplicateId>() {
            let found = stores.ledger.duplicate(duplicate).await;
            found
                .map_err(unavailable)?
                .ok_or_else(|| not_found("duplicate"))?;
            return Ok(duplicate_address(&duplicate.to_string()));
        }
        Err(not_found("id"))
    }
}

/// A place where people live: not a name kept for old programs, such as `EST5EDT` or `posix/Europe/Paris`.
fn is_place(name: &str) -> bool {
    let continents = [
        "Africa/",
        "America/",
        "Antarctica/",
        "Arctic/",
        "Asia/",
        "Atlantic/",
        "Australia/",
        "Europe/",
        "Indian/",
        "Pacific/",
    ];
    name == "UTC"
        || continents
            .iter()
            .any(|continent| name.starts_with(continent))
}

fn zone(name: &str, now: At) -> Option<Zone> {
    let zone = TimeZone::get(name).ok()?;
    let begin = Timestamp::from_millisecond(now.0 - BACK_MS).ok()?;
    let end = Timestamp::from_millisecond(now.0 + AHEAD_MS).ok()?;
    let first = Shift {
        from: At(begin.as_millisecond()),
        seconds: zone.to_offset(begin).seconds(),
    };
    let later = zone
        .following(begin)
        .take_while(|change| change.timestamp() <= end)
        .map(|change| Shift {
            from: At(change.timestamp().as_millisecond()),
            seconds: change.offset().seconds(),
        });
    Some(Zone {
        name: zone.iana_name().unwrap_or(name).to_owned(),
        shifts: std::iter::once(first).chain(later).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-29 12:00:00 UTC.
    const NOW: At = At(1_795_953_600_000);

    #[test]
    fn a_zone_tells_the_clocks_of_both_seasons() {
        let lisbon = zone("Europe/Lisbon", NOW).unwrap();
        assert_eq!(lisbon.long(NOW), "2026-11-29 12:00:00 UTC");
        let july = At(NOW.0 - 150 * 86_400_000);
        assert_eq!(lisbon.long(july), "2026-07-02 13:00:00 UTC+1");
        assert!(lisbon.shifts.len() < 12, "{}", lisbon.shifts.len());
    }

    #[test]
    fn a_zone_that_nobody_knows_is_none() {
        for name in ["", "Nowhere/At_All", "../etc/passwd"] {
            assert!(zone(name, NOW).is_none(), "{name}");
        }
    }
}
