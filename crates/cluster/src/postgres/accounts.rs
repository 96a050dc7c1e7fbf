//! Users, tokens, sign-ins, and what is revealed in them.

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::accounts::{Accounts, Reveal, SignIn, Token, User};
use replygate_ports::store::StoreError;
use sqlx::postgres::PgRow;

use super::Postgres;
use super::codec::{Columns, escaped};

#[async_trait]
impl Accounts for Postgres {
    async fn users(&self) -> Result<Vec<User>, StoreError> {
        let sql = "SELECT name, role, password, created_at FROM account ORDER BY folded";
        let rows = self.inner.readers.rows(sqlx::query(sql)).await?;
        rows.iter().map(user).collect()
    }

    async fn user(&self, name: &str) -> Result<Option<User>, StoreError> {
        let sql = "SELECT name, role, password, created_at FROM account WHERE folded = $1";
        let query = sqlx::query(sql).bind(escaped(&name.to_lowercase()).into_owned());
        let row = self.inner.readers.row(query).await?;
        row.as_ref().map(user).transpose()
    }

    async fn save_user(&self, user: User) -> Result<(), StoreError> {
        let sql = "INSERT INTO account (folded, name, role, password, created_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (folded) DO UPDATE SET role = excluded.role, password = excluded.password";
        let query = sqlx::query(sql)
            .bind(escaped(&user.name.to_lowercase()).into_owned())
            .bind(escaped(&user.name))
            .bind(escaped(&user.role))
            .bind(user.password.as_deref().map(escaped))
            .bind(user.created_at.0);
        self.inner.readers.change(query).await.map(drop)
    }

    async fn remove_user(&self, name: &str) -> Result<(), StoreError> {
        let sql = "WITH gone AS (DELETE FROM account WHERE folded = $1 RETURNING name)
            DELETE FROM token WHERE scope = 'first-run' AND subject IN (SELECT name FROM gone)";
        let query = sqlx::query(sql).bind(escaped(&name.to_lowercase()).into_owned());
        self.inner.readers.change(query).await.map(drop)
    }

    async fn save_token(&self, token: Token) -> Result<(), StoreError> {
        let sql = "INSERT INTO token (hash, scope, subject, expires_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (hash) DO UPDATE SET scope = excluded.scope, subject = excluded.subject,
            expires_at = excluded.expires_at";
        let query = sqlx::query(sql)
            .bind(escaped(&token.hash))
            .bind(escaped(&token.scope))
            .bind(escaped(&token.subject))
            .bind(token.expires_at.map(|at| at.0));
        self.inner.readers.change(query).await.map(drop)
    }

    async fn token(&self, hash: &str, now: At) -> Result<Option<Token>, StoreError> {
        let sql = "SELECT hash, scope, subject, expires_at FROM token
            WHERE hash = $1 AND (expires_at IS NULL OR expires_at > $2)";
        let row = self
            .inner
            .readers
            .row(sqlx::query(sql).bind(escaped(hash)).bind(now.0))
            .await?;
        row.as_ref().map(token).transpose()
    }

    async fn take_token(&self, hash: &str) -> Result<bool, StoreError> {
        let query = sqlx::query("DELETE FROM token WHERE hash = $1").bind(escaped(hash));
        Ok(self.inner.readers.change(query).await? > 0)
    }

    async fn save_sign_in(&self, sign_in: SignIn) -> Result<(), StoreError> {
        let sql = "INSERT INTO sign_in (id, person, data, expires_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (id) DO UPDATE SET person = excluded.person, data = excluded.data, expires_at = excluded.expires_at";
        let query = sqlx::query(sql)
            .bind(escaped(&sign_in.id))
            .bind(escaped(&sign_in.person))
            .bind(&sign_in.data)
            .bind(sign_in.expires_at.0);
        self.inner.readers.change(query).await.map(drop)
    }

    async fn sign_in(&self, id: &str, now: At) -> Result<Option<SignIn>, StoreError> {
        let sql =
            "SELECT id, person, data, expires_at FROM sign_in WHERE id = $1 AND expires_at > $2";
        let row = self
            .inner
            .readers
            .row(sqlx::query(sql).bind(escaped(id)).bind(now.0))
            .await?;
        row.as_ref().map(sign_in).transpose()
    }

    async fn sign_ins_of(&self, person: &str, now: At) -> Result<Vec<SignIn>, StoreError> {
        let sql = "SELECT id, person, data, expires_at FROM sign_in
            WHERE person = $1 AND expires_at > $2";
        let query = sqlx::query(sql).bind(escaped(person)).bind(now.0);
        let rows = self.inner.readers.rows(query).await?;
        rows.iter().map(sign_in).collect()
    }

    async fn end_sign_in(&self, id: &str) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM sign_in WHERE id = $1").bind(escaped(id));
        self.inner.readers.change(query).await.map(drop)
    }

    async fn save_reveal(&self, reveal: Reveal) -> Result<(), StoreError> {
        let sql = "INSERT INTO reveal (sign_in, scope, reason, at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (sign_in, scope) DO NOTHING";
        let query = sqlx::query(sql)
            .bind(escaped(&reveal.sign_in))
            .bind(escaped(&reveal.scope))
            .bind(escaped(&reveal.reason))
            .bind(reveal.at.0);
        self.inner.readers.change(query).await.map(drop)
    }

    async fn reveal(
        &self,
        sign_in: &str,
        scope: Option<&str>,
    ) -> Result<Option<Reveal>, StoreError> {
        let sql = "SELECT sign_in, scope, reason, at FROM reveal
            WHERE sign_in = $1 AND scope = coalesce($2, scope) ORDER BY at LIMIT 1";
        let query = sqlx::query(sql)
            .bind(escaped(sign_in))
            .bind(scope.map(escaped));
        let row = self.inner.readers.row(query).await?;
        row.as_ref().map(reveal).transpose()
    }
}

fn reveal(row: &PgRow) -> Result<Reveal, StoreError> {
    let row = Columns(row);
    Ok(Reveal {
        sign_in: row.text("sign_in")?,
        scope: row.text("scope")?,
        reason: row.text("reason")?,
        at: At(row.get("at")?),
    })
}

/// A row of the table.
pub(super) fn user(row: &PgRow) -> Result<User, StoreError> {
    let row = Columns(row);
    Ok(User {
        name: row.text("name")?,
        role: row.text("role")?,
        password: row.text_or_none("password")?,
        created_at: At(row.get("created_at")?),
    })
}

/// A row of the table.
pub(super) fn token(row: &PgRow) -> Result<Token, StoreError> {
    let row = Columns(row);
    Ok(Token {
        hash: row.text("hash")?,
        scope: row.text("scope")?,
        subject: row.text("subject")?,
        expires_at: row.get::<Option<i64>>("expires_at")?.map(At),
    })
}

/// A row of the table.
pub(super) fn sign_in(row: &PgRow) -> Result<SignIn, StoreError> {
    let row = Columns(row);
    Ok(SignIn {
        id: row.text("id")?,
        person: row.text("person")?,
        data: row.get("data")?,
        expires_at: At(row.get("expires_at")?),
    })
}
