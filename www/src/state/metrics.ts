/** Scores side by side, and the plain sentence about who is better. */
import type { ProblemInfo, Scores, TreeResult } from '../protocol';
import { formatScore, strings } from '../strings';
import { duel, type Duel, type Measure, type Side } from './judged';

/** Metrics in the order of the table, and whether more is better. */
const METRICS: readonly { key: string; more: boolean }[] = [
  { key: 'cost', more: false },
  { key: 'accuracy', more: true },
  { key: 'balanced_accuracy', more: true },
  { key: 'macro_f1', more: true },
  { key: 'auc', more: true },
  { key: 'log_loss', more: false },
  { key: 'calibration_error', more: false },
  { key: 'dendrogram_purity', more: true },
  { key: 'rmse', more: false },
  { key: 'r2', more: true },
  { key: 'mae', more: false },
];

/** The metric that decides which tree is better; empty for groups, which are compared with nothing that is a tree. */
export function decidingMetric({ task, decision }: ProblemInfo): string {
  if (task === 'regression') return 'rmse';
  return task === 'classification' ? (decision?.metric ?? 'accuracy') : '';
}

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

/** The lines of one part (`test`, `train`, `valid`), the deciding metric first. Scores that print alike are a tie. */
export function metricRows(cart: Scores | undefined, gradient: Scores | undefined, deciding = ''): MetricRow[] {
  const rows: MetricRow[] = [];
  for (const { key, more } of METRICS) {
    const [a, b] = [cart?.[key] ?? null, gradient?.[key] ?? null];
    if (a === null && b === null) continue;
    rows.push({ key, more, cart: a, gradient: b, better: better(a, b, more) });
  }
  return rows.sort((a, b) => Number(b.key === deciding) - Number(a.key === deciding));
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

export function verdict(
  problem: ProblemInfo,
  cart: TreeResult,
  gradient: TreeResult,
  rows: Float32Array | null = null,
): Verdict {
  const [a, b] = [cart.metrics['test'], gradient.metrics['test']];
  const metric = decidingMetric(problem);
  const scores = { cart: a?.[metric], gradient: b?.[metric] };
  if (problem.testRows === 0 || scores.cart === undefined || scores.gradient === undefined) {
    return { winner: null, sentence: strings.verdict.noTest };
  }
  const judge = metric === 'accuracy' ? byCount : byScore;
  const fought = rows === null ? null : duel(rows, 'test', measureOf(problem));
  return judge(problem, { cart: scores.cart, gradient: scores.gradient }, fought);
}

/** How a row counts, so that the test is of what the metric measures. */
export function measureOf({ task, decision }: ProblemInfo): Measure {
  if (task === 'regression') return { kind: 'squares' };
  if (decision?.metric === 'cost') return { kind: 'costs', costs: decision.costs };
  return { kind: decision?.metric === 'balanced_accuracy' ? 'balanced' : 'right' };
}

/** Right answers: rows answered rightly, since a count can be pictured. */
function byCount({ testRows }: ProblemInfo, scores: Record<Side, number>, fought: Duel | null): Verdict {
  const { cart: p, gradient: q } = scores;
  const right = { cart: Math.round(p * testRows), gradient: Math.round(q * testRows) };
  if (right.cart === right.gradient) return { winner: 'tie', sentence: strings.verdict.tieCount(testRows, right.cart) };
  const winner = right.gradient > right.cart ? 'gradient' : 'cart';
  // Both trees answer the same rows, so a sign test on the rows where only one is right decides. Until the rows are here: two
  // standard errors of a difference of shares, which is careful, since it takes the answers for independent.
  const careful = Math.abs(p - q) <= 2 * Math.sqrt((p * (1 - p) + q * (1 - q)) / testRows);
  const chance = fought === null ? careful : fought.chance >= RARE;
  const sentence = strings.verdict.count(winner, testRows, right, chance);
  if (fought === null) return { winner, sentence };
  const tested = strings.verdict.chance(fought.chance, 'sign test');
  return { winner, sentence: sentence + strings.verdict.alone(fought) + tested };
}

/** Every other metric: the score itself, and what it means for the rows of the rarest class. */
function byScore(problem: ProblemInfo, scores: Record<Side, number>, fought: Duel | null): Verdict {
  const { testRows } = problem;
  const metric = decidingMetric(problem);
  const winner = better(scores.cart, scores.gradient, metric === 'balanced_accuracy') ?? 'tie';
  if (winner === 'tie') return { winner, sentence: strings.verdict.tieScore(metric, testRows, scores.cart) };
  const sentence = strings.verdict.score(winner, metric, testRows, scores, fought !== null && fought.chance >= RARE);
  if (fought === null) return { winner, sentence };
  const name = problem.classes[fought.found?.class ?? -1] ?? '';
  const found = fought.found === null ? '' : strings.verdict.found(winner, name, fought.found);
  const nearer = problem.task === 'regression' ? strings.verdict.nearer(fought) : '';
  return { winner, sentence: sentence + found + nearer + strings.verdict.chance(fought.chance, 'paired t test') };
}
