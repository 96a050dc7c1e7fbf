//! Open chat pages of this process, told what any process of the installation handed over. Must never show what was not
//! handed over: through the feed come ids, the text is read in the store.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt as _;
use replygate_channels::webchat::Event;
use replygate_gate::{At, ReplyId, SessionId};
use replygate_ports::feed::{News, Shown};

use crate::service::Service;

/// So many texts are read at once; pages are told in the order of the news all the same.
const AT_ONCE: usize = 64;
/// After a gap pages read their history at once, and once more when what was being sent in the gap is on record.
const ONCE_MORE: Duration = Duration::from_secs(2);
/// While nothing is heard of other processes, pages read their history so often.
const UNHEARD: Duration = Duration::from_secs(2);

/// What one piece of news means for pages.
enum Told {
    /// For the session's.
    One(SessionId, Event),
    /// For all of them: some news was missed.
    All,
}

/// Follows the feed until it ends.
pub(super) async fn follow(service: &Arc<Service>) {
    let news = service.stores.feed.subscribe();
    let told = news.filter_map(|news| {
        let wanted = match news {
            News::Page { session, shown } => service
                .hub
                .is_open(session)
                .then_some(Some((session, shown))),
            News::Skipped => Some(None),
            _ => None,
        };
        std::future::ready(wanted)
    });
    let told = told.map(|wanted| async move {
        match wanted {
            Some((session, shown)) => Told::One(session, event(service, shown).await),
            None => Told::All,
        }
    });
    let mut told = std::pin::pin!(told.buffered(AT_ONCE));
    while let Some(told) = told.next().await {
        match told {
            Told::One(session, event) => service.hub.publish(session, event),
            Told::All => look_again(service),
        }
    }
}

/// While Redis is away pages would learn nothing of what other processes hand over: they look for themselves.
pub(super) async fn look_while_unheard(service: &Arc<Service>) {
    loop {
        service.stores.clock.sleep(UNHEARD).await;
        if !service.backing.hears_others() {
            service.hub.publish_everywhere(&Event::Resync);
        }
    }
}

fn look_again(service: &Arc<Service>) {
    service.hub.publish_everywhere(&Event::Resync);
    let service = service.clone();
    tokio::spawn(async move {
        tokio::select! {
            () = service.stop.cancelled() => {}
            () = service.stores.clock.sleep(ONCE_MORE) => service.hub.publish_everywhere(&Event::Resync),
        }
    });
}

async fn event(service: &Service, shown: Shown) -> Event {
    match shown {
        Shown::Typing { on } => Event::Typing { on },
        Shown::History => Event::Resync,
        Shown::Part { reply, part, at } => part_of(service, reply, part, at).await,
    }
}

/// The part with its text; a page reads the history where the text cannot be read.
async fn part_of(service: &Service, reply: ReplyId, part: u16, at: At) -> Event {
    let found = service.stores.store.replies(&[reply]).await;
    let found = found.unwrap_or_default().into_iter().next();
    let text = found.and_then(|found| found.parts.into_iter().nth(usize::from(part)));
    text.map_or(Event::Resync, |text| Event::Reply {
        reply,
        part,
        text,
        at,
    })
}
