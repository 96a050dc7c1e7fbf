//! Passwords as hashes: argon2id with a fresh salt. Work for a thread of its own; must never run on a request's thread.

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use replygate_ports::clock::Entropy;

/// The shortest password that is taken, in characters.
pub(crate) const SHORTEST: usize = 12;

/// A hash that no password has, so that an unknown name takes as long as a wrong password.
static NOBODY: LazyLock<Option<String>> = LazyLock::new(|| hashed("", &[7; 16]));

/// The PHC string of a password; `None` when it cannot be hashed.
pub(crate) async fn hash(password: String, entropy: &dyn Entropy) -> Option<String> {
    let salt = entropy.bits().to_be_bytes();
    tokio::task::spawn_blocking(move || hashed(&password, &salt))
        .await
        .ok()?
}

/// Whether the password is the one behind this PHC string. Without one the answer is no, after the same work.
pub(crate) async fn is_right(password: String, phc: Option<String>) -> bool {
    let check = move || {
        let there = phc.is_some();
        let Some(phc) = phc.or_else(|| NOBODY.clone()) else {
            return false;
        };
        let Ok(hash) = PasswordHash::new(&phc) else {
            return false;
        };
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
            && there
    };
    tokio::task::spawn_blocking(check).await.unwrap_or(false)
}

fn hashed(password: &str, salt: &[u8; 16]) -> Option<String> {
    let salt = SaltString::encode_b64(salt).ok()?;
    let hash = Argon2::default()
        .hash_password(password.as_bytes(), &salt)
        .ok()?;
    Some(hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl Entropy for Fixed {
        fn bits(&self) -> u128 {
            9
        }
    }

    #[tokio::test]
    async fn only_the_same_password_is_right() {
        let phc = hash("correct horse battery".to_owned(), &Fixed)
            .await
            .unwrap();
        assert!(phc.starts_with("$argon2id$"));
        assert!(is_right("correct horse battery".to_owned(), Some(phc.clone())).await);
        assert!(!is_right("correct horse batterx".to_owned(), Some(phc)).await);
    }

    #[tokio::test]
    async fn nobody_has_the_empty_password() {
        assert!(!is_right(String::new(), None).await);
    }
}
