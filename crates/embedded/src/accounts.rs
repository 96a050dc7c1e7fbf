//! Users, tokens, sign-ins, and what is revealed in them.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::accounts::{Accounts, Reveal, SignIn, Token, User};
use replygate_ports::store::StoreError;
use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteRow};

use crate::codec::Columns;
use crate::database::Database;
use crate::error::{read_fault, unavailable};

#[async_trait]
impl Accounts for Database {
    async fn users(&self) -> Result<Vec<User>, StoreError> {
        let sql = "SELECT name, role, password, created_at FROM user ORDER BY folded";
        let rows = sqlx::query(sql)
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(user).collect()
    }

    async fn user(&self, name: &str) -> Result<Option<User>, StoreError> {
        let sql = "SELECT name, role, password, created_at FROM user WHERE folded = ?";
        let query = sqlx::query(sql).bind(name.to_lowercase());
        let row = query
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.as_ref().map(user).transpose()
    }

    async fn save_user(&self, user: User) -> Result<(), StoreError> {
        let sql =
            "INSERT INTO user (folded, name, role, password, created_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (folded) DO UPDATE SET role = excluded.role, password = excluded.password";
        let query = sqlx::query(sql)
            .bind(user.name.to_lowercase())
            .bind(user.name)
            .bind(user.role);
        self.change(query.bind(user.password).bind(user.created_at.0))
            .await
            .map(drop)
    }

    async fn remove_user(&self, name: &str) -> Result<(), StoreError> {
        let folded = name.to_lowercase();
        let mut write = self.inner.side.begin().await?;
        // Case folding is Rust's, so the tokens are compared under the name as it was typed.
        let sql = "DELETE FROM token WHERE scope = 'first-run'
            AND subject = (SELECT name FROM user WHERE folded = ?)";
        for sql in [sql, "DELETE FROM user WHERE folded = ?"] {
            let query = sqlx::query(sql).bind(&folded);
            query
                .execute(write.connection())
                .await
                .map_err(unavailable)?;
        }
        write.commit().await.map_err(unavailable)
    }

    async fn save_token(&self, token: Token) -> Result<(), StoreError> {
        let sql =
            "INSERT OR REPLACE INTO token (hash, scope, subject, expires_at) VALUES (?, ?, ?, ?)";
        let query = sqlx::query(sql)
            .bind(token.hash)
            .bind(token.scope)
            .bind(token.subject);
        self.change(query.bind(token.expires_at.map(|at| at.0)))
            .await
            .map(drop)
    }

    async fn token(&self, hash: &str, now: At) -> Result<Option<Token>, StoreError> {
        let sql = "SELECT hash, scope, subject, expires_at FROM token
            WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?)";
        let query = sqlx::query(sql).bind(hash).bind(now.0);
        let row = query
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.as_ref().map(token).transpose()
    }

    async fn take_token(&self, hash: &str) -> Result<bool, StoreError> {
        let query = sqlx::query("DELETE FROM token WHERE hash = ?").bind(hash);
        self.change(query).await.map(|removed| removed > 0)
    }

    async fn save_sign_in(&self, sign_in: SignIn) -> Result<(), StoreError> {
        let sql = "INSERT INTO sign_in (id, person, data, expires_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET person = excluded.person, data = excluded.data, expires_at = excluded.expires_at";
        let query = sqlx::query(sql)
            .bind(sign_in.id)
            .bind(sign_in.person)
            .bind(sign_in.data)
            .bind(sign_in.expires_at.0);
        self.change(query).await.map(drop)
    }

    async fn sign_in(&self, id: &str, now: At) -> Result<Option<SignIn>, StoreError> {
        let sql =
            "SELECT id, person, data, expires_at FROM sign_in WHERE id = ? AND expires_at > ?";
        let query = sqlx::query(sql).bind(id).bind(now.0);
        let row = query
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.as_ref().map(sign_in).transpose()
    }

    async fn sign_ins_of(&self, person: &str, now: At) -> Result<Vec<SignIn>, StoreError> {
        let sql = "SELECT id, person, data, expires_at FROM sign_in
            WHERE person = ? AND expires_at > ?";
        let query = sqlx::query(sql).bind(person).bind(now.0);
        let rows = query
            .fetch_all(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        rows.iter().map(sign_in).collect()
    }

    async fn end_sign_in(&self, id: &str) -> Result<(), StoreError> {
        self.change(sqlx::query("DELETE FROM sign_in WHERE id = ?").bind(id))
            .await
            .map(drop)
    }

    async fn save_reveal(&self, reveal: Reveal) -> Result<(), StoreError> {
        let sql = "INSERT OR IGNORE INTO reveal (sign_in, scope, reason, at) VALUES (?, ?, ?, ?)";
        let query = sqlx::query(sql)
            .bind(reveal.sign_in)
            .bind(reveal.scope)
            .bind(reveal.reason)
            .bind(reveal.at.0);
        self.change(query).await.map(drop)
    }

    async fn reveal(
        &self,
        sign_in: &str,
        scope: Option<&str>,
    ) -> Result<Option<Reveal>, StoreError> {
        let sql = "SELECT sign_in, scope, reason, at FROM reveal
            WHERE sign_in = ?1 AND scope = coalesce(?2, scope) ORDER BY at LIMIT 1";
        let query = sqlx::query(sql).bind(sign_in).bind(scope);
        let row = query
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(read_fault)?;
        row.as_ref().map(reveal).transpose()
    }
}

impl Database {
    /// Carries one statement out durably; returns how many rows it changed.
    pub(crate) async fn change(
        &self,
        query: Query<'_, Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreError> {
        let mut write = self.inner.side.begin().await?;
        let done = query
            .execute(write.connection())
            .await
            .map_err(unavailable)?;
        write.commit().await.map_err(unavailable)?;
        Ok(done.rows_affected())
    }
}

fn reveal(row: &SqliteRow) -> Result<Reveal, StoreError> {
    let row = Columns(row);
    Ok(Reveal {
        sign_in: row.get("sign_in")?,
        scope: row.get("scope")?,
        reason: row.get("reason")?,
        at: At(row.get("at")?),
    })
}

/// A row of the table.
pub(crate) fn user(row: &SqliteRow) -> Result<User, StoreError> {
    let row = Columns(row);
    Ok(User {
        name: row.get("name")?,
        role: row.get("role")?,
        password: row.get("password")?,
        created_at: At(row.get("created_at")?),
    })
}

/// A row of the table.
pub(crate) fn token(row: &SqliteRow) -> Result<Token, StoreError> {
    let row = Columns(row);
    Ok(Token {
        hash: row.get("hash")?,
        scope: row.get("scope")?,
        subject: row.get("subject")?,
        expires_at: row.get::<Option<i64>>("expires_at")?.map(At),
    })
}

/// A row of the table.
pub(crate) fn sign_in(row: &SqliteRow) -> Result<SignIn, StoreError> {
    let row = Columns(row);
    Ok(SignIn {
        id: row.get("id")?,
        person: row.get("person")?,
        data: row.get("data")?,
        expires_at: At(row.get("expires_at")?),
    })
}
