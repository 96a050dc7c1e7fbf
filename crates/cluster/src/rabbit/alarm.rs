//! Whether the broker takes messages. It tells so only to a connection that publishes, so one is sent to nowhere.

use std::time::Duration;

use futures::{FutureExt, StreamExt};
use lapin::options::BasicPublishOptions;
use lapin::{BasicProperties, Event};

use super::line::{Ground, Trouble};
use crate::limit::within;

/// A broker with an alarm says so within this time after a message.
const WORD: Duration = Duration::from_millis(500);

/// The broker's word for why it takes nothing; `None` when it takes messages.
pub async fn alarm(ground: &Ground) -> Result<Option<String>, Trouble> {
    let connection = ground.connect("inspector").await?;
    let mut events = connection.events_listener().boxed();
    let channel = ground
        .answer("a channel", connection.create_channel())
        .await?;
    let nowhere = channel.basic_publish(
        "".into(),
        ground.names.nowhere().as_str().into(),
        BasicPublishOptions::default(),
        b"",
        BasicProperties::default(),
    );
    // A broker that blocks may not even take this one.
    let sent = within(&*ground.clock, WORD, nowhere.map(drop)).await;
    let word = async {
        loop {
            match events.next().await {
                Some(Event::ConnectionBlocked(why)) => return Some(why),
                Some(_) => {}
                None => return None,
            }
        }
    };
    let why = within(&*ground.clock, WORD, word).await.flatten();
    let silent = sent
        .is_none()
        .then(|| "it takes nothing and does not say why".to_owned());
    Ok(why.or(silent))
}
