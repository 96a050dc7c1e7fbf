//! Enumerations whose values have one stored word each, the same in addresses, cookies, forms and on the wire.

macro_rules! stored_words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// All of them, in the order in which a form offers them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stored word.
            #[must_use]
            pub const fn stored(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The value with this stored word.
            #[must_use]
            pub fn from_stored(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.stored() == word)
            }
        }
    };
}

pub(crate) use stored_words;
