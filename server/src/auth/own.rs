//! A person's own sign-ins: which there are, and the end of them. Must never tell of, or end, somebody else's.

use replygate_app::view::{At as Seen, Caller, SignInRow};
use replygate_ports::store::StoreError;

use super::door::{Door, Person};
use super::sign_ins;

impl Door {
    /// The caller's sign-ins that still let somebody in, the one used last first.
    pub(crate) async fn own_sign_ins(&self, who: &Caller) -> Result<Vec<SignInRow>, StoreError> {
        let Some(user) = self.accounts.user(&who.name).await? else {
            return Ok(Vec::new());
        };
        let now = self.clock.now();
        let found = self.accounts.sign_ins_of(&user.name, now).await?;
        let mut rows: Vec<(SignInRow, Person)> = found
            .into_iter()
            .filter_map(|sign_in| {
                let person = sign_ins::person(&sign_in)?;
                let row = SignInRow {
                    is_this: sign_in.id == who.sign_in,
                    id: sign_in.id,
                    browser: person.browser.clone(),
                    since: Seen(person.since.0),
                    seen: Seen(person.noted.0),
                };
                Some((row, person))
            })
            .filter(|(_, person)| person.is_let_in(&user, now))
            .collect();
        rows.sort_by_key(|(row, _)| std::cmp::Reverse(row.seen.0));
        Ok(rows.into_iter().map(|(row, _)| row).collect())
    }

    /// Ends these sign-ins of the caller, and the live streams that were opened in them.
    pub(crate) async fn end_own(&self, who: &Caller, rows: &[SignInRow]) -> Result<(), StoreError> {
        for row in rows {
            self.accounts.end_sign_in(&row.id).await?;
        }
        // Every stream of theirs: those of a sign-in that goes on are opened again at once.
        self.left(&who.name);
        Ok(())
    }
}
