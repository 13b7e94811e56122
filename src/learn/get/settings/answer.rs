//! What the leaves of a tree answer with.

use serde::{Deserialize, Serialize};

/// What the leaves of a tree answer with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// A number `h_l`: GET.
    Constant,
    /// A linear model `k_l·x + h_l`: GET-Linear.
    Linear,
    /// A share for each of so many classes, which the paper does not have.
    Classes(usize),
}

impl Answer {
    /// Numbers per leaf.
    pub fn numbers(self, width: usize) -> usize {
        match self {
            Answer::Constant => 1,
            Answer::Linear => width,
            Answer::Classes(classes) => classes,
        }
    }
}
