//! What came of a form that led to a live page, in words: the page shows them, and nothing is read from an address in
//! the browser half.

use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use crate::console::Console;
#[cfg(feature = "ssr")]
use crate::view::{Caller, ConsoleError, said::Said};

/// The terms of an address that tell what a form came to, unread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidTerms(pub Vec<(String, String)>);

impl SaidTerms {
    /// Those of this address.
    #[cfg(feature = "ssr")]
    #[must_use]
    pub fn of(query: &leptos_router::params::ParamsMap) -> Self {
        let names = ["did", "no", "what", "value", "allowed", "by"];
        let terms = names
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), query.get(name)?)));
        Self(terms.collect())
    }

    #[cfg(feature = "ssr")]
    fn read(&self) -> Said {
        Said::read(|name| {
            let found = self.0.iter().find(|(own, _)| own == name);
            found.map(|(_, value)| value.clone())
        })
    }
}

/// What came of a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Whether it was done.
    pub done: bool,
    /// In words.
    pub text: String,
}

/// What came of the form, by the store.
#[cfg(feature = "ssr")]
pub(super) async fn told(
    console: &dyn Console,
    who: &Caller,
    terms: &SaidTerms,
) -> Result<Option<Told>, ConsoleError> {
    let words = crate::words::words();
    let zone = crate::plain::viewer().zone;
    Ok(match terms.read() {
        Said::Nothing => None,
        Said::Refused(error) => Some(Told {
            done: false,
            text: (words.after_form)(&error),
        }),
        Said::Done(request) => Some(match console.outcome(who, request).await? {
            Some(outcome) => {
                let text = (words.decide.done)(&outcome);
                Told {
                    done: true,
                    text: format!("{text} ({}).", zone.stamp(outcome.at, console.now())),
                }
            }
            None => Told {
                done: false,
                text: words.decide.not_done.to_owned(),
            },
        }),
    })
}
