/** The ROC curve of one class: hits against false alarms. */
import type { TreeView } from '../protocol';
import { forRows, type Part, type Side } from './judged';

/** A curve from no false alarms to all of them. */
export interface Roc {
  /** Shares of false alarms and hits, from none to all. */
  points: readonly { x: number; y: number }[];
  area: number;
}

/**
 * The ROC curve of one class against all others, usually the second of two. Null if leaves have no
 * probability, or if no row or every row is of the class.
 */
export function roc(rows: Float32Array, part: Part, tree: TreeView, side: Side, positive = 1): Roc | null {
  const byScore = new Map<number, { hits: number; alarms: number }>();
  const all = { hits: 0, alarms: 0 };
  const scores = tree.nodes.map(({ probabilities }) => probabilities[positive]);
  let known = true;
  forRows(rows, part, (truth, cart, gradient) => {
    const score = scores[side === 'cart' ? cart : gradient];
    if (score === undefined) {
      known = false;
      return;
    }
    let at = byScore.get(score);
    if (at === undefined) byScore.set(score, (at = { hits: 0, alarms: 0 }));
    const what = truth === positive ? 'hits' : 'alarms';
    at[what] += 1;
    all[what] += 1;
  });
  if (!known) return null;
  if (all.hits === 0 || all.alarms === 0) return null;
  const points = [{ x: 0, y: 0 }];
  let [hits, alarms, area] = [0, 0, 0];
  for (const [, at] of [...byScore].sort(([a], [b]) => b - a)) {
    area += (at.alarms / all.alarms) * ((hits + at.hits / 2) / all.hits);
    hits += at.hits;
    alarms += at.alarms;
    points.push({ x: alarms / all.alarms, y: hits / all.hits });
  }
  return { points, area };
}

/**
 * The point of the tree's own predictions on this curve: its share of false alarms and of hits for one class.
 */
export function answerPoint(
  rows: Float32Array,
  part: Part,
  side: Side,
  positive = 1,
): { x: number; y: number } | null {
  const counts = { hits: 0, positives: 0, alarms: 0, negatives: 0 };
  forRows(rows, part, (truth, _cartLeaf, _gradientLeaf, cart, gradient) => {
    const said = (side === 'cart' ? cart : gradient) === positive;
    counts[truth === positive ? 'positives' : 'negatives'] += 1;
    if (said) counts[truth === positive ? 'hits' : 'alarms'] += 1;
  });
  if (counts.positives === 0 || counts.negatives === 0) return null;
  return { x: counts.alarms / counts.negatives, y: counts.hits / counts.positives };
}

/** The share of hits at a share of false alarms, interpolated between two points. */
export function hitsAt({ points }: Roc, alarms: number): number {
  const after = points.findIndex(({ x }) => x > alarms);
  if (after < 0) return 1;
  const [from, to] = [points[after - 1] ?? { x: 0, y: 0 }, points[after]!];
  return from.y + ((alarms - from.x) / (to.x - from.x)) * (to.y - from.y);
}
