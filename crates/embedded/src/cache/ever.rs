//! Which sessions may exist: a first message of a new contact needs no look into the file. Must never deny one that does.

use replygate_gate::SessionId;

/// Bits of [`Ever`], as a power of two: one mebibyte, right for a million sessions.
const EVER_BITS: u32 = 23;

/// A Bloom filter over the identifiers, which are hashes already.
pub(crate) struct Ever {
    words: Vec<u64>,
}

impl Ever {
    pub fn new() -> Self {
        Self {
            words: vec![0; 1 << (EVER_BITS - 6)],
        }
    }

    pub fn add(&mut self, id: SessionId) {
        for bit in bits(id) {
            self.words[bit >> 6] |= 1 << (bit & 63);
        }
    }

    pub fn may_hold(&self, id: SessionId) -> bool {
        bits(id).all(|bit| self.words[bit >> 6] & (1 << (bit & 63)) != 0)
    }
}

fn bits(id: SessionId) -> impl Iterator<Item = usize> {
    (0..4).map(move |part| (id.0 >> (part * 32)) as usize & ((1 << EVER_BITS) - 1))
}
