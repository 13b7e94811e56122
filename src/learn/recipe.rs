//! Where the hyper-parameters come from that were not set by hand.

use super::Value;
use crate::encode::Labels;
use crate::error::{Code, Error, Result, listed, quoted};

/// A set of values for every hyper-parameter that is not set by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recipe {
    /// What does best on tables at large.
    #[default]
    Espalier,
    /// The settings of the paper that introduced the learner; scikit-learn's defaults for CART.
    Published,
}

/// What is known of a target when a recipe is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// So many classes.
    Classes(usize),
    /// A number.
    Number,
}

/// The hyper-parameter that names a recipe, beside `--recipe`.
pub(super) const ALIAS: &str = "preset";

impl Recipe {
    /// All recipes, the default first.
    pub(crate) const ALL: [Recipe; 2] = [Recipe::Espalier, Recipe::Published];

    /// The word in settings and files.
    pub fn as_str(self) -> &'static str {
        match self {
            Recipe::Espalier => "espalier",
            Recipe::Published => "published",
        }
    }

    /// One line about it.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Recipe::Espalier => "Settings that do best on tables at large.",
            Recipe::Published => {
                "Settings of the paper that introduced the learner; for CART, scikit-learn's."
            }
        }
    }

    /// The recipe of a word.
    pub fn parse(word: &str) -> Result<Recipe> {
        Recipe::ALL.into_iter().find(|recipe| recipe.as_str() == word).ok_or_else(|| {
            let known = listed(Recipe::ALL.iter().map(|recipe| recipe.as_str()));
            let message = format!("There is no recipe called {}.", quoted(word));
            Error::new(Code::BadValue, message, format!("Choose one of {known}."))
        })
    }

    /// The recipe that a value of the alias `preset` stands for.
    pub(super) fn of_preset(value: &Value) -> Result<Recipe> {
        match value {
            Value::Choice(word) if word == "paper" => Ok(Recipe::Published),
            Value::Choice(word) if word == "default" || word == "quick" => Ok(Recipe::Espalier),
            Value::Choice(word) => Recipe::parse(word),
            other => Recipe::parse(&other.to_string()),
        }
    }
}

impl From<&Labels> for TargetKind {
    fn from(labels: &Labels) -> TargetKind {
        match labels {
            Labels::Classes { classes, .. } => TargetKind::Classes(*classes),
            Labels::Values(_) => TargetKind::Number,
        }
    }
}
