/**
 * The same comparison with several seeds: with how many each tree is better, and how much the scores vary.
 */
import type { Scores, TreeResult } from '../protocol';
import { metricRows, type Winner } from './metrics';

/** What is kept of a tree of which only the scores are needed. */
export interface Outcome {
  metrics: Record<string, Scores>;
  leaves: number;
  depth: number;
}

export interface SeedRun {
  seed: number;
  cart: Outcome;
  gradient: Outcome;
}

export function outcomeOf({ metrics, tree }: TreeResult): Outcome {
  return { metrics, leaves: tree.leaves, depth: tree.depth };
}

/**
 * With how many seeds each tree is better on the test rows. Scores that print alike are a tie, as in the
 * table of scores.
 */
export function tally(runs: readonly SeedRun[], key: string): Record<Winner, number> {
  const count = { cart: 0, gradient: 0, tie: 0 };
  for (const { cart, gradient } of runs) {
    const row = metricRows(cart.metrics['test'], gradient.metrics['test']).find((row) => row.key === key);
    count[row?.better ?? 'tie'] += 1;
  }
  return count;
}

export interface Spread {
  mean: number;
  /** The standard deviation over runs; 0 for a single one. */
  deviation: number;
}

export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) };
}

/** One row of the table: a score of both trees over all seeds. */
export interface SpreadRow {
  key: string;
  more: boolean;
  cart: Spread | null;
  gradient: Spread | null;
}

/** The rows of one part: every score that any run has, the deciding one first. */
export function spreadRows(runs: readonly SeedRun[], part: string, deciding = ''): SpreadRow[] {
  const first = runs[0];
  if (first === undefined) return [];
  const of = (side: 'cart' | 'gradient', key: string) =>
    spreadOf(
      runs
        .map((run) => run[side].metrics[part]?.[key])
        .filter((value): value is number => value !== undefined),
    );
  return metricRows(first.cart.metrics[part], first.gradient.metrics[part], deciding).map(
    ({ key, more }) => ({
      key,
      more,
      cart: of('cart', key),
      gradient: of('gradient', key),
    }),
  );
}
