/** Scores side by side, and the plain sentence about who is better. */
import type { ProblemInfo, Scores, TreeResult } from '../protocol';
import { formatScore, strings } from '../strings';
import { duel, type Duel } from './judged';

/** Metrics in the order of the table, and whether more is better. */
const METRICS: readonly { key: string; more: boolean }[] = [
  { key: 'accuracy', more: true },
  { key: 'balanced_accuracy', more: true },
  { key: 'macro_f1', more: true },
  { key: 'auc', more: true },
  { key: 'log_loss', more: false },
  { key: 'dendrogram_purity', more: true },
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

/** A difference that two equally good trees would show less often than this is called one. */
const RARE = 0.05;

export function verdict(problem: ProblemInfo, cart: TreeResult, gradient: TreeResult, rows: Float32Array | null = null): Verdict {
  const [a, b] = [cart.metrics['test'], gradient.metrics['test']];
  if (problem.testRows === 0 || !a || !b) return { winner: null, sentence: strings.verdict.noTest };
  const regression = problem.task !== 'classification';
  const fought = rows === null ? null : duel(rows, 'test', regression);
  const judged = regression ? byError(problem.testRows, a, b, fought) : byCount(problem.testRows, a, b, fought);
  if (fought === null || judged.winner === null || judged.winner === 'tie') return judged;
  return { ...judged, sentence: judged.sentence + strings.verdict.duel(fought, regression, fought.chance) };
}

/** Classes: rows answered rightly, since a count can be pictured. */
function byCount(rows: number, cart: Scores, gradient: Scores, fought: Duel | null): Verdict {
  const [p, q] = [cart['accuracy'], gradient['accuracy']];
  if (p === undefined || q === undefined) return { winner: null, sentence: strings.verdict.noTest };
  const right = { cart: Math.round(p * rows), gradient: Math.round(q * rows) };
  if (right.cart === right.gradient) return { winner: 'tie', sentence: strings.verdict.tieCount(rows, right.cart) };
  const winner = right.gradient > right.cart ? 'gradient' : 'cart';
  // Both trees answer the same rows, so a sign test on the rows where only one is right decides. Until the rows are here: two
  // standard errors of a difference of shares, which is careful, since it takes the answers for independent.
  const careful = Math.abs(p - q) <= 2 * Math.sqrt((p * (1 - p) + q * (1 - q)) / rows);
  const chance = fought === null ? careful : fought.chance >= RARE;
  return { winner, sentence: strings.verdict.count(winner, rows, right, chance) };
}

/** Numbers: the root mean squared error, in the target's own unit. */
function byError(rows: number, cart: Scores, gradient: Scores, fought: Duel | null): Verdict {
  const [a, b] = [cart['rmse'], gradient['rmse']];
  if (a === undefined || b === undefined) return { winner: null, sentence: strings.verdict.noTest };
  const winner = better(a, b, false) ?? 'tie';
  return { winner, sentence: winner === 'tie' ? strings.verdict.tieError(rows, a) : strings.verdict.error(winner, rows, a, b, (fought?.chance ?? 0) >= RARE) };
}
