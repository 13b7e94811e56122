//! The relaxed tree as a new row finds it: pruning variables are frozen, so an answer depends on the row
//! alone.

use serde::{Deserialize, Serialize};

use super::batch::{Workspace, loss_of};
use super::parameters::Shape;
use super::samples::Samples;
use super::traversal::Version;

/// A relaxed tree at the end of an epoch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relaxed {
    /// θ: all that is learned.
    pub theta: Vec<f64>,
    /// The pruning variables a, frozen on all training samples (T).
    pub a: Vec<f64>,
    /// The factor of all split scores: 1 as published.
    pub scale: f64,
}

impl Relaxed {
    /// The mean loss over samples.
    pub fn loss(&self, workspace: &mut Workspace, shape: &Shape, version: Version, samples: &Samples) -> f64 {
        let mut loss = 0.0;
        for i in 0..samples.len() {
            self.answer(workspace, shape, version, samples.design.row(i));
            let u = std::mem::take(&mut workspace.u);
            loss += loss_of(&samples.goal, i, &u, 1.0, &mut workspace.d_u);
            workspace.u = u;
        }
        loss / samples.len().max(1) as f64
    }

    /// The raw outputs (C) for one row: `f([x; z])` with `z = clip(q + o, 0, a)`.
    pub fn answer<'a>(
        &self,
        workspace: &'a mut Workspace,
        shape: &Shape,
        version: Version,
        x: &[f32],
    ) -> &'a [f64] {
        let planes = shape.planes(&self.theta, self.scale);
        let Workspace { traversal, z, hidden, u, .. } = workspace;
        traversal.pass(&planes, shape.inner(), version.offset(), std::iter::once(x));
        z.clear();
        z.extend(traversal.node.iter().zip(&traversal.q).map(|(&t, &q)| q.min(self.a[t as usize])));
        let p = &self.theta[shape.predictor_at()..];
        shape.predictor.forward(p, shape.nodes(), &traversal.node, z, x, hidden, u);
        u
    }
}
