/**
 * Two trees on the same rows: which predicts better, whether that could be chance, and where the rows of one
 * end in the other.
 */
import type { ImportanceInfo, TreeView } from '../protocol';
import type { Matrix } from './answers';
import { pairedTest, signTest } from './chance';

/**
 * Numbers per row: part, outcome, leaf in CART, leaf in the learner's tree, CART's prediction, the learner's
 * prediction, position in the file.
 */
export const ROW = 7;

/** The leaves of the rows in both trees, and the importance of the columns. */
export interface Judged {
  /** Seven numbers per row; see `ROW`. */
  rows: Float32Array;
  cart: readonly ImportanceInfo[];
  gradient: readonly ImportanceInfo[];
  /** The metric that importance is measured by. */
  metric: string;
}

export const PARTS = ['train', 'valid', 'test'] as const;
export type Part = (typeof PARTS)[number];
export type Side = 'cart' | 'gradient';

export interface JudgedRow {
  /** Position in the file, from 0. */
  row: number;
  truth: number;
  leaf: Record<Side, number>;
  answer: Record<Side, number>;
}

/** The rows of one part, or of all. */
export function* rowsOf(rows: Float32Array, part: Part | null): Generator<JudgedRow> {
  const wanted = part === null ? -1 : PARTS.indexOf(part);
  for (let at = 0; at + ROW <= rows.length; at += ROW) {
    if (wanted >= 0 && rows[at] !== wanted) continue;
    yield {
      row: rows[at + 6]!,
      truth: rows[at + 1]!,
      leaf: { cart: rows[at + 2]!, gradient: rows[at + 3]! },
      answer: { cart: rows[at + 4]!, gradient: rows[at + 5]! },
    };
  }
}

/**
 * Calls `visit` with every row of one part, or of all. It allocates nothing per row, so that it can count
 * over many rows.
 */
export function forRows(
  rows: Float32Array,
  part: Part | null,
  visit: (
    truth: number,
    cartLeaf: number,
    gradientLeaf: number,
    cart: number,
    gradient: number,
    row: number,
  ) => void,
): void {
  const wanted = part === null ? -1 : PARTS.indexOf(part);
  for (let at = 0; at + ROW <= rows.length; at += ROW) {
    if (wanted >= 0 && rows[at] !== wanted) continue;
    visit(rows[at + 1]!, rows[at + 2]!, rows[at + 3]!, rows[at + 4]!, rows[at + 5]!, rows[at + 6]!);
  }
}

/** The same rows in the same trees, under another answer rule. */
export function answeredAnew(judged: Judged, cart: TreeView, gradient: TreeView): Judged {
  const rows = judged.rows.slice();
  for (let at = 0; at + ROW <= rows.length; at += ROW) {
    rows[at + 4] = cart.nodes[rows[at + 2]!]?.class ?? rows[at + 4]!;
    rows[at + 5] = gradient.nodes[rows[at + 3]!]?.class ?? rows[at + 5]!;
  }
  return { ...judged, rows };
}

/** How a row counts, so that the test measures what the deciding metric measures. */
export type Measure = { kind: 'right' | 'balanced' | 'squares' } | { kind: 'costs'; costs: Matrix };

/** On how many rows only one tree is better: right where the other is wrong, or nearer to the number. */
export interface Duel {
  cart: number;
  gradient: number;
  both: number;
  neither: number;
  /** The probability of so large a difference, by the measure, if neither tree is better. */
  chance: number;
  /**
   * For two classes that do not count by their rows: the rows of the rarer one, and how many each tree finds;
   * otherwise null.
   */
  found: { class: number; rows: number; cart: number; gradient: number } | null;
}

export function duel(rows: Float32Array, part: Part, measure: Measure): Duel {
  const numbers = measure.kind === 'squares';
  const count = { cart: 0, gradient: 0, both: 0, neither: 0 };
  const classes = numbers ? [] : recalls(rows, part);
  const occurring = classes.filter(({ rows }) => rows > 0);
  const differences: number[] = [];
  forRows(rows, part, (truth, _cartLeaf, _gradientLeaf, cartAnswer, gradientAnswer) => {
    const cart = Math.abs(cartAnswer - truth);
    const gradient = Math.abs(gradientAnswer - truth);
    if (cart === gradient) count[cart === 0 && !numbers ? 'both' : 'neither'] += 1;
    else if (numbers) count[cart < gradient ? 'cart' : 'gradient'] += 1;
    else if (cart === 0) count.cart += 1;
    else if (gradient === 0) count.gradient += 1;
    else count.neither += 1;
    // Their mean is the difference of the metric, up to a factor.
    if (numbers) differences.push(cart * cart - gradient * gradient);
    else if (measure.kind === 'costs') {
      const costs = measure.costs[truth];
      differences.push((costs?.[cartAnswer] ?? 0) - (costs?.[gradientAnswer] ?? 0));
    } else if (measure.kind === 'balanced') {
      differences.push((Number(gradient === 0) - Number(cart === 0)) / (classes[truth]?.rows ?? 1));
    }
  });
  const rarest = Math.min(...occurring.map(({ rows }) => rows));
  const at = classes.findIndex(({ rows }) => rows === rarest);
  return {
    ...count,
    // Being nearer more often does not mean a better root mean squared error, which a few large errors
    // decide.
    chance: measure.kind === 'right' ? signTest(count.cart, count.gradient) : pairedTest(differences),
    found:
      measure.kind !== 'right' && occurring.length === 2 && at >= 0 ? { class: at, ...classes[at]! } : null,
  };
}

/** By class: its rows, and how many of them each tree predicts correctly. */
function recalls(rows: Float32Array, part: Part): { rows: number; cart: number; gradient: number }[] {
  const classes: { rows: number; cart: number; gradient: number }[] = [];
  forRows(rows, part, (truth, _cartLeaf, _gradientLeaf, cart, gradient) => {
    while (classes.length <= truth) classes.push({ rows: 0, cart: 0, gradient: 0 });
    const at = classes[truth]!;
    at.rows += 1;
    at.cart += Number(cart === truth);
    at.gradient += Number(gradient === truth);
  });
  return classes;
}

/**
 * Where the rows that reach the node `path` of one tree are in the other: the share of those rows that
 * reaches each of its nodes.
 */
export function shades(
  rows: Float32Array,
  from: TreeView,
  side: Side,
  path: string,
  to: TreeView,
): Map<string, number> {
  const here = from.nodes.map((node) => node.path.startsWith(path));
  const counts = new Array<number>(to.nodes.length).fill(0);
  let all = 0;
  forRows(rows, null, (_truth, cart, gradient) => {
    if (!here[side === 'cart' ? cart : gradient]) return;
    counts[side === 'cart' ? gradient : cart]! += 1;
    all += 1;
  });
  // Children come after their parents, so one pass from the end sums up the tree.
  for (let at = to.nodes.length - 1; at >= 0; at -= 1) {
    const { left, right } = to.nodes[at]!;
    if (left !== null && right !== null) counts[at] = counts[left]! + counts[right]!;
  }
  return new Map(to.nodes.map((node, at) => [node.path, all > 0 ? counts[at]! / all : 0]));
}

/**
 * The next row after `row` on which the trees differ, wrapping around at the end; null if there is none.
 * Regression trees always differ a little, so there it is the next of the tenth that differ most.
 */
export function nextDifferent(rows: Float32Array, regression: boolean, row: number): number | null {
  const apart: { row: number; by: number }[] = [];
  for (const judged of rowsOf(rows, null)) {
    const by = Math.abs(judged.answer.cart - judged.answer.gradient);
    if (by > 0) apart.push({ row: judged.row, by });
  }
  if (regression) {
    apart.sort((a, b) => b.by - a.by);
    apart.length = Math.ceil(apart.length / 10);
  }
  const places = apart.map((one) => one.row).sort((a, b) => a - b);
  return places.find((place) => place > row) ?? places[0] ?? null;
}
