//! GET.
pub mod blocks;
pub mod hard;
pub mod lane;
mod linear;
pub mod optim;
pub mod parameters;
mod product;
pub mod soft;
