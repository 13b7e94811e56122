/** The sentence about which tree is better. */
import type { ProblemInfo, TreeResult } from '../protocol';
import { strings, type TreeNames } from '../text/strings';
import { duel, type Duel, type Measure, type Side } from './judged';
import { better, decidingMetric, type Winner } from './metrics';

/**
 * Which tree is ahead on the test rows, and a sentence that also says when that means little; null if nothing
 * can be said.
 */
export interface Verdict {
  winner: Winner | null;
  sentence: string;
}

/** A difference is significant if chance alone would give it less often than this. */
const RARE = 0.05;

export function verdict(
  problem: ProblemInfo,
  cart: TreeResult,
  gradient: TreeResult,
  names: TreeNames,
  rows: Float32Array | null = null,
): Verdict {
  if (gradient.model === 'cart') return { winner: 'tie', sentence: strings.verdict.same };
  const [a, b] = [cart.metrics['test'], gradient.metrics['test']];
  const metric = decidingMetric(problem);
  const scores = { cart: a?.[metric], gradient: b?.[metric] };
  if (problem.testRows === 0 || scores.cart === undefined || scores.gradient === undefined) {
    return { winner: null, sentence: strings.verdict.noTest };
  }
  const judge = metric === 'accuracy' ? byCount : byScore;
  const fought = rows === null ? null : duel(rows, 'test', measureOf(problem));
  return judge(problem, names, { cart: scores.cart, gradient: scores.gradient }, fought);
}

/** How a row counts, so that the test measures what the metric measures. */
export function measureOf({ task, decision }: ProblemInfo): Measure {
  if (task === 'regression') return { kind: 'squares' };
  if (decision?.metric === 'cost') return { kind: 'costs', costs: decision.costs };
  return { kind: decision?.metric === 'balanced_accuracy' ? 'balanced' : 'right' };
}

/** For accuracy: the number of correctly predicted rows, because a count is easy to picture. */
function byCount(
  { testRows }: ProblemInfo,
  names: TreeNames,
  scores: Record<Side, number>,
  fought: Duel | null,
): Verdict {
  const { cart: p, gradient: q } = scores;
  const right = { cart: Math.round(p * testRows), gradient: Math.round(q * testRows) };
  if (right.cart === right.gradient)
    return { winner: 'tie', sentence: strings.verdict.tieCount(testRows, right.cart) };
  const winner = right.gradient > right.cart ? 'gradient' : 'cart';
  // Both trees predict the same rows, so a sign test on the rows where only one is right decides. Until the
  // rows are here, the limit is two standard errors of a difference of shares. That is conservative, because
  // it treats the predictions as independent.
  const careful = Math.abs(p - q) <= 2 * Math.sqrt((p * (1 - p) + q * (1 - q)) / testRows);
  const chance = fought === null ? careful : fought.chance >= RARE;
  const sentence = strings.verdict.count(names, winner, testRows, right, chance);
  if (fought === null) return { winner, sentence };
  const tested = strings.verdict.chance(fought.chance, 'sign test');
  return { winner, sentence: sentence + strings.verdict.alone(names, fought) + tested };
}

/** For every other metric: the score itself, and what it means for the rows of the rarest class. */
function byScore(
  problem: ProblemInfo,
  names: TreeNames,
  scores: Record<Side, number>,
  fought: Duel | null,
): Verdict {
  const { testRows } = problem;
  const metric = decidingMetric(problem);
  const winner = better(scores.cart, scores.gradient, metric === 'balanced_accuracy') ?? 'tie';
  if (winner === 'tie') return { winner, sentence: strings.verdict.tieScore(metric, testRows, scores.cart) };
  const sentence = strings.verdict.score(
    names,
    winner,
    metric,
    testRows,
    scores,
    fought !== null && fought.chance >= RARE,
  );
  if (fought === null) return { winner, sentence };
  const name = problem.classes[fought.found?.class ?? -1] ?? '';
  const found = fought.found === null ? '' : strings.verdict.found(names, winner, name, fought.found);
  const nearer = problem.task === 'regression' ? strings.verdict.nearer(names, fought) : '';
  return {
    winner,
    sentence: sentence + found + nearer + strings.verdict.chance(fought.chance, 'paired t test'),
  };
}
