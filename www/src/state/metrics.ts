/** Scores side by side, and the plain sentence about who is better. */
import type { ProblemInfo, Scores, TreeResult } from '../protocol';
import { formatScore, strings } from '../strings';

/** Metrics in the order of the table, and whether more is better. */
const METRICS: readonly { key: string; more: boolean }[] = [
  { key: 'accuracy', more: true },
  { key: 'balanced_accuracy', more: true },
  { key: 'macro_f1', more: true },
  { key: 'auc', more: true },
  { key: 'log_loss', more: false },
  { key: 'r2', more: true },
  { key: 'rmse', more: false },
  { key: 'mae', more: false },
];

export type Winner = 'cart' | 'gradient' | 'tie';

/** One line of the table. */
export interface MetricRow {
  key: string;
  more: boolean;
  cart: number | null;
  gradient: number | null;
  /** Null while a score is missing. */
  better: Winner | null;
}

/** The lines of one part (`test`, `train`, `valid`). Scores that print alike are a tie. */
export function metricRows(cart: Scores | undefined, gradient: Scores | undefined): MetricRow[] {
  const rows: MetricRow[] = [];
  for (const { key, more } of METRICS) {
    const [a, b] = [cart?.[key] ?? null, gradient?.[key] ?? null];
    if (a === null && b === null) continue;
    rows.push({ key, more, cart: a, gradient: b, better: better(a, b, more) });
  }
  return rows;
}

function better(cart: number | null, gradient: number | null, more: boolean): Winner | null {
  if (cart === null || gradient === null) return null;
  if (formatScore(cart) === formatScore(gradient)) return 'tie';
  return gradient > cart === more ? 'gradient' : 'cart';
}

/** Who is ahead on the test rows, and a sentence that also says when that means little; null when nothing can be said. */
export interface Verdict {
  winner: Winner | null;
  sentence: string;
}

export function verdict(problem: ProblemInfo, cart: TreeResult, gradient: TreeResult): Verdict {
  const [a, b] = [cart.metrics['test'], gradient.metrics['test']];
  if (problem.testRows === 0 || !a || !b) return { winner: null, sentence: strings.verdict.noTest };
  return problem.task === 'classification' ? byCount(problem.testRows, a, b) : byError(problem.testRows, a, b);
}

/** Classes: rows answered rightly, since a count can be pictured. */
function byCount(rows: number, cart: Scores, gradient: Scores): Verdict {
  const [p, q] = [cart['accuracy'], gradient['accuracy']];
  if (p === undefined || q === undefined) return { winner: null, sentence: strings.verdict.noTest };
  const right = { cart: Math.round(p * rows), gradient: Math.round(q * rows) };
  if (right.cart === right.gradient) return { winner: 'tie', sentence: strings.verdict.tieCount(rows, right.cart) };
  const winner = right.gradient > right.cart ? 'gradient' : 'cart';
  // Two standard errors of a difference of shares: what another draw of the test rows could easily turn round. The two
  // trees answer the same rows, so the true error is smaller; the sentence errs on the careful side.
  const chance = 2 * Math.sqrt((p * (1 - p) + q * (1 - q)) / rows);
  return { winner, sentence: strings.verdict.count(winner, rows, right, Math.abs(p - q) <= chance) };
}

/** Numbers: the root mean squared error, in the target's own unit. */
function byError(rows: number, cart: Scores, gradient: Scores): Verdict {
  const [a, b] = [cart['rmse'], gradient['rmse']];
  if (a === undefined || b === undefined) return { winner: null, sentence: strings.verdict.noTest };
  const winner = better(a, b, false) ?? 'tie';
  return { winner, sentence: winner === 'tie' ? strings.verdict.tieError(rows, a) : strings.verdict.error(winner, rows, a, b) };
}
