//! The area of people. Must never leave an installation without an owner, and never stores a link that it gave.

use async_trait::async_trait;
use replygate_app::console::People;
use replygate_app::view::{
    Caller, ConsoleError, Member, MemberLink, Membership, PasswordAnswer, Permission, Role,
};
use replygate_ports::accounts::User;

use super::{ServerConsole, at, not_found, unavailable};
use crate::activity::Entry;
use crate::auth::tokens;

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;

#[async_trait]
impl People for ServerConsole {
    async fn members(&self, who: &Caller) -> Result<Vec<Member>, ConsoleError> {
        who.need(Permission::Team)?;
        let users = self.service.stores.accounts.users().await;
        Ok(users.map_err(unavailable)?.iter().map(member).collect())
    }

    async fn invite(
        &self,
        who: &Caller,
        name: String,
        role: Role,
    ) -> Result<MemberLink, ConsoleError> {
        who.need(Permission::Team)?;
        let name = name.trim().to_lowercase();
        if !is_name(&name) {
            return Err(ConsoleError::Invalid {
                field: "name".to_owned(),
                value: name.chars().take(LONGEST_NAME).collect(),
                allowed: "1 to 64 letters, digits, . - _ @".to_owned(),
            });
        }
        let stores = &self.service.stores;
        let known = stores.accounts.user(&name).await.map_err(unavailable)?;
        if known.is_some() {
            return Err(ConsoleError::Conflict {
                now: format!("{name} is in the team"),
                by: None,
                at: None,
            });
        }
        let user = User {
            name: name.clone(),
            role: role.stored().to_owned(),
            password: None,
            created_at: stores.clock.now(),
        };
        stores.accounts.save_user(user).await.map_err(unavailable)?;
        let entry = Entry {
            after: Some(role.stored().to_owned()),
            ..about("invite", &name)
        };
        self.done(who, entry).await;
        self.link(&name).await
    }

    async fn set_role(&self, who: &Caller, name: String, role: Role) -> Result<(), ConsoleError> {
        who.need(Permission::Team)?;
        let user = self.user(&name).await?;
        if user.role == role.stored() {
            return Ok(());
        }
        if role != Role::Owner {
            self.keeps_an_owner(&user).await?;
        }
        let entry = Entry {
            before: Some(user.role.clone()),
            after: Some(role.stored().to_owned()),
            ..about("set_role", &user.name)
        };
        let changed = User {
            role: role.stored().to_owned(),
            ..user
        };
        let accounts = &self.service.stores.accounts;
        accounts.save_user(changed).await.map_err(unavailable)?;
        self.done(who, entry).await;
        Ok(())
    }

    async fn reset(&self, who: &Caller, name: String) -> Result<MemberLink, ConsoleError> {
        who.need(Permission::Team)?;
        let user = self.user(&name).await?;
        let name = user.name.clone();
        // Without a password every sign-in of theirs is over at its next request.
        let changed = User {
            password: None,
            ..user
        };
        let accounts = &self.service.stores.accounts;
        accounts.save_user(changed).await.map_err(unavailable)?;
        self.door.left(&name);
        self.done(who, about("reset_password", &name)).await;
        self.link(&name).await
    }

    async fn remove(&self, who: &Caller, name: String) -> Result<(), ConsoleError> {
        who.need(Permission::Team)?;
        let user = self.user(&name).await?;
        self.keeps_an_owner(&user).await?;
        let accounts = &self.service.stores.accounts;
        accounts
            .remove_user(&user.name)
            .await
            .map_err(unavailable)?;
        self.door.left(&user.name);
        let entry = Entry {
            before: Some(user.role.clone()),
            ..about("remove_user", &user.name)
        };
        self.done(who, entry).await;
        Ok(())
    }

    async fn change_password(
        &self,
        who: &Caller,
        present: String,
        new: String,
    ) -> Result<PasswordAnswer, ConsoleError> {
        who.need(Permission::See)?;
        let changed = self.door.change_password(&who.name, present, new).await;
        changed.map_err(unavailable)
    }

    async fn invited(&self, token: String) -> Option<String> {
        let stores = &self.service.stores;
        let found = tokens::invited(&*stores.accounts, &token, stores.clock.now()).await;
        found.ok()?.map(|user| user.name)
    }
}

impl ServerConsole {
    async fn user(&self, name: &str) -> Result<User, ConsoleError> {
        let found = self.service.stores.accounts.user(name.trim()).await;
        found
            .map_err(unavailable)?
            .ok_or_else(|| not_found("person"))
    }

    /// Refuses to take the last owner away.
    async fn keeps_an_owner(&self, user: &User) -> Result<(), ConsoleError> {
        let owner = Role::Owner.stored();
        let users = self.service.stores.accounts.users().await;
        let others = users
            .map_err(unavailable)?
            .into_iter()
            .filter(|other| other.role == owner && other.name != user.name);
        if user.role == owner && others.count() == 0 {
            return Err(ConsoleError::Refused {
                check: "last_owner".to_owned(),
            });
        }
        Ok(())
    }

    async fn link(&self, name: &str) -> Result<MemberLink, ConsoleError> {
        let stores = &self.service.stores;
        let until = stores.clock.now().plus(tokens::LINK_LIFE_MS);
        let token = tokens::invite(&*stores.accounts, &*stores.entropy, name, Some(until)).await;
        Ok(MemberLink {
            name: name.to_owned(),
            path: format!("/first-run?token={}", token.map_err(unavailable)?),
            until: at(until),
        })
    }
}

fn about(verb: &str, name: &str) -> Entry {
    Entry {
        verb: verb.to_owned(),
        object: format!("user:{name}"),
        ..Entry::default()
    }
}

fn member(user: &User) -> Member {
    Member {
        name: user.name.clone(),
        // A role of a newer version is shown as the least of ours, which is also all it may here.
        role: Role::from_stored(&user.role).unwrap_or(Role::Viewer),
        membership: if user.password.is_some() {
            Membership::Active
        } else {
            Membership::Invited
        },
        since: at(user.created_at),
    }
}

fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || ".-_@".contains(c);
    (1..=LONGEST_NAME).contains(&name.chars().count()) && name.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn a_name_is_what_can_be_typed_and_read_aloud() {
        for name in ["ana", "ana.silva@example.org", "josé", "r2-d2_x"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "ana silva", "a/b", "a\u{0}b", &"x".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
