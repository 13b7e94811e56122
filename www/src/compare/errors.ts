/** Errors of regression trees. */
import { rowsOf, type Part, type Side } from './judged';

/** True and predicted numbers of at most `most` evenly spaced rows, and the errors of all rows. */
export function errorsOf(
  rows: Float32Array,
  part: Part,
  side: Side,
  most: number,
): { points: { truth: number; said: number }[]; errors: number[] } {
  const points = [...rowsOf(rows, part)].map(({ truth, answer }) => ({ truth, said: answer[side] }));
  const every = Math.max(1, Math.ceil(points.length / most));
  return {
    points: points.filter((_, index) => index % every === 0),
    errors: points.map(({ truth, said }) => said - truth),
  };
}

/**
 * Counts values in each of `bins` equal intervals from −`reach` to `reach`; values outside count at the ends.
 */
export function spreadAround(values: readonly number[], reach: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const at = Math.floor(((value + reach) / (2 * reach)) * bins);
    counts[Math.min(bins - 1, Math.max(0, at))]! += 1;
  }
  return counts;
}
