//! One zone and one address.

use super::{Fake, NOW, ZONE};
use async_trait::async_trait;
use replygate_app::console::Places;
use replygate_app::view::*;

#[async_trait]
impl Places for Fake {
    fn now(&self) -> At {
        NOW
    }

    fn is_demo(&self) -> bool {
        false
    }

    fn zone(&self, name: &str) -> Option<Zone> {
        (name == ZONE).then(|| Zone {
            name: name.to_owned(),
            shifts: vec![Shift {
                from: At(0),
                seconds: -10_800,
            }],
        })
    }

    fn zones(&self) -> Vec<String> {
        vec![ZONE.to_owned()]
    }

    async fn find(&self, who: &Caller, id: String) -> Result<String, ConsoleError> {
        who.need(Permission::See)?;
        match id.as_str() {
            "ses_1" => Ok("/sessions/ses_1".to_owned()),
            _ => Err(ConsoleError::NotFound {
                what: "id".to_owned(),
            }),
        }
    }
}
