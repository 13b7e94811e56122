/** Scores side by side, and which of two is better. */
import type { ProblemInfo, Scores } from '../protocol';
import { formatScore } from '../text/numbers';

/** Metrics in table order, and whether higher is better. */
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

/**
 * The metric that decides which tree is better; empty for groups, which are not compared with another tree.
 */
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

/**
 * The rows of one part (`test`, `train`, `valid`), the deciding metric first. Scores that print alike are a
 * tie.
 */
export function metricRows(
  cart: Scores | undefined,
  gradient: Scores | undefined,
  deciding = '',
): MetricRow[] {
  const rows: MetricRow[] = [];
  for (const { key, more } of METRICS) {
    const [a, b] = [cart?.[key] ?? null, gradient?.[key] ?? null];
    if (a === null && b === null) continue;
    rows.push({ key, more, cart: a, gradient: b, better: better(a, b, more) });
  }
  return rows.sort((a, b) => Number(b.key === deciding) - Number(a.key === deciding));
}

/** Which of two scores is better; null while one is missing, a tie if they print alike. */
export function better(cart: number | null, gradient: number | null, more: boolean): Winner | null {
  if (cart === null || gradient === null) return null;
  if (formatScore(cart) === formatScore(gradient)) return 'tie';
  return gradient > cart === more ? 'gradient' : 'cart';
}
