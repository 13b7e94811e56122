//! Four numbers side by side, for the matrix product.
//!
//! The release profile does not look for such quadruples by itself: a tile of numbers in arrays became single multiplications.
//! So the register is named where there surely is one, on x86-64 and in WebAssembly; elsewhere it is an array. All of them round
//! every operation alone, so the bits are the same.

use crate::numeric::Real;

/// Four numbers.
pub trait Four<R>: Copy {
    /// From memory.
    fn load(from: &[R; 4]) -> Self;

    /// The same number four times.
    fn splat(number: R) -> Self;

    /// `self + a · b`, rounded after the product and after the sum.
    fn plus_product(self, a: Self, b: Self) -> Self;

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
    fn add_to(self, to: &mut [R; 4]) {
        for w in 0..4 {
            to[w] += self[w];
        }
    }
}

/// Four f32 in the form that is quickest here.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub type FourF32 = [f32; 4];

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use register::FourF32;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod register {
    #[cfg(target_arch = "wasm32")]
    use std::arch::wasm32::{
        f32x4 as four, f32x4_add as add, f32x4_mul as mul, f32x4_splat as splat, v128 as Register,
    };
    // SSE is part of every x86-64.
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64::{
        __m128 as Register, _mm_add_ps as add, _mm_mul_ps as mul, _mm_set1_ps as splat, _mm_setr_ps as four,
    };

    use super::Four;

    /// A register of four f32.
    #[derive(Debug, Clone, Copy)]
    pub struct FourF32(Register);

    impl Four<f32> for FourF32 {
        #[inline(always)]
        fn load(from: &[f32; 4]) -> Self {
            // The compiler makes one load of these four.
            FourF32(four(from[0], from[1], from[2], from[3]))
        }

        #[inline(always)]
        fn splat(number: f32) -> Self {
            FourF32(splat(number))
        }

        #[inline(always)]
        fn plus_product(self, a: Self, b: Self) -> Self {
            FourF32(add(self.0, mul(a.0, b.0)))
        }

        #[inline(always)]
        fn add_to(self, to: &mut [f32; 4]) {
            let sum = add(FourF32::load(to).0, self.0);
            *to = numbers(sum);
        }
    }

    #[cfg(target_arch = "wasm32")]
    #[inline(always)]
    fn numbers(four: Register) -> [f32; 4] {
        use std::arch::wasm32::f32x4_extract_lane as lane;
        [lane::<0>(four), lane::<1>(four), lane::<2>(four), lane::<3>(four)]
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn numbers(four: Register) -> [f32; 4] {
        use std::arch::x86_64::{_mm_cvtss_f32 as first, _mm_shuffle_ps as turned};
        [first(four), first(turned::<1>(four, four)), first(turned::<2>(four, four)), first(turned::<3>(four, four))]
    }
}
