// Trees for the tests of this folder.

import type { NodeView } from '../protocol';

type Shape = { split: string; yes: Shape; no: Shape } | { answer: string; counts: number[] };

/** A tree in the protocol's form (breadth-first, the root first) from a nested description. */
export function treeOf(shape: Shape): NodeView[] {
  const nodes: NodeView[] = [];
  const queue: { shape: Shape; path: string; parent: NodeView | null }[] = [{ shape, path: '', parent: null }];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    const { shape: here, path, parent } = item;
    const counts = total(here);
    const rows = counts.reduce((sum, count) => sum + count, 0);
    const node: NodeView = {
      path,
      left: null,
      right: null,
      condition: 'split' in here ? here.split : '',
      feature: '',
      threshold: null,
      date: null,
      defaultLeft: false,
      rows,
      counts,
      mean: null,
      deviation: null,
      answer: 'answer' in here ? here.answer : '',
      class: null,
      reason: '',
      bounds: null,
      probabilities: 'answer' in here ? counts.map((count) => count / Math.max(1, rows)) : [],
      leading: [],
      shares: [],
      weights: [],
      locked: false,
      kept: null,
      description: [],
    };
    if (parent !== null) {
      if (path.endsWith('L')) parent.left = nodes.length;
      else parent.right = nodes.length;
    }
    nodes.push(node);
    if ('split' in here) {
      queue.push({ shape: here.yes, path: `${path}L`, parent: node });
      queue.push({ shape: here.no, path: `${path}R`, parent: node });
    }
  }
  return nodes;
}

function total(shape: Shape): number[] {
  if ('answer' in shape) return shape.counts;
  const yes = total(shape.yes);
  const no = total(shape.no);
  return yes.map((count, index) => count + (no[index] ?? 0));
}

/** The iris tree of two splits. */
export const IRIS = treeOf({
  split: 'petal width ≤ 0.8',
  yes: { answer: 'setosa', counts: [30, 0, 0] },
  no: {
    split: 'petal width ≤ 1.75',
    yes: { answer: 'versicolor', counts: [0, 28, 3] },
    no: { answer: 'virginica', counts: [0, 2, 27] },
  },
});

/** A shape drawn from `seed`: splits and leaves mixed, at most `depth` deep. */
export function randomShape(seed: number, depth: number): Shape {
  let state = seed;
  const next = () => {
    // Numerical Recipes' generator: good enough to vary shapes, and the same on every machine.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const grow = (left: number): Shape =>
    left === 0 || next() < 0.25
      ? { answer: next() < 0.5 ? 'a' : 'b', counts: [Math.floor(next() * 50), Math.floor(next() * 50)] }
      : { split: `x${Math.floor(next() * 9)} ≤ ${next().toFixed(3)}`, yes: grow(left - 1), no: grow(left - 1) };
  return { split: 'x0 ≤ 0.5', yes: grow(depth - 1), no: grow(depth - 1) };
}

/** A tree with every node of `depth` levels. */
export function fullShape(depth: number): Shape {
  return depth === 0
    ? { answer: 'a', counts: [3, 1] }
    : { split: `x${depth} ≤ 0.5`, yes: fullShape(depth - 1), no: fullShape(depth - 1) };
}
