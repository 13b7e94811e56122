//! The predictor f, which reads the traversal.
//!
//! By default it is a linear function of z alone, so that the tree is the whole model. With `[x; z]` it sees
//! the columns too, as in the published experiments. Then the tree is only a part of the model, and reading
//! it hard loses the other part.

/// The predictors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Predictor {
    /// Linear in z.
    Traversal,
    /// Linear in `[x; z]`.
    Linear,
    /// A hidden layer of [`HIDDEN`] units with ELU on `[x; z]`, then linear.
    Mlp,
}

crate::learn::words!(Predictor { Traversal = "traversal", Linear = "linear", Mlp = "mlp" });

/// Units of the hidden layer: the first width of the released program.
pub const HIDDEN: usize = 64;

/// Buffers of a predictor.
#[derive(Debug, Clone, Default)]
pub struct Hidden {
    /// Before and after the activation.
    sums: Vec<f64>,
    units: Vec<f64>,
    back: Vec<f64>,
}

impl Predictor {
    /// How many numbers it has: `V` (T × C), then `U` (F × C) for linear, and a constant (C); for the hidden
    /// layer weights (T + F × H, an input after another), constants (H), then (H × C) and (C).
    pub fn numbers(self, features: usize, nodes: usize, outputs: usize) -> usize {
        match self {
            Predictor::Traversal => (nodes + 1) * outputs,
            Predictor::Linear => (nodes + features + 1) * outputs,
            Predictor::Mlp => (nodes + features + 1) * HIDDEN + (HIDDEN + 1) * outputs,
        }
    }

    /// The raw outputs u (C) for a sample.
    ///
    /// * `node`, `z`   the sample's entries
    /// * `x` (F)       the sample
    pub fn forward(
        self,
        p: &[f64],
        nodes: usize,
        node: &[u32],
        z: &[f64],
        x: &[f32],
        hidden: &mut Hidden,
        u: &mut [f64],
    ) {
        let (c, f) = (u.len(), x.len());
        match self {
            Predictor::Traversal | Predictor::Linear => {
                u.copy_from_slice(&p[p.len() - c..]);
                for (&t, &z) in node.iter().zip(z) {
                    add(u, z, &p[t as usize * c..][..c]);
                }
                if self == Predictor::Linear {
                    for (j, &x) in x.iter().enumerate() {
                        add(u, f64::from(x), &p[(nodes + j) * c..][..c]);
                    }
                }
            }
            Predictor::Mlp => {
                let constants = (nodes + f) * HIDDEN;
                hidden.sums.clear();
                hidden.sums.extend_from_slice(&p[constants..constants + HIDDEN]);
                for (&t, &z) in node.iter().zip(z) {
                    add(&mut hidden.sums, z, &p[t as usize * HIDDEN..][..HIDDEN]);
                }
                for (j, &x) in x.iter().enumerate() {
                    add(&mut hidden.sums, f64::from(x), &p[(nodes + j) * HIDDEN..][..HIDDEN]);
                }
                hidden.units.clear();
                hidden.units.extend(hidden.sums.iter().map(|&s| if s > 0.0 { s } else { libm::expm1(s) }));
                let last = constants + HIDDEN;
                u.copy_from_slice(&p[p.len() - c..]);
                for (h, &unit) in hidden.units.iter().enumerate() {
                    add(u, unit, &p[last + h * c..][..c]);
                }
            }
        }
    }

    /// Gradients of the predictor's numbers (added to `d_p`) and of z, after [`Predictor::forward`] on the
    /// same sample.
    pub fn backward(
        self,
        p: &[f64],
        nodes: usize,
        node: &[u32],
        z: &[f64],
        x: &[f32],
        hidden: &mut Hidden,
        d_u: &[f64],
        d_p: &mut [f64],
        d_z: &mut [f64],
    ) {
        let (c, f, end) = (d_u.len(), x.len(), p.len());
        add(&mut d_p[end - c..], 1.0, d_u);
        match self {
            Predictor::Traversal | Predictor::Linear => {
                for ((&t, &z), d_z) in node.iter().zip(z).zip(d_z) {
                    let at = t as usize * c;
                    *d_z = inner(&p[at..at + c], d_u);
                    add(&mut d_p[at..at + c], z, d_u);
                }
                if self == Predictor::Linear {
                    for (j, &x) in x.iter().enumerate() {
                        add(&mut d_p[(nodes + j) * c..][..c], f64::from(x), d_u);
                    }
                }
            }
            Predictor::Mlp => {
                let constants = (nodes + f) * HIDDEN;
                let last = constants + HIDDEN;
                hidden.back.clear();
                for h in 0..HIDDEN {
                    let at = last + h * c;
                    let slope = if hidden.sums[h] > 0.0 { 1.0 } else { hidden.units[h] + 1.0 };
                    hidden.back.push(slope * inner(&p[at..at + c], d_u));
                    add(&mut d_p[at..at + c], hidden.units[h], d_u);
                }
                add(&mut d_p[constants..last], 1.0, &hidden.back);
                for ((&t, &z), d_z) in node.iter().zip(z).zip(d_z) {
                    let at = t as usize * HIDDEN;
                    *d_z = inner(&p[at..at + HIDDEN], &hidden.back);
                    add(&mut d_p[at..at + HIDDEN], z, &hidden.back);
                }
                for (j, &x) in x.iter().enumerate() {
                    add(&mut d_p[(nodes + j) * HIDDEN..][..HIDDEN], f64::from(x), &hidden.back);
                }
            }
        }
    }

    /// How the first numbers are drawn: bounds of a uniform draw by position, 0 for constants.
    pub fn start_bound(self, at: usize, features: usize, nodes: usize, outputs: usize) -> f64 {
        let inputs = match self {
            Predictor::Traversal => nodes,
            Predictor::Linear | Predictor::Mlp => nodes + features,
        };
        match self {
            Predictor::Traversal | Predictor::Linear if at < inputs * outputs => 1.0 / (inputs as f64).sqrt(),
            Predictor::Mlp if at < inputs * HIDDEN => 1.0 / (inputs as f64).sqrt(),
            Predictor::Mlp if (0..HIDDEN * outputs).contains(&(at.wrapping_sub((inputs + 1) * HIDDEN))) => {
                1.0 / (HIDDEN as f64).sqrt()
            }
            _ => 0.0,
        }
    }
}

fn add(to: &mut [f64], times: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += times * what);
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
