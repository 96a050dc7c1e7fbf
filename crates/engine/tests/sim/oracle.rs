//! The judge: the protocol's invariants, told from what reached the users and from what the store has.

mod calls;
mod ledger;
mod messages;
mod replies;

use crate::world::World;
use ledger::Ledger;

/// Every breach, in words, and with one the whole story.
pub async fn judge(world: &World) -> (Vec<String>, String) {
    let ledger = Ledger::read(world).await;
    let mut breaches = Vec::new();
    replies::judge(&ledger, &mut breaches);
    messages::judge(&ledger, &mut breaches);
    calls::judge(&ledger, &mut breaches);
    let story = if breaches.is_empty() {
        String::new()
    } else {
        ledger.story()
    };
    (breaches, story)
}
