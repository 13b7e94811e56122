//! GET and GET-Linear: one oblique tree, trained as a soft one and read as a hard one.
//!
//! Mao, Cao: *Can a single tree outperform an entire forest?*, 2024 (gradient-based entire tree optimisation).
//!
//! Every node t of a complete tree has a plane `a_t·x <= b_t`, every leaf a constant (GET) or a linear model (GET-Linear). A
//! scaled sigmoid of the distance to the plane shares each sample between both sides; the expected loss over all leaves is
//! differentiable in everything ([`soft`]). While it is descended, the tree is also read hard, with leaves in closed form
//! ([`hard`]), and the best hard tree seen is kept. A first descent starts from CART's tree, others at random ([`start`]), each a unit
//! that may run anywhere; then subtrees are searched for anew on their own samples ([`polish`]).
//!
//! Differs from the paper:
//! - the loss is a mean over samples, as in the authors' program, where the text has a sum;
//! - classes, which the paper has not: leaves hold shares and the loss at a leaf is `−ln p`, with p in closed form;
//! - categories have no place in a weighted sum: they are asked about alone, in splits that CART's tree brought;
//! - the recipe `espalier` learns from batches with leaves in closed form and one run whose scale factor grows, chooses
//!   levels and shrinkage of leaves on validation samples ([`shrink`]), and makes the winner once more on all samples;
//! - two of its starts are greedy oblique trees whose columns have a price ([`sloped`], [`sides`]); with constant leaves and classes the
//!   tree that a descent ends with is chosen from too, not only the best one on the way, and where there are few samples the
//!   choice is made by cross-validation ([`folds`]);
//! - with linear leaves it also has trees taught by the mean of those found and of a small forest, at many made-up samples ([`lesson`]);
//!   they descend like the others and are then refined node by node ([`alternate`]), which with few samples would fit their noise;
//! - where validation is not asked (`refine=off`) the best tree is refined so too, on its training samples;
//! - splits of the finished tree keep as few columns as are enough ([`spare`]), and validation says how readily the others go
//!   ([`thrift`]);
//! - depth and λ are tuned only under the recipe `published`, and there only if no depth is set ([`tune`]);
//! - linear leaves have a ridge towards their parent's model, and the finished ones answer within bounds: the targets' range and as far
//!   again on either side ([`Bounds`](crate::tree::Bounds)), which whoever decodes the tree sets.
//!
//! Differs from the authors' program:
//! - under the recipe `published` the second scale factor is drawn from 50 to 150 as in the text; the program draws
//!   from 80 to 120;
//! - under the recipe `published` the polish of a subtree has ten starts as in the text;
//! - features and target are scaled to [0, 1], as the text assumes;
//! - below a leaf of CART's tree all leaves start with its value, not only the first;
//! - polish routes samples by the best tree, and refits the leaves of a subtree on its own samples.

pub mod alternate;
pub mod blocks;
mod choose;
mod config;
mod entries;
mod folds;
mod ground;
pub mod hard;
mod harden;
pub mod lane;
mod last;
mod lesson;
mod linear;
pub mod logistic;
pub mod multistart;
mod need;
pub mod optim;
pub mod parameters;
mod plan;
pub mod polish;
pub mod product;
mod published;
mod refine;
pub mod run;
mod school;
pub mod shrink;
mod sides;
pub mod sloped;
pub mod soft;
mod spare;
pub mod start;
mod thrift;
mod tune;
pub mod warm;

pub use config::{Choice, Config, Tune};
pub use plan::GetPlan;
pub use tune::Tuned;
