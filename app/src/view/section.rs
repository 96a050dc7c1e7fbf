//! The parts of the console, as the main navigation lists them.

use super::stored::stored_words;

stored_words! {
    /// A part of the console.
    Section {
        /// What waits for a person, and whether the system keeps up.
        Overview = "overview",
        /// What is going on now.
        Sessions = "sessions",
        /// Every customer's message.
        Messages = "messages",
        /// Replies that wait for a person.
        Parked = "parked",
        /// Deeds on many replies.
        Operations = "operations",
        /// Tool calls that were not made twice.
        Duplicates = "duplicates",
        /// How replies were judged against newer messages.
        Decisions = "decisions",
        /// Where customers write, and how that is set.
        Channels = "channels",
        /// Who did what.
        Activity = "activity",
        /// Whether every part works.
        Health = "health",
    }
}

impl Section {
    /// Those that the navigation lists.
    pub const MENU: &'static [Self] = &[
        Self::Overview,
        Self::Sessions,
        Self::Messages,
        Self::Parked,
        Self::Operations,
        Self::Decisions,
        Self::Duplicates,
        Self::Channels,
        Self::Activity,
        Self::Health,
    ];

    /// The address of its first page.
    #[must_use]
    pub const fn address(self) -> &'static str {
        match self {
            Self::Overview => "/",
            Self::Sessions => "/sessions",
            Self::Messages => "/messages",
            Self::Parked => "/parked",
            Self::Operations => "/operations",
            Self::Duplicates => "/duplicates",
            Self::Decisions => "/decisions",
            Self::Channels => "/channels",
            Self::Activity => "/activity",
            Self::Health => "/health",
        }
    }

    /// The letter that leads there behind a `g`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Overview => "o",
            Self::Sessions => "s",
            Self::Messages => "m",
            Self::Parked => "p",
            Self::Operations => "r",
            Self::Duplicates => "d",
            Self::Decisions => "e",
            Self::Channels => "c",
            Self::Activity => "a",
            Self::Health => "h",
        }
    }

    /// Whether the page at `path` belongs to it.
    #[must_use]
    pub fn holds(self, path: &str) -> bool {
        let own = self.address();
        if own == "/" {
            return path == "/";
        }
        path.strip_prefix(own)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::Section;

    #[test]
    fn a_page_belongs_to_at_most_one_section() {
        for path in ["/", "/sessions", "/sessions/ses_1", "/sessionsx"] {
            let holders = Section::ALL.iter().filter(|section| section.holds(path));
            assert!(holders.count() <= 1, "{path}");
        }
        assert!(Section::Sessions.holds("/sessions/ses_1"));
        assert!(!Section::Sessions.holds("/sessionsx"));
    }

    #[test]
    fn every_section_has_a_key_of_its_own() {
        let mut keys: Vec<_> = Section::ALL.iter().map(|section| section.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), Section::ALL.len());
    }
}
