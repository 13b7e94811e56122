//! Where a tree came from: the tree that it started at, who taught it, how far it descended and what it was
//! chosen by.
//!
//! Learners fill in a [`Kept`] from what they did, never from settings. It travels with every outcome, so
//! that units that ran elsewhere bring it home.

use serde::{Deserialize, Serialize};

/// The tree before any gradient moved it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Start {
    /// One answer for all rows: nothing has been learned.
    #[default]
    Constant,
    /// Random numbers.
    Random,
    /// CART's tree.
    Cart,
    /// A greedy tree with one column per split.
    Greedy,
    /// A greedy tree with weighted sums as splits.
    GreedyOblique,
}

/// What trees were compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measure {
    /// The mean loss.
    Loss,
    /// The share of rows that get the wrong class.
    Errors,
    /// Macro F1.
    MacroF1,
    /// R².
    R2,
    /// The epoch by the mean loss, and the tree by macro F1.
    LossAndMacroF1,
    /// The epoch by the mean loss, and the tree by R².
    LossAndR2,
}

/// The rows that trees were compared on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Judges {
    /// The rows that they were trained on.
    Training,
    /// The validation rows.
    Validation,
    /// Folds: each holds out a part of the rows.
    Folds {
        /// Folds that together hold out every row once.
        folds: u32,
        /// How often that was done.
        rounds: u32,
        /// Whether validation rows are among them, not only training rows.
        validation: bool,
    },
}

/// How a tree was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// What trees were compared by.
    pub by: Measure,
    /// The rows that they were compared on.
    pub on: Judges,
}

/// Where a tree came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Kept {
    /// The tree before any gradient moved it.
    pub start: Start,
    /// The unit that it comes from, counted from 1; 0 until the training has given it its number.
    pub restart: u32,
    /// Epochs of gradient descent between the start and the tree; with 0 no gradient touched it.
    pub gradient_epochs: u32,
    /// Trees whose answers were among its targets; 0 for none.
    pub taught: u32,
    /// Made-up rows that it was also grown on.
    pub synthetic_rows: u32,
    /// Subtrees that were searched for anew and replaced.
    pub polished: u32,
    /// How it was chosen; none where there was nothing to choose from.
    pub chosen: Option<Chosen>,
    /// Whether it was made again, or its leaves were, on the training and validation rows together.
    pub refitted: bool,
}

impl Start {
    /// The word in reports and files.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Start::Constant => "constant",
            Start::Random => "random",
            Start::Cart => "cart",
            Start::Greedy => "greedy",
            Start::GreedyOblique => "greedy oblique",
        }
    }
}

impl Measure {
    fn words(self) -> &'static str {
        match self {
            Measure::Loss => "loss",
            Measure::Errors => "error rate",
            Measure::MacroF1 => "macro F1",
            Measure::R2 => "R²",
            Measure::LossAndMacroF1 => "loss and macro F1",
            Measure::LossAndR2 => "loss and R²",
        }
    }
}

impl Judges {
    fn words(self) -> String {
        match self {
            Judges::Training => "the training rows".into(),
            Judges::Validation => "the validation rows".into(),
            Judges::Folds { folds, rounds, validation } => {
                let rows = if validation { "the training and validation rows" } else { "the training rows" };
                match rounds {
                    0 | 1 => format!("{folds} folds of {rows}"),
                    _ => format!("{rounds} rounds of {folds} folds of {rows}"),
                }
            }
        }
    }
}

impl Kept {
    /// A tree that begins at a start, before anything else happens to it.
    pub(crate) fn at(start: Start) -> Kept {
        Kept { start, ..Kept::default() }
    }

    /// Whether descent alone made the tree: from a random start, without teachers and without greedy growth.
    pub fn is_descent_alone(&self) -> bool {
        self.start == Start::Random && self.taught == 0 && self.polished == 0
    }

    /// The start in reports and files: its word, and whether subtrees were searched for anew.
    pub(crate) fn start_words(&self) -> String {
        let polished = if self.polished > 0 { ", polished" } else { "" };
        format!("{}{polished}", self.start.as_str())
    }

    /// What was chosen by, on which rows, and what followed, in one phrase; empty where nothing was chosen.
    pub fn selected_on(&self) -> String {
        let mut parts = vec![];
        parts.extend(self.chosen.map(|Chosen { by, on }| format!("{} on {}", by.words(), on.words())));
        match self.polished {
            0 => {}
            1 => parts.push("then one subtree replaced by a better one".into()),
            more => parts.push(format!("then {more} subtrees replaced by better ones")),
        }
        if self.refitted && self.chosen.is_some() {
            parts.push("then fitted again to the training and validation rows together".into());
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_by_is_one_phrase() {
        let folds = Judges::Folds { folds: 5, rounds: 1, validation: true };
        let chosen = Some(Chosen { by: Measure::MacroF1, on: folds });
        let greedy = Kept { chosen, ..Kept::at(Start::Greedy) };
        assert_eq!(greedy.selected_on(), "macro F1 on 5 folds of the training and validation rows");
        let again = Judges::Folds { folds: 4, rounds: 6, validation: false };
        let polished = Kept { chosen: Some(Chosen { by: Measure::R2, on: again }), polished: 2, ..greedy };
        let phrase =
            "R² on 6 rounds of 4 folds of the training rows, then 2 subtrees replaced by better ones";
        assert_eq!(polished.selected_on(), phrase);
        let refitted = Kept {
            chosen: Some(Chosen { by: Measure::Loss, on: Judges::Validation }),
            refitted: true,
            ..greedy
        };
        let phrase =
            "loss on the validation rows, then fitted again to the training and validation rows together";
        assert_eq!(refitted.selected_on(), phrase);
        assert_eq!(Kept::at(Start::Cart).selected_on(), "");
    }

    #[test]
    fn descent_alone_has_neither_teachers_nor_greedy_trees() {
        let random = Kept { gradient_epochs: 3, synthetic_rows: 9, ..Kept::at(Start::Random) };
        assert!(random.is_descent_alone());
        assert!(!Kept { taught: 1, ..random }.is_descent_alone());
        assert!(!Kept { polished: 1, ..random }.is_descent_alone());
        assert!(!Kept::at(Start::Greedy).is_descent_alone() && !Kept::default().is_descent_alone());
    }
}
