//! Scores of a cluster hierarchy against labels that it has not seen.

/// The position of rows in a hierarchy.
pub struct Hierarchy<'a> {
    /// The parent of each node; the root's is ignored. A parent comes before its children.
    pub parent: &'a [usize],
    /// The leaf of each row (N).
    pub leaf: &'a [usize],
    /// Rows of each class at each node (T × K). A relaxed tree may count a row off its own path.
    pub members: &'a [Vec<f64>],
}

/// Dendrogram purity (Heller and Ghahramani, 2005). It averages over ordered pairs of rows of the same class,
/// including a row with itself. For each pair it takes the share of that class in the smallest node that
/// holds both. `None` without rows.
///
/// * `label` (N)   below the number of classes K
///
/// Pairs are not enumerated: a node is the smallest one for the pairs of its own rows minus those of each
/// child.
pub fn dendrogram_purity(hierarchy: &Hierarchy, label: &[u32]) -> Option<f64> {
    let nodes = hierarchy.parent.len();
    let classes = hierarchy.members.first()?.len();
    let mut below = vec![vec![0.0f64; classes]; nodes];
    for (&leaf, &class) in hierarchy.leaf.iter().zip(label) {
        below[leaf][class as usize] += 1.0;
    }
    let mut pairs = vec![vec![0.0f64; classes]; nodes];
    let (mut pure, mut all) = (0.0, 0.0);
    for t in (0..nodes).rev() {
        let total: f64 = hierarchy.members[t].iter().sum();
        for k in 0..classes {
            let count = below[t][k];
            // `pairs` holds the negated number of pairs within the children.
            let here = count * count + pairs[t][k];
            let purity = if total > 0.0 { hierarchy.members[t][k] / total } else { 0.0 };
            pure += here * purity;
            all += here;
            if t > 0 {
                let parent = hierarchy.parent[t];
                below[parent][k] += count;
                pairs[parent][k] -= count * count;
            }
        }
    }
    (all > 0.0).then(|| pure / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_leaf_has_the_share_of_each_class_and_pure_leaves_have_all() {
        let one = Hierarchy { parent: &[0], leaf: &[0; 4], members: &[vec![3.0, 1.0]] };
        // Nine pairs at 3/4 and one at 1/4.
        assert_eq!(dendrogram_purity(&one, &[0, 0, 0, 1]), Some((9.0 * 0.75 + 0.25) / 10.0));
        let members = [vec![2.0, 2.0], vec![2.0, 0.0], vec![0.0, 2.0]];
        let two = Hierarchy { parent: &[0, 0, 0], leaf: &[1, 1, 2, 2], members: &members };
        assert_eq!(dendrogram_purity(&two, &[0, 0, 1, 1]), Some(1.0));
        assert_eq!(
            dendrogram_purity(&Hierarchy { parent: &[0], leaf: &[], members: &[vec![0.0]] }, &[]),
            None
        );
    }
}
