// Recent thresholds of a tree in training.

import type { NodeView } from '../protocol';
import { histogramAt } from './histogram';

/** Thresholds remembered for each node. */
const REMEMBERED = 40;

/** Past thresholds by a node's path; a node that changes to another column starts over. */
export type Trails = ReadonlyMap<string, { feature: string; cuts: readonly number[] }>;

export const NO_TRAILS: Trails = new Map();

/** The trails with one more frame. */
export function follow(trails: Trails, nodes: readonly NodeView[], marks: Float32Array | null): Trails {
  const next = new Map<string, { feature: string; cuts: readonly number[] }>();
  for (const [index, node] of nodes.entries()) {
    if (node.left === null) continue;
    const cut = histogramAt(marks, index)?.cut;
    if (cut === undefined) continue;
    const before = trails.get(node.path);
    const past = before !== undefined && before.feature === node.feature ? before.cuts : [];
    next.set(node.path, {
      feature: node.feature,
      cuts: past.at(-1) === cut ? past : [...past.slice(1 - REMEMBERED), cut],
    });
  }
  return next;
}
