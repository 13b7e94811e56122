//! Which numbers of the planes a descent may move.

use super::parameters::Parameters;

/// 1 for each number of the planes that may move, else 0; empty if all may. A plane on a feature that is not
/// summable stands alone and stays. Where splits are to be sparse, a weight of 0 stays 0.
pub fn free_weights(tree: &Parameters<f32>, summable: &[bool], sparse: bool) -> Vec<f32> {
    if !sparse && summable.iter().all(|&summable| summable) {
        return vec![];
    }
    let mut free = vec![0.0; tree.planes.len()];
    for (free, plane) in free.chunks_exact_mut(tree.width).zip(tree.planes.chunks_exact(tree.width)) {
        let alone = plane.iter().zip(summable).any(|(&weight, &summable)| weight != 0.0 && !summable);
        if !alone {
            free[summable.len()] = 1.0;
            for ((free, &summable), &weight) in free.iter_mut().zip(summable).zip(plane) {
                *free = f32::from(u8::from(summable && (!sparse || weight != 0.0)));
            }
        }
    }
    free
}
