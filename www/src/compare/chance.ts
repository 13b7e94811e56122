/**
 * Significance tests: how often chance alone would give such a difference between two equally good trees.
 * Both trees predict the same rows, so rows are paired.
 */

/** The two-sided sign test: the probability of a split at least as uneven as `a` to `b` for a fair coin. */
export function signTest(a: number, b: number): number {
  const [n, k] = [a + b, Math.min(a, b)];
  if (n === 0) return 1;
  // Summed from the smallest term, each computed from the one before: C(n, i) / 2^n, in logarithms so that
  // nothing underflows.
  let log = -n * Math.LN2;
  let sum = 0;
  for (let i = 0; i <= k; i += 1) {
    sum += Math.exp(log);
    log += Math.log((n - i) / (i + 1));
  }
  return Math.min(1, 2 * sum);
}

/**
 * The two-sided paired t test: the probability of a mean difference at least as far from 0 if the true mean
 * is 0. Student's t is approximated by the normal distribution with t (1 − 1/4ν) / √(1 + t²/2ν) (Abramowitz
 * and Stegun 26.7.8). This is conservative with few rows (0.063 for 0.05 with five) and accurate with many.
 */
export function pairedTest(differences: readonly number[]): number {
  const n = differences.length;
  if (n < 2) return 1;
  const mean = differences.reduce((sum, value) => sum + value, 0) / n;
  const variance = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  if (mean === 0) return 1;
  if (variance === 0) return 0;
  const [t, freedom] = [Math.abs(mean) / Math.sqrt(variance / n), n - 1];
  return beyond((t * (1 - 1 / (4 * freedom))) / Math.sqrt(1 + (t * t) / (2 * freedom)));
}

/**
 * The probability that a standard normal number is farther from 0 than `z`, to 2e-7 (Abramowitz and Stegun
 * 7.1.26).
 */
function beyond(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return sum * Math.exp(-x * x);
}
