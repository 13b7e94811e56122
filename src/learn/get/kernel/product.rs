//! The matrix product of the soft pass, `C += A·B`, all three row-major.
//!
//! Both products of an epoch have this form: scores `U = W X` with samples side by side, and the gradient
//! `dW = dU Xᵀ` with features side by side; the samples are kept in both layouts. Four rows of A meet eight
//! columns of B in registers. The order of the sum over k is that of the loop, so the bits are the same in
//! every build. nalgebra's own product is not used: natively it picks a fused kernel at run time, which
//! rounds otherwise.

use crate::learn::get::kernel::exponential::Exponential;
use crate::numeric::four::Four;

/// Rows of A in one tile.
const ROWS: usize = 4;
/// Columns of B in one tile; what is left of a row is a multiple of half of it.
const COLUMNS: usize = 8;

/// Adds to each row `r` in `rows` of C (stride `n`) the product of row `r` of A (stride `k`) and B (K × `n`).
///
/// * `a` (M × k), of which the first K columns count
/// * `b` (K × n), `n` a multiple of 4
/// * `c` (M × n)
pub fn add_product<R: Exponential>(rows: &[usize], a: &[R], k: usize, b: &[R], n: usize, c: &mut [R]) {
    product::<R, true>(rows, a, k, b, n, c);
}

/// The same, in the place of what was in C.
pub fn set_product<R: Exponential>(rows: &[usize], a: &[R], k: usize, b: &[R], n: usize, c: &mut [R]) {
    product::<R, false>(rows, a, k, b, n, c);
}

#[inline(always)]
fn product<R: Exponential, const ADD: bool>(
    rows: &[usize],
    a: &[R],
    k: usize,
    b: &[R],
    n: usize,
    c: &mut [R],
) {
    debug_assert!(n.is_multiple_of(COLUMNS / 2) && b.len().is_multiple_of(n) && b.len() / n <= k);
    for group in rows.chunks(ROWS) {
        let mut from = 0;
        while from < n {
            let wide = n - from >= COLUMNS;
            match (group.len() == ROWS, wide) {
                (true, true) => tile::<R, ROWS, 2, ADD>(group, a, k, b, n, from, c),
                (true, false) => tile::<R, ROWS, 1, ADD>(group, a, k, b, n, from, c),
                (false, true) => {
                    group.chunks(1).for_each(|row| tile::<R, 1, 2, ADD>(row, a, k, b, n, from, c))
                }
                (false, false) => {
                    group.chunks(1).for_each(|row| tile::<R, 1, 1, ADD>(row, a, k, b, n, from, c));
                }
            }
            from += if wide { COLUMNS } else { COLUMNS / 2 };
        }
    }
}

/// Rows × `Q` quadruples of columns, from column `from` on.
#[inline(always)]
fn tile<R: Exponential, const M: usize, const Q: usize, const ADD: bool>(
    rows: &[usize],
    a: &[R],
    k: usize,
    b: &[R],
    n: usize,
    from: usize,
    c: &mut [R],
) {
    let depth = b.len() / n;
    let lines: [&[R]; M] = std::array::from_fn(|r| &a[rows[r] * k..rows[r] * k + depth]);
    let mut sums = [[R::Four::splat(R::ZERO); Q]; M];
    for (at, line) in b.chunks_exact(n).enumerate() {
        let (line, _) = line[from..from + 4 * Q].as_chunks::<4>();
        let line: [R::Four; Q] = std::array::from_fn(|q| R::Four::load(&line[q]));
        for r in 0..M {
            let factor = R::Four::splat(lines[r][at]);
            for q in 0..Q {
                sums[r][q] = sums[r][q].plus_product(factor, line[q]);
            }
        }
    }
    for r in 0..M {
        let (out, _) = c[rows[r] * n + from..rows[r] * n + from + 4 * Q].as_chunks_mut::<4>();
        for q in 0..Q {
            if !ADD {
                out[q] = [R::ZERO; 4];
            }
            sums[r][q].add_to(&mut out[q]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Random;

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn tiles_of_every_shape_agree_with_the_definition() {
        let mut random = Random::new(5);
        for (m, k, depth, n) in [(1, 1, 1, 4), (3, 5, 5, 8), (4, 12, 11, 12), (9, 64, 64, 20), (13, 3, 3, 64)]
        {
            let mut draw = |count: usize| (0..count).map(|_| random.normal()).collect::<Vec<f64>>();
            let (a, b, before) = (draw(m * k), draw(depth * n), draw(m * n));
            // Every row but one.
            let rows: Vec<usize> = (0..m).filter(|&row| row != 7).collect();
            let mut c = before.clone();
            add_product(&rows, &a, k, &b, n, &mut c);
            for row in 0..m {
                for column in 0..n {
                    let product: f64 = (0..depth).map(|at| a[row * k + at] * b[at * n + column]).sum();
                    let expected = before[row * n + column] + if row == 7 { 0.0 } else { product };
                    assert!((c[row * n + column] - expected).abs() < 1e-12);
                }
            }
        }
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn lanes_round_as_single_numbers_do_in_the_order_of_the_loop() {
        let mut random = Random::new(6);
        let (m, k, depth, n) = (9, 12, 11, 20);
        let mut draw = |count: usize| (0..count).map(|_| random.normal() as f32).collect::<Vec<f32>>();
        let (a, b, before) = (draw(m * k), draw(depth * n), draw(m * n));
        let rows: Vec<usize> = (0..m).collect();
        let (mut added, mut set) = (before.clone(), before.clone());
        add_product(&rows, &a, k, &b, n, &mut added);
        set_product(&rows, &a, k, &b, n, &mut set);
        for row in 0..m {
            for column in 0..n {
                let mut sum = 0.0f32;
                for at in 0..depth {
                    sum += a[row * k + at] * b[at * n + column];
                }
                let at = row * n + column;
                assert_eq!(
                    (set[at].to_bits(), added[at].to_bits()),
                    (sum.to_bits(), (before[at] + sum).to_bits())
                );
            }
        }
    }
}
