//! Users, tokens, sign-ins, and what is revealed in them.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::accounts::{Accounts, Reveal, SignIn, Token, User};
use replygate_ports::store::StoreError;

use super::MemoryStore;

#[async_trait]
impl Accounts for MemoryStore {
    async fn users(&self) -> Result<Vec<User>, StoreError> {
        Ok(self.tables().users.values().cloned().collect())
    }

    async fn user(&self, name: &str) -> Result<Option<User>, StoreError> {
        Ok(self.tables().users.get(&name.to_lowercase()).cloned())
    }

    async fn save_user(&self, user: User) -> Result<(), StoreError> {
        let mut tables = self.tables();
        match tables.users.get_mut(&user.name.to_lowercase()) {
            Some(known) => {
                known.role = user.role;
                known.password = user.password;
            }
            None => {
                tables.users.insert(user.name.to_lowercase(), user);
            }
        }
        Ok(())
    }

    async fn remove_user(&self, name: &str) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let folded = name.to_lowercase();
        tables.users.remove(&folded);
        tables.tokens.retain(|_, token| {
            token.scope != "first-run" || token.subject.to_lowercase() != folded
        });
        Ok(())
    }

    async fn save_token(&self, token: Token) -> Result<(), StoreError> {
        self.tables().tokens.insert(token.hash.clone(), token);
        Ok(())
    }

    async fn token(&self, hash: &str, now: At) -> Result<Option<Token>, StoreError> {
        let tables = self.tables();
        let token = tables.tokens.get(hash);
        Ok(token
            .filter(|token| token.expires_at.is_none_or(|end| now < end))
            .cloned())
    }

    async fn take_token(&self, hash: &str) -> Result<bool, StoreError> {
        Ok(self.tables().tokens.remove(hash).is_some())
    }

    async fn save_sign_in(&self, sign_in: SignIn) -> Result<(), StoreError> {
        self.tables().sign_ins.insert(sign_in.id.clone(), sign_in);
        Ok(())
    }

    async fn sign_in(&self, id: &str, now: At) -> Result<Option<SignIn>, StoreError> {
        Ok(self
            .tables()
            .sign_ins
            .get(id)
            .filter(|sign_in| now < sign_in.expires_at)
            .cloned())
    }

    async fn sign_ins_of(&self, person: &str, now: At) -> Result<Vec<SignIn>, StoreError> {
        let tables = self.tables();
        let own = tables
            .sign_ins
            .values()
            .filter(|sign_in| sign_in.person == person && now < sign_in.expires_at);
        Ok(own.cloned().collect())
    }

    async fn end_sign_in(&self, id: &str) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.sign_ins.remove(id);
        tables.reveals.retain(|reveal| reveal.sign_in != id);
        Ok(())
    }

    async fn save_reveal(&self, reveal: Reveal) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let is_same =
            |known: &Reveal| known.sign_in == reveal.sign_in && known.scope == reveal.scope;
        if !tables.reveals.iter().any(is_same) {
            tables.reveals.push(reveal);
        }
        Ok(())
    }

    async fn reveal(
        &self,
        sign_in: &str,
        scope: Option<&str>,
    ) -> Result<Option<Reveal>, StoreError> {
        let tables = self.tables();
        let own = tables.reveals.iter().filter(|reveal| {
            reveal.sign_in == sign_in && scope.is_none_or(|scope| reveal.scope == scope)
        });
        Ok(own.min_by_key(|reveal| reveal.at).cloned())
    }
}
