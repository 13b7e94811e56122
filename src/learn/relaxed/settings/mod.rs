//! Hyper-parameters: the [`Config`] and its checks, the declared list, the values of each recipe.

mod config;
mod context;
mod declared;
mod recipes;

pub use config::Config;
