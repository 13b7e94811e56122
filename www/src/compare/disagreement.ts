/** Where two trees predict differently, leaf against leaf, and which of them is right. */
import { forRows, type Part, type Side } from './judged';

/** The rows shared by a leaf of one tree and a leaf of the other. */
export interface Meeting {
  rows: number;
  cart: number;
  gradient: number;
}

export interface Disagreement {
  cart: number[];
  gradient: number[];
  /** By CART's leaf, then the learner's leaf, as positions in the two lists. */
  cells: (Meeting | null)[][];
  differ: number;
  all: number;
  right: Record<Side, number>;
  /** Number of leaves left out, on both sides. */
  omitted: number;
}

/**
 * Compares leaf against leaf, only where predictions differ; for regression, everywhere. The right tree is
 * the one with the true class, or the one nearer to the number. The `most` leaves with most such rows on
 * either side are kept.
 */
export function disagreement(
  rows: Float32Array,
  part: Part,
  regression: boolean,
  most: number,
): Disagreement {
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
    const winner = regression
      ? cart < gradient
        ? 'cart'
        : 'gradient'
      : cart === 0
        ? 'cart'
        : gradient === 0
          ? 'gradient'
          : null;
    if (winner === null) return;
    at[winner] += 1;
    right[winner] += 1;
  });
  const kept = (side: Side) =>
    [...weight[side]]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([leaf]) => leaf)
      .sort((a, b) => a - b);
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

/** One key for two leaves; no tree has as many nodes. */
const meetingKey = (cart: number, gradient: number) => cart * 2 ** 24 + gradient;

/** Which tree is right on these rows. */
export function verdictOf({ cart, gradient }: Meeting): 'cart' | 'gradient' | 'neither' | 'mixed' {
  if (cart === 0 && gradient === 0) return 'neither';
  if (gradient === 0 || cart > 3 * gradient) return 'cart';
  return cart === 0 || gradient > 3 * cart ? 'gradient' : 'mixed';
}
