// The rows that reach a node, along the axis of its split: bars, the threshold as a wedge, and the greedy
// threshold.

import type { Range } from './bars';

/** Numbers of a node before its bars: minimum, maximum, threshold, greedy threshold. */
const HEAD = 4;

/** One node's histogram, as the engine lays it out (`run::marks`). */
export interface Histogram {
  low: number;
  high: number;
  /** Where the split cuts the axis. */
  cut: number;
  /** Where a greedy learner would cut the same rows; null if nowhere. */
  greedy: number | null;
  /** Whether bars are words, not intervals of an axis. */
  words: boolean;
  bars: number;
  slots: number;
  /** `slots` numbers for each bar: rows by class, or rows and mean of the target. */
  numbers: Float32Array;
}

/** The histogram of the node at `index`; null for a leaf, and if nothing is known. */
export function histogramAt(marks: Float32Array | null, index: number): Histogram | null {
  if (marks === null || marks.length < 2) return null;
  const [bins = 0, slots = 0] = marks;
  const size = HEAD + bins * slots;
  const record = marks.subarray(2 + index * size, 2 + (index + 1) * size);
  const [low = 0, high = 0, cut = NaN, greedy = NaN] = record;
  if (record.length < size || Number.isNaN(cut) || !(low < high)) return null;
  const words = greedy === -Infinity;
  return {
    low,
    high,
    cut,
    greedy: Number.isFinite(greedy) ? greedy : null,
    words,
    bars: words ? Math.round(high) : bins,
    slots,
    numbers: record.subarray(HEAD),
  };
}

/** The position of a value on an axis of `width` pixels; values outside are at the ends. */
export function along({ low, high }: Histogram, value: number, width: number): number {
  return Math.min(width, Math.max(0, ((value - low) / (high - low)) * width));
}

/** Stacked bars, one path per class that has rows here; the tallest fills the height. */
export function classBars(
  histogram: Histogram,
  width: number,
  height: number,
): { slot: number; d: string }[] {
  const { bars, slots, numbers } = histogram;
  const total = (bar: number) => sum(numbers.subarray(bar * slots, (bar + 1) * slots));
  const most = Math.max(0, ...Array.from({ length: bars }, (_, bar) => total(bar)));
  if (!(most > 0)) return [];
  const paths: string[] = new Array(slots).fill('');
  const step = width / bars;
  for (let bar = 0; bar < bars; bar += 1) {
    let foot = height;
    for (let slot = 0; slot < slots; slot += 1) {
      const rows = numbers[bar * slots + slot] ?? 0;
      if (rows <= 0) continue;
      const top = foot - (rows / most) * height;
      paths[slot] += box(bar * step, top, step, foot);
      foot = top;
    }
  }
  return paths.flatMap((d, slot) => (d === '' ? [] : [{ slot, d }]));
}

/** Bars of rows as one path, and the target's mean in each bar as a line on the tree's common scale. */
export function valueBars(
  histogram: Histogram,
  range: Range | null,
  width: number,
  height: number,
): { bars: string; mean: string } {
  const { bars, slots, numbers } = histogram;
  const rowsOf = (bar: number) => numbers[bar * slots] ?? 0;
  const most = Math.max(0, ...Array.from({ length: bars }, (_, bar) => rowsOf(bar)));
  const step = width / bars;
  let [d, mean] = ['', ''];
  let drawing = false;
  for (let bar = 0; bar < bars; bar += 1) {
    const rows = rowsOf(bar);
    if (rows <= 0) {
      drawing = false;
      continue;
    }
    d += box(bar * step, height - (rows / most) * height, step, height);
    if (range === null) continue;
    const share = ((numbers[bar * slots + 1] ?? 0) - range.low) / (range.high - range.low);
    const y = height - Math.min(1, Math.max(0, share)) * height;
    // A short horizontal stroke in every bar, joined to its neighbour: a single bar still shows its mean.
    mean += `${drawing ? 'L' : 'M'}${fixed(bar * step)},${fixed(y)}H${fixed((bar + 1) * step)}`;
    drawing = true;
  }
  return { bars: d, mean };
}

/** Small strokes at former thresholds, oldest first. */
export function trailPath(histogram: Histogram, cuts: readonly number[], width: number): string {
  const seen = new Set<number>();
  return cuts
    .map((cut) => fixed(along(histogram, cut, width)))
    .filter((x) => !seen.has(x) && seen.add(x))
    .map((x) => `M${x},0V3`)
    .join('');
}

function box(x: number, top: number, step: number, foot: number): string {
  // Anything that occurs is visible, however rare; a hairline gap separates bars.
  const head = Math.min(top, foot - 0.6);
  return `M${fixed(x)},${fixed(foot)}V${fixed(head)}H${fixed(x + step * 0.92)}V${fixed(foot)}Z`;
}

function sum(numbers: Float32Array): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}
