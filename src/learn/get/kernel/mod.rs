//! Arithmetic of the soft pass: samples in blocks ([`blocks`]), the matrix product ([`product`]) and an
//! exponential that the compiler can vectorise ([`exponential`]).

pub mod blocks;
pub mod exponential;
pub mod product;
