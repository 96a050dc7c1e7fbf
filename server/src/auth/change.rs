//! A person changes their own password. Every sign-in of theirs is over with the old one.

use replygate_app::view::PasswordAnswer;
use replygate_ports::accounts::User;
use replygate_ports::activity::ActivityResult;
use replygate_ports::store::StoreError;

use super::door::Door;
use super::{LONGEST_BYTES, password};

impl Door {
    /// Sets a new password for whoever knows the present one.
    pub(crate) async fn change_password(
        &self,
        name: &str,
        present: String,
        new: String,
    ) -> Result<PasswordAnswer, StoreError> {
        if !self.throttle.allows(name, self.clock.now()) {
            return Ok(PasswordAnswer::Throttled);
        }
        if new.chars().count() < password::SHORTEST || new.len() > LONGEST_BYTES {
            return Ok(PasswordAnswer::Short);
        }
        let user = self.accounts.user(name).await?;
        let phc = user.as_ref().and_then(|user| user.password.clone());
        let is_right = present.len() <= LONGEST_BYTES && password::is_right(present, phc).await;
        let Some(user) = user.filter(|_| is_right) else {
            self.note(name, "change_password", ActivityResult::Refused)
                .await;
            return Ok(PasswordAnswer::Refused);
        };
        self.throttle.forget(name);
        let Some(phc) = password::hash(new, &*self.entropy).await else {
            return Ok(PasswordAnswer::Short);
        };
        let changed = User {
            password: Some(phc),
            ..user
        };
        self.accounts.save_user(changed).await?;
        self.left(name);
        self.note(name, "change_password", ActivityResult::Done)
            .await;
        Ok(PasswordAnswer::Changed)
    }
}
