//! What the recipe `espalier` adds to the published algorithm.
//!
//! | room | holds |
//! | --- | --- |
//! | [`along`] | samples along a direction, for all searches for planes |
//! | [`search`] | the search as changes to the published one: batches, closed leaves, one annealed run, further starts |
//! | [`greedy_oblique`] | greedy oblique trees to start from, whose columns have a price |
//! | [`node_refinement`] | planes improved one by one on the hard tree (tree alternating optimisation) |
//! | [`selection`] | which tree, how many levels and how much shrinkage: by validation, or by folds where samples are few |
//! | [`shrinkage`] | leaves drawn towards their parents |
//! | [`distillation`] | one tree that learns from the mean of the others and of a forest, at synthetic samples too |
//! | [`fewer_columns`] | columns that a split can do without are dropped; validation says how readily |
//! | [`context`] | what all parts of a training share |
//! | [`stages`] | everything after the starts, as a list of stages |
//!
//! `--set refine=off`, `teach=off`, `spare=0` and `polish=off` switch them off one by one; the recipe
//! `published` has none.

pub(super) mod along;
pub(super) mod context;
pub(super) mod distillation;
pub(super) mod fewer_columns;
pub(super) mod greedy_oblique;
pub(super) mod node_refinement;
pub(super) mod search;
pub(super) mod selection;
pub(super) mod shrinkage;
pub(super) mod stages;
