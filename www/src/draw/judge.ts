// Counts behind the comparison of two trees: mistakes, hits against false alarms, disagreements, errors of numbers.

import type { TreeView } from '../protocol';
import { forRows, rowsOf, type Part, type Side } from '../state/judged';

/** Rows of the file's class by the tree's answer: `[truth][answer]`. */
export function confusion(rows: Float32Array, part: Part, classes: number, side: Side): number[][] {
  const counts = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
  forRows(rows, part, (truth, _cartLeaf, _gradientLeaf, cart, gradient) => (counts[truth]![side === 'cart' ? cart : gradient]! += 1));
  return counts;
}

/** The most frequent mistakes, the most frequent first. */
export function mistakes(counts: readonly (readonly number[])[], most: number): { truth: number; answer: number; count: number }[] {
  const all = counts.flatMap((line, truth) => line.map((count, answer) => ({ truth, answer, count })));
  const wrong = all.filter(({ truth, answer, count }) => truth !== answer && count > 0);
  return wrong.sort((a, b) => b.count - a.count).slice(0, most);
}

export interface Roc {
  /** Shares of false alarms and hits, from none to all. */
  points: readonly { x: number; y: number }[];
  area: number;
}

/**
 * Hits against false alarms for one class against all others, usually the second of two; null where leaves have no probability, or
 * where no row, or every one, is of the class.
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

/** Where a tree's own answers stand among these points: its share of false alarms and of hits for one class. */
export function answerPoint(rows: Float32Array, part: Part, side: Side, positive = 1): { x: number; y: number } | null {
  const counts = { hits: 0, positives: 0, alarms: 0, negatives: 0 };
  forRows(rows, part, (truth, _cartLeaf, _gradientLeaf, cart, gradient) => {
    const said = (side === 'cart' ? cart : gradient) === positive;
    counts[truth === positive ? 'positives' : 'negatives'] += 1;
    if (said) counts[truth === positive ? 'hits' : 'alarms'] += 1;
  });
  if (counts.positives === 0 || counts.negatives === 0) return null;
  return { x: counts.alarms / counts.negatives, y: counts.hits / counts.positives };
}

/** The share of hits at a share of false alarms, between two limits as chance would have it. */
export function hitsAt({ points }: Roc, alarms: number): number {
  const after = points.findIndex(({ x }) => x > alarms);
  if (after < 0) return 1;
  const [from, to] = [points[after - 1] ?? { x: 0, y: 0 }, points[after]!];
  return from.y + ((alarms - from.x) / (to.x - from.x)) * (to.y - from.y);
}

/** What is the matter where a leaf of one tree meets a leaf of the other. */
export interface Meeting {
  rows: number;
  cart: number;
  gradient: number;
}

export interface Disagreement {
  cart: number[];
  gradient: number[];
  /** By `cart leaf`, then `gradient leaf`, as positions in the two lists. */
  cells: (Meeting | null)[][];
  differ: number;
  all: number;
  right: Record<Side, number>;
  /** Leaves left out, on both sides. */
  omitted: number;
}

/**
 * Leaf against leaf, only where the answers differ; of numbers, everywhere. Right is who has the class, or is nearer to the number.
 * The `most` leaves with most such rows on either side are kept.
 */
export function disagreement(rows: Float32Array, part: Part, regression: boolean, most: number): Disagreement {
  const meetings = new Map<number, Meeting>();
  const weight: Record<Side, Map<number, number>> = { cart: new Map(), gradient: new Map() };
  const right = { cart: 0, gradient: 0 };
  let [differ, all] = [0, 0];
  forRows(rows, part, (truth, cartLeaf, gradientLeaf, cartAnswer, gradientAnswer) => {
    all += 1;
    if (cartAnswer === gradientAnswer) return;
    differ += 1;
    const key = meetingKey(cartLeaf, gradientLeaf);
    let at = meetings.get(key);
    if (at === undefined) meetings.set(key, (at = { rows: 0, cart: 0, gradient: 0 }));
    at.rows += 1;
    weight.cart.set(cartLeaf, (weight.cart.get(cartLeaf) ?? 0) + 1);
    weight.gradient.set(gradientLeaf, (weight.gradient.get(gradientLeaf) ?? 0) + 1);
    const cart = Math.abs(cartAnswer - truth);
    const gradient = Math.abs(gradientAnswer - truth);
    const winner = regression ? (cart < gradient ? 'cart' : 'gradient') : cart === 0 ? 'cart' : gradient === 0 ? 'gradient' : null;
    if (winner === null) return;
    at[winner] += 1;
    right[winner] += 1;
  });
  const kept = (side: Side) =>
    [...weight[side]].sort(([, a], [, b]) => b - a).slice(0, most).map(([leaf]) => leaf).sort((a, b) => a - b);
  const [cart, gradient] = [kept('cart'), kept('gradient')];
  return {
    cart,
    gradient,
    cells: cart.map((c) => gradient.map((g) => meetings.get(meetingKey(c, g)) ?? null)),
    differ,
    all,
    right,
    omitted: weight.cart.size - cart.length + weight.gradient.size - gradient.length,
  };
}

/** One number for two leaves; no tree has as many nodes. */
const meetingKey = (cart: number, gradient: number) => cart * 2 ** 24 + gradient;

/** Who is right in a meeting. */
export function verdictOf({ cart, gradient }: Meeting): 'cart' | 'gradient' | 'neither' | 'mixed' {
  if (cart === 0 && gradient === 0) return 'neither';
  if (gradient === 0 || cart > 3 * gradient) return 'cart';
  return cart === 0 || gradient > 3 * cart ? 'gradient' : 'mixed';
}

/** True and predicted numbers of at most `most` rows, evenly taken, and the errors of all. */
export function errorsOf(rows: Float32Array, part: Part, side: Side, most: number): { points: { truth: number; said: number }[]; errors: number[] } {
  const points = [...rowsOf(rows, part)].map(({ truth, answer }) => ({ truth, said: answer[side] }));
  const every = Math.max(1, Math.ceil(points.length / most));
  return { points: points.filter((_, index) => index % every === 0), errors: points.map(({ truth, said }) => said - truth) };
}

/** How many values fall into each of `bins` equal stretches from −`reach` to `reach`; what lies outside counts at the ends. */
export function spreadAround(values: readonly number[], reach: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const at = Math.floor(((value + reach) / (2 * reach)) * bins);
    counts[Math.min(bins - 1, Math.max(0, at))]! += 1;
  }
  return counts;
}
