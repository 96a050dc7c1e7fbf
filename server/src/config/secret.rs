//! Secrets: signing secrets, which may be written into the file, and references to what is kept in the environment or in
//! files of their own. Must never show one.

use std::path::Path;

use replygate_channels::generic::Secret;
use serde_json::Value;

use super::environment::Environment;

/// What `signing_secret` may be, for people.
pub(super) const ALLOWED: &str = "whsec_ and base64, env:NAME, file:PATH, or a list of two of them (new, old) while the secret is being changed";

/// Reads one secret or two; the problem never shows them.
pub(super) fn read(value: &Value, environment: &Environment) -> Result<Vec<Secret>, String> {
    match value {
        Value::String(text) => Ok(vec![one(text, environment)?]),
        Value::Array(all) if (1..=2).contains(&all.len()) => all
            .iter()
            .map(|value| match value {
                Value::String(text) => one(text, environment),
                _ => Err(format!(
                    "holds something that is no text, allowed: {ALLOWED}"
                )),
            })
            .collect(),
        _ => Err(format!("is no text and no list of two, allowed: {ALLOWED}")),
    }
}

fn one(text: &str, environment: &Environment) -> Result<Secret, String> {
    let Some(place) = Place::read(text) else {
        return Secret::parse(text).map_err(|error| error.to_string());
    };
    let value = place.value(environment)?;
    Secret::parse(value.trim()).map_err(|error| format!("names {place}: {error}"))
}

/// What stands where a reference points, `env:NAME` or `file:PATH`; `None` when nothing can be read there.
pub(crate) fn referred(reference: &str, environment: &Environment) -> Option<String> {
    Place::read(reference)?.value(environment).ok()
}

/// The same, or why nothing can be read there.
pub(super) fn followed(reference: &str, environment: &Environment) -> Result<String, String> {
    let place = Place::read(reference).ok_or("is no reference, allowed: env:NAME, file:PATH")?;
    place.value(environment)
}

/// Where a secret is.
#[derive(Clone, Copy)]
enum Place<'a> {
    Variable(&'a str),
    File(&'a Path),
}

impl<'a> Place<'a> {
    fn read(reference: &'a str) -> Option<Self> {
        let variable = reference.strip_prefix("env:").map(Self::Variable);
        variable.or_else(|| Some(Self::File(Path::new(reference.strip_prefix("file:")?))))
    }

    fn value(self, environment: &Environment) -> Result<String, String> {
        match self {
            Self::Variable(name) => environment
                .get(name)
                .map(str::to_owned)
                .ok_or_else(|| format!("names {self}, which is not set")),
            Self::File(path) => std::fs::read_to_string(path)
                .map_err(|error| format!("names {self}, which cannot be read: {error}")),
        }
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "the environment variable {name}"),
            Self::File(path) => write!(f, "the file {}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_followed_into_the_environment_and_into_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, "sk-file\n").unwrap();
        let environment = Environment::of([("KEY", "sk-env")]);
        let at = |reference: &str| referred(reference, &environment);
        assert_eq!(at("env:KEY").as_deref(), Some("sk-env"));
        let file = format!("file:{}", path.display());
        assert_eq!(at(&file).as_deref(), Some("sk-file\n"));
        for nothing in ["env:OTHER", "file:/nowhere/at/all", "sk-written-out", ""] {
            assert_eq!(at(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_signing_secret_may_stand_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(
            &path,
            "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\n",
        )
        .unwrap();
        let value = Value::from(format!("file:{}", path.display()));
        assert_eq!(read(&value, &Environment::default()).unwrap().len(), 1);
        let gone = Value::from("file:/nowhere/at/all");
        let why = read(&gone, &Environment::default()).unwrap_err();
        assert!(
            why.starts_with("names the file /nowhere/at/all, which cannot be read"),
            "{why}"
        );
    }
}
