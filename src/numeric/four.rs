//! Four numbers side by side, for sums of products.
//!
//! The page's modules are built at optimisation level 2, where the compiler does not vectorise arrays: a tile
//! of numbers became single multiplications. So in WebAssembly the SIMD register is explicit. Natively, at
//! level 3, an array is enough. Both round after every operation, so the bits are the same.

use super::Real;

/// Four numbers.
pub trait Four<R>: Copy {
    /// Loads from memory.
    fn load(from: &[R; 4]) -> Self;

    /// The same number four times.
    fn splat(number: R) -> Self;

    /// `self + a · b`, rounded after the product and after the sum.
    fn plus_product(self, a: Self, b: Self) -> Self;

    /// Stores to memory.
    fn store(self, to: &mut [R; 4]);

    /// Adds to four numbers in memory.
    fn add_to(self, to: &mut [R; 4]);
}

impl<R: Real> Four<R> for [R; 4] {
    #[inline(always)]
    fn load(from: &[R; 4]) -> Self {
        *from
    }

    #[inline(always)]
    fn splat(number: R) -> Self {
        [number; 4]
    }

    #[inline(always)]
    fn plus_product(mut self, a: Self, b: Self) -> Self {
        for w in 0..4 {
            self[w] += a[w] * b[w];
        }
        self
    }

    #[inline(always)]
    fn store(self, to: &mut [R; 4]) {
        *to = self;
    }

    #[inline(always)]
    fn add_to(self, to: &mut [R; 4]) {
        for w in 0..4 {
            to[w] += self[w];
        }
    }
}

/// Four f32 in the form that is fastest on this target.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub type FourF32 = [f32; 4];

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use register::FourF32;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod register {
    use std::arch::wasm32::{f32x4, f32x4_add, f32x4_extract_lane as lane, f32x4_mul, f32x4_splat, v128};

    use super::Four;

    /// A SIMD register of four f32.
    #[derive(Debug, Clone, Copy)]
    pub struct FourF32(v128);

    impl Four<f32> for FourF32 {
        #[inline(always)]
        fn load(from: &[f32; 4]) -> Self {
            // The compiler turns these four into one load.
            FourF32(f32x4(from[0], from[1], from[2], from[3]))
        }

        #[inline(always)]
        fn splat(number: f32) -> Self {
            FourF32(f32x4_splat(number))
        }

        #[inline(always)]
        fn plus_product(self, a: Self, b: Self) -> Self {
            FourF32(f32x4_add(self.0, f32x4_mul(a.0, b.0)))
        }

        #[inline(always)]
        fn store(self, to: &mut [f32; 4]) {
            *to = [lane::<0>(self.0), lane::<1>(self.0), lane::<2>(self.0), lane::<3>(self.0)];
        }

        #[inline(always)]
        fn add_to(self, to: &mut [f32; 4]) {
            FourF32(f32x4_add(FourF32::load(to).0, self.0)).store(to);
        }
    }
}
