//! Searching texts without regard to case, as every store means it. SQL folds ASCII only, so a store lets it sort out what
//! cannot match and looks at the rest here.

/// What is searched for.
#[derive(Clone, Debug)]
pub struct Search {
    needle: Option<String>,
}

impl Search {
    /// A search; without a needle everything matches.
    #[must_use]
    pub fn new(needle: Option<&str>) -> Self {
        Self {
            needle: needle.map(str::to_lowercase),
        }
    }

    /// Whether the text contains the needle in any case.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        self.needle
            .as_ref()
            .is_none_or(|needle| text.to_lowercase().contains(needle))
    }

    /// The longest run of ASCII in the needle: every match contains it, in SQL's own folding.
    #[must_use]
    pub fn ascii(&self) -> &str {
        let runs = self
            .needle
            .as_deref()
            .unwrap_or_default()
            .split(|c: char| !c.is_ascii());
        runs.max_by_key(|run| run.len()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_beyond_ascii_match_in_any_case() {
        let search = Search::new(Some("ÇÃO já"));
        assert!(search.matches("A Informação JÁ veio"));
        assert!(!search.matches("informacao ja"));
        assert_eq!(search.ascii(), "o j");
    }

    #[test]
    fn nothing_searched_for_matches_everything() {
        assert!(Search::new(None).matches("") && Search::new(Some("")).matches("x"));
    }
}
