//! Exports, saved views and sign-ins: one of each.

use super::{Fake, ago};
use async_trait::async_trait;
use replygate_app::console::{Exports, Saved, SignIns};
use replygate_app::view::*;

#[async_trait]
impl Exports for Fake {
    async fn export(&self, who: &Caller, _: ExportAsked) -> Result<Caller, ConsoleError> {
        who.need(Permission::Export)?;
        Ok(who.clone())
    }
}

fn late() -> SavedRow {
    SavedRow {
        slug: "late-ones".to_owned(),
        name: "Late ones".to_owned(),
        list: ListWord::Parked,
        address: "/parked?age=2h".to_owned(),
        owner: "Ana".to_owned(),
        is_shared: true,
        may_remove: true,
    }
}

#[async_trait]
impl Saved for Fake {
    async fn saved_views(
        &self,
        who: &Caller,
        list: Option<ListWord>,
    ) -> Result<Vec<SavedRow>, ConsoleError> {
        who.need(Permission::See)?;
        let is_there = list.is_none_or(|list| list == ListWord::Parked);
        Ok(is_there.then(late).into_iter().collect())
    }

    async fn view_address(&self, who: &Caller, slug: String) -> Result<String, ConsoleError> {
        who.need(Permission::See)?;
        let found = Some(late()).filter(|view| view.slug == slug);
        found
            .map(|view| view.address)
            .ok_or(ConsoleError::NotFound {
                what: "view".to_owned(),
            })
    }

    async fn save_view(&self, who: &Caller, view: NewView) -> Result<SavedRow, ConsoleError> {
        if view.is_shared {
            who.need(Permission::ShareViews)?;
        }
        if view.name.is_empty() {
            return Err(ConsoleError::Invalid {
                field: "name".to_owned(),
                value: String::new(),
                allowed: "1 to 64 characters".to_owned(),
            });
        }
        Ok(late())
    }

    async fn remove_view(&self, who: &Caller, _: String) -> Result<(), ConsoleError> {
        who.need(Permission::See)
    }
}

#[async_trait]
impl SignIns for Fake {
    async fn sign_ins(&self, who: &Caller) -> Result<Vec<SignInRow>, ConsoleError> {
        who.need(Permission::See)?;
        let row = |id: &str, browser: &str, is_this| SignInRow {
            id: id.to_owned(),
            browser: browser.to_owned(),
            since: ago(9_000),
            seen: ago(60),
            is_this,
        };
        Ok(vec![row("aa", "Firefox", true), row("bb", "", false)])
    }

    async fn end_sign_in(&self, who: &Caller, id: String) -> Result<(), ConsoleError> {
        who.need(Permission::See)?;
        if id == "bb" {
            return Ok(());
        }
        Err(ConsoleError::NotFound {
            what: "sign-in".to_owned(),
        })
    }

    async fn end_other_sign_ins(&self, who: &Caller) -> Result<u32, ConsoleError> {
        who.need(Permission::See).map(|()| 1)
    }
}
