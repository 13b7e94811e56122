//! Settings that several learners have: where descents start, and whether a forest teaches.

use super::params::words;

/// Where descents start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartChoice {
    /// At greedy trees.
    Greedy,
    /// At random parameters.
    Random,
    /// At greedy trees first, then at random parameters.
    Both,
}

words!(StartChoice { Greedy = "greedy", Random = "random", Both = "both" });

/// Whether a forest teaches the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Teach {
    /// No: the tree learns from the rows alone.
    Off,
    /// Yes.
    Forest,
}

words!(Teach { Off = "off", Forest = "forest" });

/// Help for learners that a forest teaches by synthetic rows.
pub(crate) const TEACH_HELP: &str = "Whether a forest teaches (forest, off): it labels synthetic rows, \
                                     recombined from the training rows, and the tree learns from both.";
