//! Weighted logistic regression with a ridge penalty on some of the columns, by Newton's method in f64.

use super::Factor;
use crate::numeric::Real;

/// Newton's method stops after this many steps, or after a step that moves no coefficient by more than
/// [`STILL`].
const MOST_STEPS: usize = 6;
const STILL: f64 = 1e-3;

/// Working memory of a fit.
#[derive(Debug, Clone, Default)]
pub struct Logistic {
    /// (K + 1) × (K + 1), lower triangle.
    hessian: Vec<f64>,
    /// The gradient, then the step (K + 1).
    step: Vec<f64>,
    /// Coefficients, then the constant (K + 1).
    model: Vec<f64>,
    row: Vec<f64>,
    /// The Cholesky factor of the Hessian in the last step; `None` if it has none.
    factor: Option<Factor>,
}

impl Logistic {
    /// Fits a logistic model of a sample's class. Returns the coefficients of K columns and then the constant
    /// (K + 1).
    ///
    /// A sample is its values and a number, whose sign is its class and whose absolute value is its weight.
    /// `ridge` is added to the diagonal of the Hessian except at the constant.
    pub fn fit<'a, R: Real, I>(&mut self, rows: impl Fn() -> I, columns: &[usize], ridge: f64) -> &[f64]
    where
        I: Iterator<Item = (&'a [R], f64)>,
    {
        let width = columns.len() + 1;
        for numbers in [&mut self.step, &mut self.model, &mut self.row] {
            numbers.clear();
            numbers.resize(width, 0.0);
        }
        self.row[width - 1] = 1.0;
        for _ in 0..MOST_STEPS {
            self.hessian.clear();
            self.hessian.resize(width * width, 0.0);
            self.step.fill(0.0);
            for (x, number) in rows() {
                self.row.iter_mut().zip(columns).for_each(|(to, &column)| *to = x[column].to_f64());
                self.add(number);
            }
            for j in 0..width - 1 {
                self.step[j] += ridge * self.model[j];
                self.hessian[j * width + j] += ridge;
            }
            self.factor = Factor::of(&self.hessian, width).filter(|factor| factor.solve(&mut self.step));
            if self.factor.is_none() {
                break;
            }
            self.model.iter_mut().zip(&self.step).for_each(|(number, step)| *number -= step);
            if self.step.iter().all(|step| step.abs() < STILL) {
                break;
            }
        }
        &self.model
    }

    /// Coefficients and constant of the last fit (K + 1), and the Cholesky factor of its Hessian; `None`
    /// without a fit.
    pub fn solution(&self) -> Option<(&[f64], &Factor)> {
        self.factor.as_ref().map(|factor| (&self.model[..], factor))
    }

    /// Adds a sample, whose values are in `row`, to gradient and Hessian.
    fn add(&mut self, number: f64) {
        let width = self.row.len();
        let u: f64 = self.row.iter().zip(&self.model).map(|(x, k)| x * k).sum();
        let p = 1.0 / (1.0 + libm::exp(-u));
        let slope = number.abs() * (p - f64::from(u8::from(number > 0.0)));
        // Far from the plane the curvature vanishes; a minimum keeps steps bounded.
        let curve = number.abs() * (p * (1.0 - p)).max(1e-4);
        for j in 0..width {
            self.step[j] += slope * self.row[j];
            let scaled = curve * self.row[j];
            for (sum, x) in self.hessian[j * width..j * width + j + 1].iter_mut().zip(&self.row) {
                *sum += scaled * x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Random;

    /// The gradient of the penalised loss is zero at the solution.
    #[test]
    fn the_slope_vanishes_where_it_ends_and_other_columns_play_no_part() {
        let mut random = Random::new(3);
        let rows: Vec<([f64; 3], f64)> = (0..300)
            .map(|_| {
                let x = [random.uniform(), random.uniform(), random.uniform()];
                let side = if 2.0 * x[0] - x[2] + 0.5 * random.normal() > 0.4 { 1.0 } else { -1.0 };
                (x, side * (0.2 + random.uniform()))
            })
            .collect();
        let given = || rows.iter().map(|(x, number)| (&x[..], *number));
        let (columns, ridge) = ([0, 2], 0.5);
        let model = Logistic::default().fit(given, &columns, ridge).to_vec();
        assert!(model[0] > 0.5 && model[1] < -0.2, "{model:?}");
        let mut slope = [ridge * model[0], ridge * model[1], 0.0];
        for (x, number) in given() {
            let row = [x[0], x[2], 1.0];
            let u: f64 = row.iter().zip(&model).map(|(x, k)| x * k).sum();
            let miss = 1.0 / (1.0 + (-u).exp()) - f64::from(u8::from(number > 0.0));
            slope.iter_mut().zip(row).for_each(|(slope, x)| *slope += number.abs() * miss * x);
        }
        assert!(slope.iter().all(|slope| slope.abs() < 1e-3), "{slope:?}");
    }

    #[test]
    fn classes_that_a_plane_parts_wholly_give_numbers() {
        let rows: Vec<([f32; 1], f64)> =
            (0..20).map(|i| ([i as f32], if i < 10 { -1.0 } else { 1.0 })).collect();
        let model = Logistic::default().fit(|| rows.iter().map(|(x, n)| (&x[..], *n)), &[0], 1e-3).to_vec();
        assert!(
            model.iter().all(|k| k.is_finite()) && (9.0..10.0).contains(&(-model[1] / model[0])),
            "{model:?}"
        );
    }
}
