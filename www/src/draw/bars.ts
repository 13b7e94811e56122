// The small mark inside each node: a stacked bar of class counts, or mean ± standard deviation on a common
// axis.

/** One part of a stacked bar: from `x0` to `x1` in pixels. */
export interface Segment {
  slot: number;
  x0: number;
  x1: number;
}

/**
 * Stacked segments over `width` pixels, in slot order, without gaps: the first starts at 0, the last ends at
 * `width`. Empty counts give no segment; no counts at all give none.
 */
export function stackSegments(counts: readonly number[], width: number): Segment[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (!(total > 0)) return [];
  const segments: Segment[] = [];
  let before = 0;
  for (const [slot, count] of counts.entries()) {
    if (count <= 0) continue;
    // Ends are computed from the running sum, so that rounding never leaves a sliver at the right end.
    segments.push({ slot, x0: (before / total) * width, x1: ((before + count) / total) * width });
    before += count;
  }
  return segments;
}

/** A segment as a path, `height` pixels high, with a gap to its right neighbour if there is room for one. */
export function segmentPath(segment: Segment, width: number, height: number): string {
  const gap = segment.x1 < width && segment.x1 - segment.x0 > 3 ? 1 : 0;
  const x1 = segment.x1 - gap;
  return `M${fixed(segment.x0)},0H${fixed(x1)}V${height}H${fixed(segment.x0)}Z`;
}

/** The target's range over a whole tree, so that every node's mark has the same axis. */
export interface Range {
  low: number;
  high: number;
}

/** The common axis of means ± standard deviations; null if nothing is known. */
export function spreadRange(
  nodes: readonly { mean: number | null; deviation: number | null }[],
): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (const { mean, deviation } of nodes) {
    if (mean === null || !Number.isFinite(mean)) continue;
    low = Math.min(low, mean - (deviation ?? 0));
    high = Math.max(high, mean + (deviation ?? 0));
  }
  if (low > high) return null;
  // A tree whose nodes all have the same value still needs an axis with some length.
  return low < high ? { low, high } : { low: low - 1, high: high + 1 };
}

/** Positions of the mean and of mean ± standard deviation on a bar of `width` pixels; always within it. */
export interface Spread {
  x0: number;
  mean: number;
  x1: number;
}

export function spread(mean: number, deviation: number, range: Range, width: number): Spread {
  const at = (value: number) =>
    Math.min(width, Math.max(0, ((value - range.low) / (range.high - range.low)) * width));
  return { x0: at(mean - deviation), mean: at(mean), x1: at(mean + deviation) };
}

/** Width of an edge in pixels: by the square root of its share of rows, from 1 px to `most`. */
export function edgeWidth(rows: number, rootRows: number, most = 7): number {
  if (!(rootRows > 0) || !(rows > 0)) return 1;
  return Math.max(1, most * Math.sqrt(Math.min(1, rows / rootRows)));
}

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100);
}
