//! Linear systems and the regressions that reduce to them. Sums go in, coefficients come out.
//!
//! | file | what it solves |
//! | --- | --- |
//! | `cholesky` | `A k = b` and `A⁻¹` for a symmetric positive definite A |
//! | `least_squares` | weighted ridge regression: centred normal equations |
//! | `logistic` | weighted logistic regression with a ridge penalty: Newton's method |
//! | `elimination` | backward elimination: a fit with fewer and fewer columns |
//! | `conjugate_gradients` | `A k = b` if only products with A are known |
//! | `gauss_jordan` | the inverse of a small matrix, without a factorisation |
//!
//! # What nalgebra does, and what it does not
//!
//! The same rows must give the same bits in every build, so the order of every sum is fixed.
//!
//! - nalgebra factorises. Its Cholesky subtracts products in the order of the textbook loop, so both give the
//!   same bits; a test compares them.
//! - nalgebra solves for the inverse of a factor. It works column by column, and the sums have the same
//!   order.
//! - The two triangular solves with a right-hand side are written out. `solve_lower_triangular` subtracts
//!   each product from the right-hand side at once, while the loop sums the products first. The adjoint solve
//!   uses eight accumulators from eight numbers on. Both would round differently, and trees would change in
//!   their last bits.
//! - Products of matrices are written out. nalgebra passes larger ones to `matrixmultiply`, which picks its
//!   kernel by the processor and may fuse a multiplication with an addition. Neither `Cholesky::new` nor
//!   `solve_lower_triangular` calls it.

pub mod cholesky;
mod conjugate_gradients;
mod elimination;
mod gauss_jordan;
pub mod least_squares;
mod logistic;

pub use cholesky::Factor;
pub use conjugate_gradients::conjugate_gradients;
pub use elimination::Elimination;
pub use gauss_jordan::gauss_jordan;
pub use least_squares::LeastSquares;
pub use logistic::Logistic;
