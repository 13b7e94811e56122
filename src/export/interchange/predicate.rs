//! Predicates of PMML nodes.

use crate::export::bound::last_left;
use crate::export::words::unique;
use crate::export::xml::escaped;
use crate::tree::{FeatureKind, Model, Split};

/// A name for a derived field that no column has.
pub(super) fn derived_name(model: &Model, kind: &str, id: usize) -> String {
    unique(&format!("{kind} {id}"), &|name| {
        model.features.iter().any(|feature| feature.name == name) || model.target.name() == name
    })
}

/// The predicates of both children.
pub(super) fn predicates(model: &Model, id: usize, split: &Split) -> [String; 2] {
    match split {
        Split::Numerical { feature, threshold } => ["lessOrEqual", "greaterThan"].map(|operator| {
            let field = escaped(&model.features[*feature].name);
            let bound = last_left(*threshold);
            format!("<SimplePredicate field=\"{field}\" operator=\"{operator}\" value=\"{bound:?}\"/>")
        }),
        Split::Categorical { feature, left } => {
            let FeatureKind::Categorical { categories } = &model.features[*feature].kind else {
                unreachable!("a set of words is of a column of words")
            };
            [true, false].map(|side| {
                let words = categories.iter().zip(left).filter(|(_, goes_left)| **goes_left == side);
                set(&model.features[*feature].name, &words.map(|(word, _)| word.as_str()).collect::<Vec<_>>())
            })
        }
        Split::Oblique { threshold, .. } => ["lessOrEqual", "greaterThan"].map(|operator| {
            let field = derived_name(model, "sum", id);
            format!("<SimplePredicate field=\"{field}\" operator=\"{operator}\" value=\"{threshold:?}\"/>")
        }),
    }
}

/// A test for one of several words. A PMML list is separated by spaces and has only one escape, so words that
/// could break it are compared one by one.
fn set(field: &str, words: &[&str]) -> String {
    let field = escaped(field);
    let equal = |word: &&str| {
        format!("<SimplePredicate field=\"{field}\" operator=\"equal\" value=\"{}\"/>", escaped(word))
    };
    match words {
        // No word equals both: false for every known word, and unknown if the field is missing.
        [] => format!(
            "<CompoundPredicate booleanOperator=\"and\"><SimplePredicate field=\"{field}\" \
             operator=\"equal\" value=\"a\"/>\
             <SimplePredicate field=\"{field}\" operator=\"equal\" value=\"b\"/></CompoundPredicate>"
        ),
        [word] => equal(word),
        _ if words.iter().all(|word| {
            !word.is_empty() && !word.contains(['"', '\\']) && !word.contains(char::is_control)
        }) =>
        {
            let list: Vec<String> =
                words.iter().map(|word| format!("&quot;{}&quot;", escaped(word))).collect();
            format!(
                "<SimpleSetPredicate field=\"{field}\" booleanOperator=\"isIn\"><Array n=\"{}\" \
                 type=\"string\">{}</Array></SimpleSetPredicate>",
                words.len(),
                list.join(" ")
            )
        }
        _ => {
            let list: Vec<String> = words.iter().map(equal).collect();
            format!("<CompoundPredicate booleanOperator=\"or\">{}</CompoundPredicate>", list.concat())
        }
    }
}
