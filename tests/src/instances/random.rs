//! A splitmix64 sequence: small, seeded by hand, the same on every machine.

/// Numbers that look random and are wholly decided by the seed.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// Starts a sequence for one definition, so that its values don't change when others come or go.
    pub(super) fn new(seed: u64, name: &str) -> Self {
        // FNV-1a: the standard library's hasher promises no stable result.
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self(seed ^ hash)
    }

    /// The next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is at least 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("a usize fits 64 bits");
        usize::try_from(self.next() % end).expect("the remainder is below a usize")
    }

    /// True once in `times` draws, on average.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items of a slice that is not empty.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_splitmix64() {
        // The reference implementation's first outputs for seed 0; the empty name hashes to the
        // offset basis, so that xor brings the state to 0.
        let mut random = Random::new(0xcbf2_9ce4_8422_2325, "");
        assert_eq!(random.next(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.next(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn names_have_sequences_of_their_own() {
        assert_ne!(Random::new(1, "Tool").next(), Random::new(1, "Task").next());
    }
}
