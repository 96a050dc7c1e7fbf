//! Counts the tokens of one call, however it ends. Must never lose what a provider may charge for.

use replygate_gate::Usage;

use crate::unanswered::Unanswered;

/// Is told what each call used, when it is over.
pub(crate) type Meter<'a> = &'a (dyn Fn(Usage) + Send + Sync);

/// Bytes of text that make a token, on average, in the languages at hand. A rough figure, and flagged wherever it is used.
const BYTES_PER_TOKEN: usize = 4;

/// The tokens of one call. What the provider tells is taken; the rest is estimated from the bytes of text. Told to the
/// meter when dropped, so that a call that is given up counts too.
pub(crate) struct Count<'a> {
    meter: Meter<'a>,
    state: State,
    read_bytes: usize,
    written_bytes: usize,
    input: Option<u64>,
    cached: u64,
    output: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The other side may have begun.
    Begun,
    /// It certainly did nothing.
    Refused,
}

impl<'a> Count<'a> {
    /// A call that is about to be sent, with so many bytes of text.
    pub(crate) fn new(meter: Meter<'a>, read_bytes: usize) -> Self {
        Self {
            meter,
            state: State::Begun,
            read_bytes,
            written_bytes: 0,
            input: None,
            cached: 0,
            output: None,
        }
    }

    /// The other side refused: nothing was used.
    pub(crate) fn refused(&mut self) {
        self.state = State::Refused;
    }

    /// No answer came: whether the other side may have begun all the same.
    pub(crate) fn failed(&mut self, why: &Unanswered) {
        if matches!(why, Unanswered::Connect | Unanswered::Limited) {
            self.state = State::Refused;
        }
    }

    /// The model wrote so many bytes more.
    pub(crate) fn wrote(&mut self, bytes: usize) {
        self.written_bytes += bytes;
    }

    /// The provider tells what was read, cached tokens included.
    pub(crate) fn input(&mut self, tokens: u64, cached: u64) {
        self.input = Some(tokens);
        self.cached = cached;
    }

    /// The provider tells what was written in all.
    pub(crate) fn output(&mut self, tokens: u64) {
        self.output = Some(tokens);
    }
}

impl Drop for Count<'_> {
    fn drop(&mut self) {
        if self.state == State::Refused {
            return;
        }
        let estimate = |bytes: usize| bytes.div_ceil(BYTES_PER_TOKEN) as u64;
        (self.meter)(Usage {
            input: self.input.unwrap_or_else(|| estimate(self.read_bytes)),
            cached: self.cached,
            output: self.output.unwrap_or_else(|| estimate(self.written_bytes)),
            estimated: self.input.is_none() || self.output.is_none(),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn told(end: impl FnOnce(&mut Count<'_>)) -> Vec<Usage> {
        let seen: Mutex<Vec<Usage>> = Mutex::default();
        let meter = |usage| seen.lock().unwrap().push(usage);
        let mut count = Count::new(&meter, 400);
        end(&mut count);
        drop(count);
        seen.into_inner().unwrap()
    }

    #[test]
    fn what_the_provider_tells_is_taken() {
        let usage = told(|count| {
            count.wrote(999);
            count.input(30, 20);
            count.output(7);
        });
        let exact = Usage {
            input: 30,
            cached: 20,
            output: 7,
            estimated: false,
        };
        assert_eq!(usage, [exact]);
    }

    #[test]
    fn a_call_that_is_cut_is_estimated_and_says_so() {
        let cut = Usage {
            input: 100,
            cached: 0,
            output: 3,
            estimated: true,
        };
        assert_eq!(told(|count| count.wrote(10)), [cut]);
        let half = told(|count| {
            count.input(30, 0);
            count.wrote(10);
        });
        assert_eq!(half, [Usage { input: 30, ..cut }]);
    }

    #[test]
    fn a_refused_call_used_nothing() {
        let refused = told(|count| {
            count.wrote(10);
            count.refused();
        });
        assert_eq!(refused, []);
    }
}
