//! Backward elimination of the columns of a fit: the order of removal, and the fit without each.

use super::{Factor, LeastSquares, Logistic};

/// A fit with fewer and fewer columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Elimination {
    /// Positions of the columns, the most useful first. The last one can be removed at the lowest cost, then
    /// the one before it, and so on. Of redundant columns, all but one come last.
    pub order: Vec<usize>,
    /// The coefficients with 0, 1, … of these columns; the other coefficients are 0.
    pub models: Vec<Vec<f64>>,
}

impl Elimination {
    /// Starts from a solution and the Cholesky factor of its Hessian. The first `columns` coefficients belong
    /// to columns; a constant after them stays.
    ///
    /// The loss is approximated as quadratic around the solution, as in the optimal brain surgeon (Hassibi
    /// and Stork, 1993). With V the inverse of the Hessian, removing a column costs `k² / (2 V)`. The other
    /// coefficients move by a multiple of its row of V, so no sample is read again. For least squares this is
    /// exact.
    pub fn of(model: &[f64], factor: &Factor, columns: usize) -> Elimination {
        let width = model.len();
        let (mut model, mut inverse) = (model.to_vec(), factor.inverse());
        // The remaining columns, then the constant.
        let mut left: Vec<usize> = (0..width).collect();
        let (mut order, mut models) = (vec![], vec![model.clone()]);
        for count in (1..=columns).rev() {
            let worth = |j: usize| model[j] * model[j] / inverse[j * width + j];
            let least =
                (1..count).fold(0, |least, i| if worth(left[i]) < worth(left[least]) { i } else { least });
            let gone = left.remove(least);
            order.push(gone);
            let line = inverse[gone * width..][..width].to_vec();
            let (k, v) = (model[gone] / line[gone], line[gone]);
            for &j in &left {
                model[j] -= k * line[j];
                for &i in &left {
                    inverse[j * width + i] -= line[j] * line[i] / v;
                }
            }
            model[gone] = 0.0;
            models.push(model.clone());
        }
        order.reverse();
        models.reverse();
        Elimination { order, models }
    }
}

impl LeastSquares {
    /// Backward elimination from the last fit's features; `None` if that fit was a mean.
    pub fn elimination(&self) -> Option<Elimination> {
        self.solution().map(|(model, factor)| Elimination::of(model, factor, model.len()))
    }
}

impl Logistic {
    /// Backward elimination from the last fit's columns; `None` if there was no fit.
    pub fn elimination(&self) -> Option<Elimination> {
        self.solution().map(|(model, factor)| Elimination::of(model, factor, model.len() - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::random::Random;

    /// Eliminating columns gives the same coefficients as a fit to the remaining columns alone.
    #[test]
    fn fewer_columns_of_least_squares_are_their_own_fit() {
        let mut random = Random::new(6);
        let rows: Vec<([f64; 5], f64)> = (0..200)
            .map(|_| {
                let x: [f64; 5] = std::array::from_fn(|_| random.uniform());
                (x, 3.0 * x[1] - 2.0 * x[4] + 0.5 * x[0] + 0.05 * x[2] + 0.1 * random.normal())
            })
            .collect();
        let given = || rows.iter().map(|(x, y)| (&x[..], *y, 1.0));
        let mut normal = LeastSquares::new(&[true; 5]);
        assert!(normal.elimination().is_none(), "nothing was fitted");
        normal.fit(given, [1e-12, 0.0], 0.0, 0.0);
        let Elimination { order, models } = normal.elimination().unwrap();
        assert_eq!(order[..3], [1, 4, 0]);
        assert_eq!(models.len(), 6);
        for (count, model) in models.iter().enumerate() {
            let allowed: Vec<bool> = (0..5).map(|column| order[..count].contains(&column)).collect();
            let alone = LeastSquares::new(&allowed).fit(given, [1e-12, 0.0], 0.0, 0.0).to_vec();
            assert!(
                model.iter().zip(&alone).all(|(a, b)| (a - b).abs() < 1e-8),
                "{count}: {model:?} {alone:?}"
            );
        }
    }

    #[test]
    fn a_column_that_another_stands_for_is_needed_least() {
        let mut random = Random::new(8);
        let rows: Vec<([f64; 4], f64)> = (0..500)
            .map(|_| {
                let [a, b, c] = [random.uniform(), random.uniform(), random.uniform()];
                let x = [a, b, a + 0.02 * random.normal(), c];
                let side = if a + b + 0.1 * c + 0.3 * random.normal() > 1.05 { 1.0 } else { -1.0 };
                (x, side)
            })
            .collect();
        let given = || rows.iter().map(|(x, number)| (&x[..], *number));
        let mut logistic = Logistic::default();
        assert!(Logistic::default().elimination().is_none(), "nothing was fitted");
        logistic.fit(given, &[0, 1, 2, 3], 0.01);
        let order = logistic.elimination().unwrap().order;
        assert!(order[..2].contains(&1), "{order:?}");
        assert!(order[..2].contains(&0) || order[..2].contains(&2), "{order:?}");
        let mut all = order.clone();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    }
}
