//! The area of saved views. Must never tell of a private one to anybody but its owner.

use async_trait::async_trait;
use replygate_app::console::Saved;
use replygate_app::view::{
    Caller, ConsoleError, ListWord, NewView, Permission, READY_MADE, SavedRow,
};
use replygate_ports::saved::SavedView;

use super::{ServerConsole, not_found, unavailable};
use crate::activity::Entry;

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;
/// The longest address, in bytes.
const LONGEST_ADDRESS: usize = 2_000;
/// Nobody saves more than so many.
const MOST: usize = 100;
/// Views of the same name get numbers behind their slugs, up to this one.
const NUMBERS: u32 = 99;

#[async_trait]
impl Saved for ServerConsole {
    async fn saved_views(
        &self,
        who: &Caller,
        list: Option<ListWord>,
    ) -> Result<Vec<SavedRow>, ConsoleError> {
        who.need(Permission::See)?;
        let saved = &self.service.stores.saved;
        let list = list.map(ListWord::stored);
        let found = saved.saved_views(&who.name, list).await;
        let found = found.map_err(unavailable)?;
        Ok(found
            .into_iter()
            .filter_map(|view| row(who, view))
            .collect())
    }

    async fn view_address(&self, who: &Caller, slug: String) -> Result<String, ConsoleError> {
        who.need(Permission::See)?;
        if let Some((.., address)) = READY_MADE.iter().find(|(_, own, _)| *own == slug) {
            return Ok((*address).to_owned());
        }
        let found = self.service.stores.saved.saved_view(&who.name, &slug).await;
        let found = found.map_err(unavailable)?;
        found
            .map(|view| view.address)
            .ok_or_else(|| not_found("view"))
    }

    async fn save_view(&self, who: &Caller, view: NewView) -> Result<SavedRow, ConsoleError> {
        who.need(Permission::See)?;
        if view.is_shared {
            who.need(Permission::ShareViews)?;
        }
        let (name, list) = (name(&view)?, list(&view)?);
        let own = self.saved_views(who, None).await?;
        if own.iter().filter(|row| row.owner == who.name).count() >= MOST {
            return Err(invalid("name", &name, &format!("at most {MOST} views")));
        }
        let first = slug(&name);
        let mut saved = SavedView {
            slug: first.clone(),
            name,
            list: list.stored().to_owned(),
            address: view.address,
            owner: who.name.clone(),
            is_shared: view.is_shared,
            created_at: self.service.stores.clock.now(),
        };
        for number in 2..=NUMBERS {
            if self.is_added(&saved).await? {
                let entry = Entry {
                    after: Some(told(&saved)),
                    ..about("save_view", &saved.slug)
                };
                self.done(who, entry).await;
                return row(who, saved).ok_or(ConsoleError::Unavailable);
            }
            saved.slug = format!("{first}-{number}");
        }
        Err(invalid("name", &saved.name, "a name of its own"))
    }

    async fn remove_view(&self, who: &Caller, slug: String) -> Result<(), ConsoleError> {
        who.need(Permission::See)?;
        if is_ready_made(&slug) {
            return Err(ConsoleError::Refused {
                check: "ready_made".to_owned(),
            });
        }
        let saved = &self.service.stores.saved;
        let found = saved.saved_view(&who.name, &slug).await;
        let found = found.map_err(unavailable)?;
        let found = found.ok_or_else(|| not_found("view"))?;
        if found.owner != who.name {
            who.need(Permission::Team)?;
        }
        saved.remove_view(&slug).await.map_err(unavailable)?;
        let entry = Entry {
            before: Some(told(&found)),
            ..about("remove_view", &slug)
        };
        self.done(who, entry).await;
        Ok(())
    }
}

impl ServerConsole {
    async fn is_added(&self, view: &SavedView) -> Result<bool, ConsoleError> {
        if is_ready_made(&view.slug) {
            return Ok(false);
        }
        let saved = &self.service.stores.saved;
        saved.save_view(view.clone()).await.map_err(unavailable)
    }
}

fn is_ready_made(slug: &str) -> bool {
    READY_MADE.iter().any(|(_, own, _)| *own == slug)
}

/// A view as its page lists it; none of a list that this version does not know.
fn row(who: &Caller, view: SavedView) -> Option<SavedRow> {
    Some(SavedRow {
        list: ListWord::from_stored(&view.list)?,
        may_remove: view.owner == who.name || who.may(Permission::Team),
        slug: view.slug,
        name: view.name,
        address: view.address,
        owner: view.owner,
        is_shared: view.is_shared,
    })
}

fn name(view: &NewView) -> Result<String, ConsoleError> {
    let name = view.name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        let allowed = format!("1 to {LONGEST_NAME} characters");
        return Err(invalid("name", name, &allowed));
    }
    Ok(name.to_owned())
}

/// The list of an address that leads to one and nowhere else.
fn list(view: &NewView) -> Result<ListWord, ConsoleError> {
    let query = view.address.split_once('?').map_or("", |(_, query)| query);
    let has_place = form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "after");
    let is_plain = view.address.bytes().all(|byte| byte.is_ascii_graphic());
    let list = ListWord::of(&view.address);
    let list = list.filter(|_| is_plain && !has_place && view.address.len() <= LONGEST_ADDRESS);
    list.ok_or_else(|| {
        let allowed = "the address of a list, without a place in it";
        invalid("address", &view.address, allowed)
    })
}

/// A name as it stands in an address. One without a letter or digit of ours is only called so.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "view".to_owned()
    } else {
        slug.to_owned()
    }
}

/// For whom and of what. Words that are searched for may be a customer's, and are left out.
fn told(view: &SavedView) -> String {
    let whom = if view.is_shared { "shared" } else { "private" };
    let query = view.address.split_once('?').map_or("", |(_, query)| query);
    let terms = form_urlencoded::parse(query.as_bytes()).map(|(name, value)| {
        if name == "q" {
            return "searched".to_owned();
        }
        format!("{name}={value}")
    });
    let all: Vec<String> = [whom.to_owned(), view.list.clone()]
        .into_iter()
        .chain(terms)
        .take(12)
        .collect();
    all.join(", ").chars().take(500).collect()
}

fn about(verb: &str, slug: &str) -> Entry {
    Entry {
        verb: verb.to_owned(),
        object: format!("view:{slug}"),
        ..Entry::default()
    }
}

fn invalid(field: &str, value: &str, allowed: &str) -> ConsoleError {
    ConsoleError::Invalid {
        field: field.to_owned(),
        value: value.chars().take(64).collect(),
        allowed: allowed.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(address: &str) -> NewView {
        NewView {
            name: "Mine".to_owned(),
            address: address.to_owned(),
            is_shared: false,
        }
    }

    #[test]
    fn a_view_leads_to_a_list_and_nowhere_else() {
        assert_eq!(list(&view("/parked")).ok(), Some(ListWord::Parked));
        assert!(list(&view("/messages?status=PARKED&q=a%20b")).is_ok());
        let long = format!("/messages?q={}", "x".repeat(LONGEST_ADDRESS));
        for address in [
            "",
            "/",
            "/settings/me",
            "//parked",
            "https://evil.example/parked",
            "/parked?after=1.2",
            "/parked?q=a\r\nb",
            long.as_str(),
        ] {
            assert!(list(&view(address)).is_err(), "{address}");
        }
    }

    #[test]
    fn a_slug_is_what_an_address_can_hold() {
        for (name, wanted) in [
            ("Lock, older than 1 h", "lock-older-than-1-h"),
            ("--a--", "a"),
            ("日本", "view"),
        ] {
            assert_eq!(slug(name), wanted, "{name}");
        }
    }
}
