//! Where a tree came from: as fields of its file, and as one sentence.

use serde::Serialize;

/// Where a tree came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Kept {
    /// The tree before gradient descent: `random`, `cart`, `greedy`, `greedy oblique` or `constant`. `,
    /// polished` is added if some of its subtrees were searched again.
    pub start: String,
    /// The restart that produced it, counted from 1.
    pub restart: u64,
    /// Epochs of gradient descent from the start to the tree; 0 means no gradient descent.
    pub gradient_epochs: u64,
    /// Number of trees whose predictions were among its targets (distillation); 0 for none.
    pub taught: u64,
    /// Number of synthetic rows among its training rows.
    pub synthetic_rows: u64,
    /// The criterion by which it was chosen, and on which rows; empty if there was no choice.
    pub selected_on: String,
}

impl Kept {
    /// `Kept: a greedy tree, taught by 50 trees and 2,000 made-up rows, then 6 epochs of gradient descent;
    /// chosen by …`
    pub fn sentence(&self) -> String {
        let chosen = match self.selected_on.as_str() {
            "" => String::new(),
            phrase => format!("; chosen by {phrase}"),
        };
        format!("Kept: {}{chosen}.", self.origin())
    }

    /// Whether gradient descent alone made the tree: from a random start, without distillation and without
    /// greedy subtrees.
    pub(crate) fn is_descent_alone(&self) -> bool {
        self.start == "random" && self.taught == 0
    }

    /// The sentence without the criterion: `a greedy tree, taught by 50 trees, then 6 epochs of gradient
    /// descent`.
    pub fn origin(&self) -> String {
        let epochs = counted(self.gradient_epochs, "epoch", "epochs");
        let taught = self.taught();
        match (self.word(), self.gradient_epochs) {
            ("random", 0) => {
                format!("the random start of restart {}{taught}, without gradient descent", self.restart)
            }
            ("random", _) => {
                format!(
                    "restart {}, a random start, after {epochs} of gradient descent{taught}",
                    self.restart
                )
            }
            ("constant", _) => "one answer for all rows; no tree was found".into(),
            (_, 0) => format!("{}{taught}, as it was grown, without gradient descent", self.tree()),
            _ => format!("{}{taught}, then {epochs} of gradient descent", self.tree()),
        }
    }

    fn word(&self) -> &str {
        self.start.strip_suffix(", polished").unwrap_or(&self.start)
    }

    fn tree(&self) -> String {
        match self.word() {
            "cart" => "CART's tree".into(),
            start => format!("a {start} tree"),
        }
    }

    fn taught(&self) -> String {
        let teachers = (self.taught > 0).then(|| counted(self.taught, "tree", "trees"));
        let rows =
            (self.synthetic_rows > 0).then(|| counted(self.synthetic_rows, "made-up row", "made-up rows"));
        match (teachers, rows) {
            (None, None) => String::new(),
            (Some(teachers), None) => format!(", taught by {teachers}"),
            (Some(teachers), Some(rows)) => format!(", taught by {teachers} and {rows}"),
            (None, Some(rows)) => format!(", with {rows}"),
        }
    }
}

/// A number with thousands separators, and what it counts.
fn counted(number: u64, one: &str, more: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    format!("{text} {}", if number == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_says_what_happened() {
        let greedy = Kept {
            start: "greedy".into(),
            restart: 1,
            gradient_epochs: 6,
            taught: 50,
            synthetic_rows: 2000,
            selected_on: "macro F1 on 5 folds of the training rows".into(),
        };
        assert_eq!(
            greedy.sentence(),
            "Kept: a greedy tree, taught by 50 trees and 2,000 made-up rows, \
             then 6 epochs of gradient descent; \
             chosen by macro F1 on 5 folds of the training rows."
        );
        let as_grown = Kept { gradient_epochs: 0, synthetic_rows: 0, taught: 1, ..greedy.clone() };
        let words = "a greedy tree, taught by 1 tree, as it was grown, without gradient descent";
        assert_eq!(as_grown.origin(), words);
        let random = Kept { start: "random".into(), restart: 6, gradient_epochs: 32, ..Kept::default() };
        assert_eq!(
            random.sentence(),
            "Kept: restart 6, a random start, after 32 epochs of gradient descent."
        );
        let cart = Kept { start: "cart".into(), restart: 1, ..Kept::default() };
        assert_eq!(cart.sentence(), "Kept: CART's tree, as it was grown, without gradient descent.");
        let oblique =
            Kept { start: "greedy oblique".into(), gradient_epochs: 1, synthetic_rows: 1_234_567, ..cart };
        assert_eq!(
            oblique.origin(),
            "a greedy oblique tree, with 1,234,567 made-up rows, then 1 epoch of gradient descent"
        );
    }
}
