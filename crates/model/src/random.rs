//! The one source of randomness: xoshiro256** with our own ranges and shuffles.
//!
//! Libraries may change how they turn random words into ranges; then a stored campaign seed would mean another
//! campaign. So only the named generator is taken from a library, and golden tests pin everything on top of it.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;

/// A deterministic stream of random choices.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256StarStar);

impl Random {
    /// The stream of one case of one campaign. Streams of different cases are independent.
    pub fn for_case(campaign_seed: u64, case_number: u64) -> Random {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&campaign_seed.to_le_bytes());
        hasher.update(&case_number.to_le_bytes());
        Random(Xoshiro256StarStar::from_seed(*hasher.finalize().as_bytes()))
    }

    /// A stream of its own, split off this one, so that its use does not shift the choices made here.
    pub fn split(&mut self) -> Random {
        Random(Xoshiro256StarStar::seed_from_u64(self.word()))
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`, without bias (Lemire's multiplication with rejection); 0 when `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        if bound == 0 {
            return 0;
        }
        loop {
            let product = u128::from(self.word()) * u128::from(bound);
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as usize;
            }
        }
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `percent` of 100 draws.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A fair coin.
    pub fn coin(&mut self) -> bool {
        self.word() >> 63 == 1
    }

    /// One element, or none of an empty slice.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Shuffles in place (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values: a change here changes the meaning of every stored campaign seed.
    #[test]
    fn the_streams_are_pinned() {
        let mut random = Random::for_case(1, 2);
        let words: Vec<usize> = (0..8).map(|_| random.below(1000)).collect();
        assert_eq!(words, GOLDEN_BELOW);
        let mut items: Vec<usize> = (0..8).collect();
        random.shuffle(&mut items);
        assert_eq!(items, GOLDEN_SHUFFLE);
    }
    const GOLDEN_BELOW: [usize; 8] = [656, 890, 504, 701, 262, 986, 97, 668];
    const GOLDEN_SHUFFLE: [usize; 8] = [7, 3, 4, 5, 6, 1, 2, 0];

    #[test]
    fn bounds_are_kept_and_every_value_is_reached() {
        let mut random = Random::for_case(7, 0);
        let mut seen = [0u32; 6];
        for _ in 0..6000 {
            seen[random.below(6)] += 1;
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.choose::<u8>(&[]), None);
        assert!((3..=5).contains(&random.between(3, 5)));
    }

    #[test]
    fn a_split_stream_leaves_the_parent_in_step() {
        let (mut one, mut two) = (Random::for_case(1, 1), Random::for_case(1, 1));
        let mut branch = one.split();
        branch.word();
        two.split();
        assert_eq!(one.word(), two.word());
    }
}
