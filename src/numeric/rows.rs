//! Adam for the rows of a matrix, when each step touches few of them.
//!
//! Plain Adam updates every parameter in every step: one without a gradient still moves by the momentum of
//! earlier ones. In a deep tree most rows belong to nodes that no sample reaches, so nearly all of that work
//! changes nothing. Two rules skip it:
//!
//! - A row that never had a gradient has zero moments and does not move. This is exact.
//! - A row without a gradient for `REST` steps in a row goes to sleep. It would still have moved by at most
//!   `rate · Σ_k β₁^k · |m| / √v` over `k ≥ REST`. By Cauchy and Schwarz `|m| / √v` is at most 7.3 for these
//!   β. `√β₂^k` shrinks far more slowly than `β₁^k`, so the sum is below `rate · 7.3 · 10 · (β₁/√β₂)^REST`:
//!   6e-8 times the rate. A row that wakes has its moments multiplied by `β^k` for the k steps it slept, as
//!   plain Adam would have done.
//!
//! With few rows nearly all are awake, and one loop over everything is faster than one per row, so such a
//! matrix uses plain Adam.

use super::Real;
use super::optim::Adam;

/// Steps without a gradient after which a row goes to sleep.
pub(crate) const REST: u32 = 200;

/// Up to this many rows, plain Adam is faster.
const FEW: usize = 64;

/// Marks a row that never had a gradient.
const NEVER: u32 = u32::MAX;

/// Adam with sleeping rows.
#[derive(Debug, Clone)]
pub struct RowAdam<R> {
    adam: Adam<R>,
    /// Numbers per row.
    width: usize,
    /// Steps so far.
    steps: u32,
    /// For each row, the last step in which it had a gradient, counted from 1.
    touched: Vec<u32>,
    /// The rows that had a gradient and are not asleep.
    awake: Vec<u32>,
}

impl<R: Real> RowAdam<R> {
    /// For `rows` rows of `width` numbers, with a learning rate.
    pub fn new(rows: usize, width: usize, rate: f64) -> Self {
        let awake = if rows <= FEW { (0..rows as u32).collect() } else { Vec::with_capacity(rows) };
        RowAdam { adam: Adam::new(rows * width, rate), width, steps: 0, touched: vec![NEVER; rows], awake }
    }

    /// Does one step. Only the rows in `with` have a gradient; the others have zeros. [`RowAdam::awake`]
    /// lists the rows that may have moved.
    ///
    /// * `theta`, `gradient` (rows × width)
    /// * `with`  positions of rows, each once
    pub fn step(&mut self, theta: &mut [R], gradient: &[R], with: &[u32]) {
        let RowAdam { adam, width, steps, touched, awake } = self;
        if touched.len() <= FEW {
            return adam.step(theta, gradient);
        }
        *steps += 1;
        let now = *steps;
        for &row in with {
            let at = row as usize;
            if touched[at] == NEVER {
                awake.push(row);
            } else if now - touched[at] > REST + 1 {
                adam.age(at * *width..(at + 1) * *width, now - touched[at] - REST - 1);
                awake.push(row);
            }
            touched[at] = now;
        }
        let rate = adam.advance();
        awake.retain(|&row| {
            let at = row as usize;
            let range = at * *width..(at + 1) * *width;
            if touched[at] == now {
                adam.update(rate, range.clone(), &mut theta[range.clone()], &gradient[range]);
            } else if now - touched[at] <= REST {
                adam.coast(rate, range.clone(), &mut theta[range]);
            } else {
                return false;
            }
            true
        });
    }

    /// The rows that the last step may have moved.
    pub fn awake(&self) -> &[u32] {
        &self.awake
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Random;

    /// Results of plain and sparse Adam for rows that have a gradient only now and then.
    fn beside(gaps: [u32; 3]) -> (Vec<f64>, Vec<f64>) {
        let (rows, width) = (FEW + 1, 2);
        let mut random = Random::new(7);
        let mut plain = Adam::<f64>::new(rows * width, 0.05);
        let mut rowwise = RowAdam::<f64>::new(rows, width, 0.05);
        let (mut dense, mut sparse) = (vec![0.3; rows * width], vec![0.3; rows * width]);
        for step in 0..3000 {
            let with: Vec<u32> = (0..3).filter(|&row| step % gaps[row as usize] == 0).collect();
            let mut gradient = vec![0.0; rows * width];
            for &row in &with {
                for at in 0..width {
                    gradient[row as usize * width + at] = random.normal() + 0.2;
                }
            }
            plain.step(&mut dense, &gradient);
            rowwise.step(&mut sparse, &gradient, &with);
        }
        (dense, sparse)
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn rows_that_never_sleep_move_as_under_plain_adam_to_the_last_bit() {
        let (dense, sparse) = beside([1, 17, REST + 1]);
        assert_eq!(dense, sparse);
        assert!(sparse[6..].iter().all(|&value| value == 0.3), "a row without a gradient never moves");
    }

    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    #[test]
    fn rows_that_sleep_stay_within_the_bound() {
        let gaps = [1, REST + 2, 5 * REST];
        let (dense, sparse) = beside(gaps);
        let (naps, bound) = (3000.0 / f64::from(REST + 2), 6e-8 * 0.05);
        for (plain, rowwise) in dense.iter().zip(&sparse) {
            assert!((plain - rowwise).abs() <= naps * bound, "{plain} {rowwise}");
        }
        assert_ne!(dense[2..], sparse[2..], "some rows have slept");
    }
}
