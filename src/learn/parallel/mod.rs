//! Trainings made of independent units, and what a unit brings home.
//!
//! * `units`     what a plan and a unit are
//! * `sequence`  the units of a plan run one after another, merged with those that run elsewhere
//! * `outcome`   what a unit found, with notes in the learner's own type
//! * `moments`   trees that a unit passed through, for the film
//! * `codec`     the one form in which all of this travels between workers

mod codec;
mod moments;
mod outcome;
mod sequence;
mod units;

pub use moments::{Moment, Moments};
pub use outcome::{Brought, Found, Notes, Outcome};
pub use sequence::Sequence;
pub use units::{Once, Pace, Plan, Unit};
