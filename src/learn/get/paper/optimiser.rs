//! AdamW and its learning rate over a run (Algorithm 1, lines 7 and 8). Each run begins with an empty state.

use crate::numeric::Real;

/// AdamW (Loshchilov and Hutter, 2019) in PyTorch's form: `θ ← θ (1 − lr·wd)`, then
/// `θ ← θ − lr m̂ / (√v̂ + ε)`.
#[derive(Debug, Clone)]
pub struct AdamW<R> {
    decay: f64,
    /// β₁ᵗ and β₂ᵗ.
    powers: [f64; 2],
    m: Vec<R>,
    v: Vec<R>,
}

impl<R: Real> AdamW<R> {
    /// β₁ and β₂.
    const BETA: [f64; 2] = [0.9, 0.999];
    const EPSILON: f64 = 1e-8;
    /// The library's default, which the authors' program does not change.
    pub const DECAY: f64 = 0.01;

    /// An optimiser for a number of parameters.
    pub fn new(parameters: usize, decay: f64) -> Self {
        AdamW { decay, powers: [1.0; 2], m: vec![R::ZERO; parameters], v: vec![R::ZERO; parameters] }
    }

    /// One step with a learning rate.
    pub fn step(&mut self, theta: &mut [R], gradient: &[R], rate: f64) {
        self.powers[0] *= Self::BETA[0];
        self.powers[1] *= Self::BETA[1];
        let shrink = R::from_f64(1.0 - rate * self.decay);
        // θ − lr m̂/(√v̂ + ε) with the corrections taken out of the loop.
        let root = (1.0 - self.powers[1]).sqrt();
        let rate = R::from_f64(rate * root / (1.0 - self.powers[0]));
        let epsilon = R::from_f64(Self::EPSILON * root);
        let [keep_1, keep_2] = Self::BETA.map(R::from_f64);
        let [take_1, take_2] = Self::BETA.map(|beta| R::from_f64(1.0 - beta));
        for (((theta, &g), m), v) in theta.iter_mut().zip(gradient).zip(&mut self.m).zip(&mut self.v) {
            *m = keep_1 * *m + take_1 * g;
            *v = keep_2 * *v + take_2 * (g * g);
            *theta = *theta * shrink - rate * *m / (v.sqrt() + epsilon);
        }
    }
}

/// The learning rate at step `e` of `steps`: up in a line over the first eleven steps, then half a cosine
/// down. There is one cycle and no restart, though the scheduler of the authors' program could make some.
///
/// `lo + (hi − lo) e/11` up to step 11, then `lo + (hi − lo) (1 + cos(π (e − 11)/(E − 10))) / 2`.
pub fn one_cycle(e: usize, steps: usize, hi: f64) -> f64 {
    const LO: f64 = 1e-6;
    const WARM: usize = 11;
    let share = if e <= WARM {
        e as f64 / WARM as f64
    } else {
        let period = (steps + 1).saturating_sub(WARM).max(1) as f64;
        (1.0 + libm::cos(std::f64::consts::PI * (e - WARM) as f64 / period)) / 2.0
    };
    LO + (hi - LO) * share
}
