//! One person who is there and one who is invited.

use super::{Fake, NOW, ago};
use async_trait::async_trait;
use replygate_app::console::People;
use replygate_app::view::*;

#[async_trait]
impl People for Fake {
    async fn members(&self, who: &Caller) -> Result<Vec<Member>, ConsoleError> {
        who.need(Permission::Team)?;
        let member = |name: &str, membership| Member {
            name: name.to_owned(),
            role: Role::Operator,
            membership,
            since: ago(9_000),
        };
        Ok(vec![
            member("Marta", Membership::Active),
            member("rui", Membership::Invited),
        ])
    }

    async fn invite(
        &self,
        who: &Caller,
        name: String,
        _role: Role,
    ) -> Result<MemberLink, ConsoleError> {
        who.need(Permission::Team)?;
        self.reset(who, name).await
    }

    async fn set_role(&self, who: &Caller, name: String, role: Role) -> Result<(), ConsoleError> {
        who.need(Permission::Team)?;
        if name == "Marta" && role != Role::Owner {
            return Err(ConsoleError::Refused {
                check: "last_owner".to_owned(),
            });
        }
        Ok(())
    }

    async fn reset(&self, who: &Caller, name: String) -> Result<MemberLink, ConsoleError> {
        who.need(Permission::Team)?;
        Ok(MemberLink {
            name,
            path: "/first-run?token=t0ken".to_owned(),
            until: NOW,
        })
    }

    async fn remove(&self, who: &Caller, _name: String) -> Result<(), ConsoleError> {
        who.need(Permission::Team)
    }

    async fn change_password(
        &self,
        who: &Caller,
        present: String,
        _: String,
    ) -> Result<PasswordAnswer, ConsoleError> {
        who.need(Permission::See)?;
        Ok(if present == "right" {
            PasswordAnswer::Changed
        } else {
            PasswordAnswer::Refused
        })
    }

    async fn invited(&self, token: String) -> Option<String> {
        (token == "t0ken").then(|| "rui".to_owned())
    }
}
