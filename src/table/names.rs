//! Column names: trimmed, not empty, unique.

use std::collections::{BTreeMap, BTreeSet};

/// Makes unique names from a header: trims them, numbers empty ones, and adds a number to repeated ones.
/// Names are never shortened.
pub(super) fn unique_names<'a>(header: impl Iterator<Item = &'a str>) -> Vec<String> {
    let header: Vec<&str> = header.map(str::trim).collect();
    let mut names = Vec::with_capacity(header.len());
    // The first column with a name keeps it, even if an unnamed column further left would be given the same
    // one.
    let given: BTreeSet<&str> = header.iter().copied().filter(|name| !name.is_empty()).collect();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut copies: BTreeMap<String, usize> = BTreeMap::new();
    for (position, &name) in header.iter().enumerate() {
        let base = if name.is_empty() { format!("column {}", position + 1) } else { name.to_owned() };
        let mut unique = base.clone();
        if used.contains(&base) || name.is_empty() && given.contains(base.as_str()) {
            let copy = copies.entry(base.clone()).or_insert(1);
            while used.contains(&unique) || given.contains(unique.as_str()) {
                *copy += 1;
                unique = format!("{base} ({copy})");
            }
        }
        used.insert(unique.clone());
        names.push(unique);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: &[&str], expected: &[&str]) {
        assert_eq!(unique_names(header.iter().copied()), expected);
    }

    #[test]
    fn names_are_trimmed_filled_and_told_apart() {
        check(&[" a ", "", "a", "a"], &["a", "column 2", "a (2)", "a (3)"]);
        check(&["", ""], &["column 1", "column 2"]);
    }

    #[test]
    fn a_name_that_looks_like_a_copy_stays_different() {
        check(&["a", "a (2)", "a"], &["a", "a (2)", "a (3)"]);
        check(&["a", "a", "a (2)"], &["a", "a (3)", "a (2)"]);
        check(&["", "column 1", ""], &["column 1 (2)", "column 1", "column 3"]);
    }

    #[test]
    fn many_columns_of_one_name_take_no_time() {
        let names = unique_names(std::iter::repeat_n("x", 50_000));
        assert_eq!(names[49_999], "x (50000)");
    }
}
