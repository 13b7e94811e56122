//! The backward pass through the isotonic problem: the derivative of Proposition 2's closed form.
//!
//! In a group with `0 < a_G < 1` the value is `a_G = (κ Σ_G η_t + Σ_S q) / (κ |G| + |S|)`, so with
//! `c = Σ_G ā_t / (κ |G| + |S|)`: `η̄_t += κ c` for t in G, and `q̄_it += c` for (i, t) in S. A group at 0 or
//! 1 is held by its bound and passes nothing.
//!
//! Before that, `z = clip(q, 0, a)`: where `q_it > a_t` the gradient of z goes to a_t, else to q_it.

use super::isotonic::Pruning;
use super::traversal::Traversal;

impl Pruning {
    /// Passes gradients back through the solution.
    ///
    /// * `z_bar`      gradient of each entry's traversal z
    /// * `a_bar` (T)  gradient of the pruning variables themselves; changed
    /// * `q_bar`      out: gradient of each entry's score
    /// * `eta_bar` (T)  added to: gradient of the pruning scores
    pub fn backward(
        &self,
        traversal: &Traversal,
        z_bar: &[f64],
        a_bar: &mut [f64],
        q_bar: &mut Vec<f64>,
        eta_bar: &mut [f64],
    ) {
        let entries = || traversal.node.iter().zip(&traversal.q);
        for ((&node, &q), &z_bar) in entries().zip(z_bar) {
            if q > self.a[node as usize] {
                a_bar[node as usize] += z_bar;
            }
        }
        // Σ_G ā, collected at the top of each group.
        for t in (0..self.a.len()).rev() {
            let top = self.top[t] as usize;
            if top != t {
                a_bar[top] += a_bar[t];
            }
        }
        let share = |t: usize| {
            let top = self.top[t] as usize;
            let inside = self.a[t] > 0.0 && self.a[t] < 1.0;
            if inside { a_bar[top] / self.denominator[top] } else { 0.0 }
        };
        for (t, eta_bar) in eta_bar.iter_mut().enumerate() {
            *eta_bar += self.kappa * share(t);
        }
        q_bar.clear();
        q_bar.extend(entries().zip(z_bar).map(|((&node, &q), &z_bar)| {
            let t = node as usize;
            if q > self.a[t] { share(t) } else { z_bar }
        }));
    }
}
