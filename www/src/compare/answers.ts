/**
 * The answer rule as the settings spell it: `auto`, `likeliest`, `balanced`, or `costs:` with a row per true
 * class. A row has a cost per answer, or one number for every mistake with that class.
 */

export const RULES = ['auto', 'likeliest', 'balanced', 'costs'] as const;

export type Rule = (typeof RULES)[number];

const COSTS = 'costs:';

/**
 * With more classes than this, a matrix is too large to fill in by hand: each class gets one cost for all its
 * mistakes.
 */
export const MOST_CELLS = 8;

export type Matrix = readonly (readonly number[])[];

export function ruleOf(answers: string): Rule {
  if (answers.startsWith(COSTS)) return 'costs';
  return RULES.find((rule) => rule === answers) ?? 'auto';
}

/** The default costs: all mistakes cost the same. */
export function usualCosts(classes: number): Matrix {
  const row = (truth: number) => Array.from({ length: classes }, (_, answer) => (truth === answer ? 0 : 1));
  return Array.from({ length: classes }, (_, truth) => row(truth));
}

/** The cost of any mistake with each class; null if it depends on the answer. */
export function classCosts(costs: Matrix): readonly number[] | null {
  const each = costs.map((row, truth) => row[truth === 0 ? 1 : 0] ?? NaN);
  const same = costs.every((row, truth) =>
    row.every((cost, answer) => cost === (truth === answer ? 0 : each[truth])),
  );
  return same ? each : null;
}

/** The matrix of such costs. */
const eachOf = (each: readonly number[]): Matrix =>
  each.map((cost, truth) => each.map((_, answer) => (truth === answer ? 0 : cost)));

export function writeCosts(costs: Matrix): string {
  const each = costs.length > MOST_CELLS ? classCosts(costs) : null;
  return COSTS + (each ?? costs.map((row) => row.join(','))).join(';');
}

/** The matrix of a rule; null if the rule has none, or if it is not a square of usable numbers. */
export function readCosts(answers: string): Matrix | null {
  if (!answers.startsWith(COSTS)) return null;
  const rows = answers.slice(COSTS.length).split(';');
  const costs = rows.map((row) => row.split(',').map((cell) => (cell.trim() === '' ? NaN : Number(cell))));
  const fits = (length: number) => costs.length > 1 && costs.every((row) => row.length === length);
  const matrix = fits(1) ? eachOf(costs.flat()) : fits(costs.length) ? costs : null;
  return matrix && costsProblem(matrix) === null ? matrix : null;
}

/** What is wrong with costs, and where. */
export type CostsProblem = { kind: 'number' | 'negative'; truth: number; answer: number } | { kind: 'zero' };

export function costsProblem(costs: Matrix): CostsProblem | null {
  for (const [truth, row] of costs.entries()) {
    for (const [answer, cost] of row.entries()) {
      if (!Number.isFinite(cost)) return { kind: 'number', truth, answer };
      if (cost < 0) return { kind: 'negative', truth, answer };
    }
  }
  return costs.flat().every((cost) => cost === 0) ? { kind: 'zero' } : null;
}

/** Costs that make the second of two classes the answer from this probability on. */
export function thresholdCosts(threshold: number): string {
  // Rounded as people write it: 1 − 0.22 has sixteen digits.
  const miss = Math.round((1 - threshold) * 1e6) / 1e6;
  return writeCosts([
    [0, threshold],
    [miss, 0],
  ]);
}

/** The rule for another target or file, without costs, which would not fit its classes. */
export function withoutCosts(answers: string): string {
  return ruleOf(answers) === 'costs' ? 'auto' : answers;
}

/** The same costs with the two classes swapped. */
export function swapped(answers: string): string {
  const costs = readCosts(answers);
  return costs?.length === 2 ? writeCosts([...costs].reverse().map((row) => [...row].reverse())) : answers;
}

/** Whether a rule from the address is valid. */
export function isRule(answers: string): boolean {
  return readCosts(answers) !== null || (RULES.some((rule) => rule === answers) && answers !== 'costs');
}
