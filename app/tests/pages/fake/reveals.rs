//! Everything is shown to whoever may see texts, besides one session until somebody says why.

use super::Fake;
use async_trait::async_trait;
use replygate_app::console::Reveals;
use replygate_app::view::*;

#[async_trait]
impl Reveals for Fake {
    async fn is_revealed(&self, who: &Caller, over: &Veiled) -> Result<bool, ConsoleError> {
        who.need(Permission::See)?;
        Ok(who.may(Permission::Reveal) && *over != Veiled::Session("ses_2".into()))
    }

    async fn reveal(
        &self,
        who: &Caller,
        _over: Veiled,
        reason: Option<String>,
    ) -> Result<Revealed, ConsoleError> {
        who.need(Permission::Reveal)?;
        Ok(reason.map_or(Revealed::ReasonMissing, |_| Revealed::Shown))
    }
}
