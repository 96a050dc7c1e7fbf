//! What a language model was asked to read and wrote, in tokens. Must never hold a price: those change, counts do not.

use serde::{Deserialize, Serialize};

/// Tokens of one or several calls of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Read by the model, those from its provider's cache included.
    pub input: u64,
    /// Of those, read from its provider's cache.
    #[serde(skip_serializing_if = "is_default")]
    pub cached: u64,
    /// Written by the model, its reasoning included.
    pub output: u64,
    /// Whether a part of it is our own estimate: a stream that was cut tells no count.
    #[serde(skip_serializing_if = "is_default")]
    pub estimated: bool,
}

impl Usage {
    /// Whether no model was asked.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            output: self.output.saturating_add(other.output),
            estimated: self.estimated || other.estimated,
        }
    }
}

/// Whether serde may leave the value out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_makes_the_sum_an_estimate() {
        let told = Usage {
            input: 10,
            cached: 4,
            output: 3,
            estimated: false,
        };
        let guessed = Usage {
            output: 5,
            estimated: true,
            ..Usage::default()
        };
        let sum = Usage {
            input: 10,
            cached: 4,
            output: 8,
            estimated: true,
        };
        assert_eq!(told.plus(guessed), sum);
        assert!(Usage::default().is_none() && !sum.is_none());
    }

    #[test]
    fn what_is_missing_in_an_old_event_counts_as_none() {
        assert_eq!(
            serde_json::from_str::<Usage>("{}").ok(),
            Some(Usage::default())
        );
    }
}
