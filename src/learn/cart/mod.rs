//! Placeholder until the learner lands.
use std::sync::Arc;

use super::{Entry, Params, Progress, Training};
use crate::encode::Design;
use crate::error::Result;
use crate::tree::{PostTransform, Tree};

/// Hyper-parameters.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {}

impl Params for Config {
    fn entries(&mut self) -> Vec<Entry<'_>> {
        vec![]
    }
}

impl Config {
    /// Checks the hyper-parameters against the data.
    pub fn check(&self, _train: &Design) -> Result<()> {
        Ok(())
    }
}

/// A run.
pub struct Growth {}

impl Growth {
    /// Begins.
    pub fn new(_config: Config, _train: Arc<Design>) -> Self {
        Growth {}
    }
}

impl Training for Growth {
    fn step(&mut self) -> Progress {
        unimplemented!()
    }
    fn progress(&self) -> Progress {
        unimplemented!()
    }
    fn current(&self) -> Tree {
        unimplemented!()
    }
    fn best(&self) -> Tree {
        unimplemented!()
    }
    fn post_transform(&self) -> PostTransform {
        unimplemented!()
    }
}
