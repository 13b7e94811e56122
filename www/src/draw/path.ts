// The paths that the drawings need, with few digits.

import type { Point } from './tree';

/** Rounds to `digits` decimals, and writes no more of them than needed. */
function rounded(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit;
}

/**
 * Straight lines from point to point; a single point is a dot for round line ends, and no points give
 * nothing.
 */
export function throughPoints(points: readonly Point[], digits: number): string {
  const d = points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${rounded(x, digits)},${rounded(y, digits)}`)
    .join('');
  return points.length === 1 ? `${d}Z` : d;
}

/** From one point down to another, leaving and arriving vertically. */
export function downwards(from: Point, to: Point, digits: number): string {
  const [x0, y0, x1, y1, middle] = [from.x, from.y, to.x, to.y, (from.y + to.y) / 2].map((value) =>
    rounded(value, digits),
  );
  return `M${x0},${y0}C${x0},${middle},${x1},${middle},${x1},${y1}`;
}
