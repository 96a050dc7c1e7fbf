//! Building channels from settings.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use replygate_channels::generic::Secret;
use replygate_channels::webchat::{Event, Hub, Pages};
use replygate_channels::{ChannelDeps, build, http_client};
use replygate_gate::{At, MessageId, Outcome, ReplyId, SessionKey};
use replygate_ports::channel::{Outbound, Show};
use replygate_ports::clock::Clock;
use replygate_ports::settings::ChannelSettings;

struct Still;

#[async_trait]
impl Clock for Still {
    fn now(&self) -> At {
        At(7)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, _wait: Duration) {}
}

fn deps(pages: Pages) -> ChannelDeps {
    ChannelDeps {
        clock: Arc::new(Still),
        client: http_client().unwrap(),
        pages,
    }
}

fn refused(settings: &ChannelSettings, secrets: &[Secret]) -> String {
    build(settings, secrets, &deps(Pages::Here(Hub::new())))
        .err()
        .unwrap()
        .to_string()
}

#[test]
fn what_is_missing_is_named() {
    let secret = Secret::parse("whsec_MDEyMzQ1Njc4OWFiY2RlZg==").unwrap();
    let mut settings = ChannelSettings::new("shop", "generic");
    let address = "`channels.shop.deliver_url` is not set, allowed: an http:// or https:// address";
    assert_eq!(refused(&settings, std::slice::from_ref(&secret)), address);

    settings.deliver_url = Some("http://".into());
    assert!(
        refused(&settings, &[secret])
            .starts_with("`channels.shop.deliver_url` is `http://`, allowed:")
    );

    settings.deliver_url = Some("https://example.test/replies".into());
    assert!(
        refused(&settings, &[])
            .starts_with("`channels.shop.signing_secret` is not set, allowed: whsec_")
    );

    settings.kind = "pigeon".into();
    assert_eq!(
        refused(&settings, &[]),
        "`channels.shop.kind` is `pigeon`, allowed: webchat, generic"
    );
}

#[tokio::test]
async fn a_webchat_tells_open_pages_and_accepts_without_one() {
    let hub = Hub::new();
    let channel = build(
        &ChannelSettings::new("chat", "webchat"),
        &[],
        &deps(Pages::Here(hub.clone())),
    )
    .unwrap();
    let key = SessionKey {
        channel: "chat".into(),
        account: String::new(),
        conversation: "web_1".into(),
        contact: "web_1".into(),
    };
    let part = Outbound {
        key: key.clone(),
        reply: ReplyId(1),
        seq: 1,
        part: 0,
        parts: 1,
        text: "oi".into(),
        covers: vec![MessageId(1)],
    };
    let accepted = Outcome::Accepted { receipt: None };
    assert_eq!(channel.send(&part, Duration::ZERO).await, accepted);

    let mut page = hub.subscribe(key.session());
    channel.typing(&key, Show::On).await;
    assert_eq!(channel.send(&part, Duration::ZERO).await, accepted);
    assert_eq!(
        channel
            .notice(&key, ReplyId(2), "stopped", Duration::ZERO)
            .await,
        accepted
    );
    assert_eq!(page.next().await, Some(Event::Typing { on: true }));
    let reply = page.next().await.unwrap();
    assert_eq!(
        reply,
        Event::Reply {
            reply: ReplyId(1),
            part: 0,
            text: "oi".into(),
            at: At(7)
        }
    );
    let key = format!("{}:0", ReplyId(1));
    assert_eq!(
        reply.json(),
        serde_json::json!({"key": key, "from": "them", "text": "oi", "at": 7})
    );
    assert_eq!(page.next().await.unwrap().name(), "notice");
}
