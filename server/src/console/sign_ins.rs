//! The area of sign-ins.

use async_trait::async_trait;
use replygate_app::console::SignIns;
use replygate_app::view::{Caller, ConsoleError, Permission, SignInRow};

use super::{ServerConsole, not_found, unavailable};
use crate::activity::Entry;

#[async_trait]
impl SignIns for ServerConsole {
    async fn sign_ins(&self, who: &Caller) -> Result<Vec<SignInRow>, ConsoleError> {
        who.need(Permission::See)?;
        self.door.own_sign_ins(who).await.map_err(unavailable)
    }

    async fn end_sign_in(&self, who: &Caller, id: String) -> Result<(), ConsoleError> {
        let mut rows = self.sign_ins(who).await?;
        rows.retain(|row| row.id == id);
        if rows.is_empty() {
            return Err(not_found("sign-in"));
        }
        self.end(who, &rows).await
    }

    async fn end_other_sign_ins(&self, who: &Caller) -> Result<u32, ConsoleError> {
        let mut rows = self.sign_ins(who).await?;
        rows.retain(|row| !row.is_this);
        if !rows.is_empty() {
            self.end(who, &rows).await?;
        }
        Ok(rows.len() as u32)
    }
}

impl ServerConsole {
    async fn end(&self, who: &Caller, rows: &[SignInRow]) -> Result<(), ConsoleError> {
        self.door.end_own(who, rows).await.map_err(unavailable)?;
        let entry = Entry {
            verb: "end_sign_in".to_owned(),
            object: format!("user:{}", who.name),
            before: Some(told(rows)),
            after: Some("ended".to_owned()),
            ..Entry::default()
        };
        self.done(who, entry).await;
        Ok(())
    }
}

/// Which sign-ins, by their browsers.
fn told(rows: &[SignInRow]) -> String {
    let name = |row: &SignInRow| match row.browser.as_str() {
        "" => "a browser".to_owned(),
        known => known.to_owned(),
    };
    let names: Vec<String> = rows.iter().take(10).map(name).collect();
    let more = if rows.len() > names.len() {
        ", …"
    } else {
        ""
    };
    format!("signed in with {}{more}", names.join(", "))
}
