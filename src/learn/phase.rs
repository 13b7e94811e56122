//! What a training is doing, in words with counts.

use std::fmt;

use super::Start;

/// What a training is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Phase {
    /// The work.
    pub work: Work,
    /// The rows that it is done on.
    pub on: On,
    /// How much of it is done: trees, rows or epochs.
    pub done: u32,
    /// Of how much; 0 where that is not known.
    pub of: u32,
}

/// A kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Work {
    /// Nothing has been done yet.
    #[default]
    Beginning,
    /// A plain tree grows, so that there is an answer at once.
    FirstTree,
    /// The trees grow whose answers teach another tree.
    Teachers,
    /// Rows are made up, for those trees to answer.
    MadeUpRows,
    /// A greedy tree grows, to start from or to be kept.
    Greedy,
    /// Gradient descent.
    Descent {
        /// The tree that it began at.
        from: Start,
        /// The number of this random start, counted from 1; 0 for other starts.
        number: u32,
        /// All random starts.
        of: u32,
        /// 0 for the first descent of this start; 1 for a second one, at a greater scale factor.
        run: u8,
    },
    /// The subtree below a node is searched for anew.
    Polish {
        /// The node in heap order, the root being 0.
        node: u32,
    },
    /// Held-out rows choose among the trees found.
    Choice,
    /// A tree learns from the answers of others.
    Student,
    /// Splits are improved one by one.
    Nodes,
    /// Columns that a split does not need are dropped.
    Columns,
    /// The chosen tree is fitted to all rows.
    Refit,
}

/// The rows that work is done on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum On {
    /// The training rows.
    #[default]
    Training,
    /// A part of the rows; others are held out.
    Fold {
        /// This fold, from 1.
        fold: u32,
        /// All folds.
        folds: u32,
    },
    /// Training and validation rows together: the chosen tree is made again.
    All,
    /// The same for the best tree of descent alone, which stands beside the result.
    Alone,
}

impl From<Work> for Phase {
    /// Work without counts, on the training rows.
    fn from(work: Work) -> Phase {
        Phase { work, ..Phase::default() }
    }
}

impl Phase {
    /// The same with a count.
    pub fn counted(self, done: usize, of: usize) -> Phase {
        Phase { done: done as u32, of: of as u32, ..self }
    }

    /// The same on other rows.
    pub(crate) fn on(self, on: On) -> Phase {
        Phase { on, ..self }
    }

    /// The word for programs.
    pub fn as_str(self) -> &'static str {
        match self.work {
            Work::Beginning => "beginning",
            Work::FirstTree => "first tree",
            Work::Teachers => "teachers",
            Work::MadeUpRows => "made-up rows",
            Work::Greedy => "greedy",
            Work::Descent { .. } => "descent",
            Work::Polish { .. } => "polish",
            Work::Choice => "choice",
            Work::Student => "student",
            Work::Nodes => "nodes",
            Work::Columns => "columns",
            Work::Refit => "refit",
        }
    }

    fn work(self) -> String {
        let Phase { done, of, .. } = self;
        let counted = |what: &str| if of > 0 { format!("{what}: {done} of {of}") } else { what.to_owned() };
        match self.work {
            Work::Beginning => "beginning".into(),
            Work::FirstTree => "growing a first tree".into(),
            Work::Teachers if of == 0 => "growing the trees that teach".into(),
            Work::Teachers => counted(&format!("growing the {of} trees that teach")),
            Work::MadeUpRows => counted("made-up rows"),
            Work::Greedy => counted("growing a greedy tree"),
            Work::Descent { from, number, of: starts, run } => {
                let mut text = match (from, number) {
                    (Start::Random | Start::Constant, 0) => "descent".to_owned(),
                    (Start::Random | Start::Constant, _) => format!("random start {number} of {starts}"),
                    (Start::Cart, _) => "descent from CART's tree".into(),
                    (Start::Greedy, _) => "descent from a greedy tree".into(),
                    (Start::GreedyOblique, _) => "descent from a greedy oblique tree".into(),
                };
                if run > 0 {
                    text.push_str(", second run");
                }
                match (done, of) {
                    (0, _) => {}
                    (done, 0) => text.push_str(&format!(", epoch {done}")),
                    (done, of) => text.push_str(&format!(", epoch {done} of {of}")),
                }
                text
            }
            Work::Polish { node } => format!("searching anew below node {}", node + 1),
            Work::Choice => counted("choosing by validation"),
            Work::Student => "a tree learns from the others' answers".into(),
            Work::Nodes => "improving splits one by one".into(),
            Work::Columns => "dropping columns that are not needed".into(),
            Work::Refit => "refitting on all rows".into(),
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.work())?;
        match self.on {
            On::Training => Ok(()),
            On::Fold { folds: 1, .. } => Ok(()),
            On::Fold { fold, folds } => write!(f, " (fold {fold} of {folds})"),
            On::All if self.work == Work::Refit => Ok(()),
            On::All => f.write_str(" (refitting on all rows)"),
            On::Alone => f.write_str(" (descent alone)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_named_with_its_counts() {
        let teachers = Phase::from(Work::Teachers).counted(12, 50);
        assert_eq!(teachers.to_string(), "growing the 50 trees that teach: 12 of 50");
        let fold = teachers.on(On::Fold { fold: 2, folds: 5 });
        assert_eq!(fold.to_string(), "growing the 50 trees that teach: 12 of 50 (fold 2 of 5)");
        assert_eq!(Phase::from(Work::Refit).on(On::All).to_string(), "refitting on all rows");
        let descent = |from, number| Phase::from(Work::Descent { from, number, of: 7, run: 0 });
        assert_eq!(descent(Start::Random, 3).to_string(), "random start 3 of 7");
        assert_eq!(descent(Start::Random, 3).counted(12, 0).to_string(), "random start 3 of 7, epoch 12");
        let greedy = descent(Start::Greedy, 0).counted(3, 6);
        assert_eq!(greedy.to_string(), "descent from a greedy tree, epoch 3 of 6");
        assert_eq!(
            greedy.on(On::All).to_string(),
            "descent from a greedy tree, epoch 3 of 6 (refitting on all rows)"
        );
    }
}
