//! Seeded randomness: the generator is Xoshiro256++, and every distribution is our own plain arithmetic. A
//! seed gives the same numbers on every machine and with every later version of a library.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// A seeded generator.
#[derive(Debug, Clone)]
pub struct Random {
    generator: Xoshiro256PlusPlus,
    /// The second number of the last pair that [`Random::normal`] drew.
    spare: Option<f64>,
}

impl Random {
    /// Creates the generator of a seed.
    pub fn new(seed: u64) -> Self {
        Random { generator: Xoshiro256PlusPlus::seed_from_u64(seed), spare: None }
    }

    /// Creates a generator for one purpose. Streams of one seed are independent, so drawing more numbers for
    /// one purpose does not change those of another.
    pub fn stream(seed: u64, purpose: &str) -> Self {
        // FNV-1a of the purpose's bytes, then one round of mixing with the seed.
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for byte in purpose.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let mixed = Random::new(seed).bits() ^ hash;
        Random::new(mixed)
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number in [0, 1), one of 2^53 evenly spaced ones.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number in [`low`, `high`).
    pub fn uniform_in(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// A uniformly random whole number below `bound`.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "no number is below 0");
        let bound = bound as u64;
        // Bits beyond the last full multiple of the bound would favour small numbers, so they are drawn
        // again.
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let bits = self.bits();
            if bits < limit {
                return (bits % bound) as usize;
            }
        }
    }

    /// A standard normal number, by Marsaglia's polar method.
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (a, b) = (self.uniform_in(-1.0, 1.0), self.uniform_in(-1.0, 1.0));
            let square = a * a + b * b;
            if square > 0.0 && square < 1.0 {
                let stretch = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(b * stretch);
                return a * stretch;
            }
        }
    }

    /// Shuffles the items uniformly (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// The numbers 0 to `n - 1` in random order.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        self.shuffle(&mut order);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A seed printed in a report must give the same run years later.
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn the_first_numbers_of_a_seed_stay() {
        let mut random = Random::new(0);
        // Computed independently of this code, from the generator's definition.
        assert_eq!(random.bits(), 5_987_356_902_031_041_503);
        assert_eq!(
            [random.uniform(), random.uniform_in(-2.0, 2.0)],
            [0.38223929651167343, -0.5615311694105789]
        );
        assert_eq!([random.normal(), random.normal()], [-0.3041612794023598, -0.0029447921057793743]);
        assert_eq!(Random::new(7).permutation(8), [4, 3, 0, 7, 1, 2, 6, 5]);
        assert_eq!(Random::stream(7, "order").bits(), 11_440_119_655_217_190_783);
        assert_ne!(Random::stream(7, "order").bits(), Random::stream(7, "leaf").bits());
        assert_ne!(Random::stream(7, "order").bits(), Random::stream(8, "order").bits());
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn numbers_fall_where_they_should() {
        let mut random = Random::new(3);
        let n = 20_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut counts = [0usize; 5];
        for _ in 0..n {
            let x = random.normal();
            sum += x;
            squares += x * x;
            counts[random.below(5)] += 1;
            let u = random.uniform();
            assert!((0.0..1.0).contains(&u));
        }
        // Five standard deviations of each statistic.
        assert!((sum / n as f64).abs() < 5.0 / (n as f64).sqrt());
        assert!((squares / n as f64 - 1.0).abs() < 5.0 * (2.0 / n as f64).sqrt());
        for count in counts {
            assert!((count as f64 - 4000.0).abs() < 5.0 * 56.6, "{counts:?}");
        }
        let mut order = random.permutation(100);
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
    }
}
