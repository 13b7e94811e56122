// The loss curve: restarts one after another along x, thinned to the pixels there are.

import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';

/** One epoch of a training: the losses of restart `restart` (from 1) after `epoch` epochs. */
export interface LossPoint {
  restart: number;
  epoch: number;
  train: number;
  valid: number;
}

/** A point of one line: `x` counts epochs over all restarts. */
export interface CurvePoint {
  x: number;
  y: number;
}

export interface Stretch {
  restart: number;
  /** Where the restart's epoch 0 lies on the common x axis. */
  offset: number;
  train: CurvePoint[];
  valid: CurvePoint[];
}

/** The curve cut into restarts, each behind the one before. Points without a finite loss are left out of their line. */
export function stretches(points: readonly LossPoint[]): Stretch[] {
  const result: Stretch[] = [];
  let end = 0;
  let current: Stretch | undefined;
  for (const point of points) {
    if (current === undefined || point.restart !== current.restart) {
      current = { restart: point.restart, offset: end, train: [], valid: [] };
      result.push(current);
    }
    const x = current.offset + point.epoch;
    end = Math.max(end, x);
    if (Number.isFinite(point.train)) current.train.push({ x, y: point.train });
    if (Number.isFinite(point.valid)) current.valid.push({ x, y: point.valid });
  }
  return result;
}

/**
 * At most four points per column of `columns`: the first, the least, the greatest and the last, in their order. A line
 * through them covers the same pixels as a line through all.
 */
export function thin(points: readonly CurvePoint[], columns: number): CurvePoint[] {
  const first = points[0];
  const last = points[points.length - 1];
  if (first === undefined || last === undefined || columns < 1 || points.length <= 4 * columns) return [...points];
  const width = (last.x - first.x) / columns || 1;
  const kept: CurvePoint[] = [];
  let start = 0;
  while (start < points.length) {
    const column = Math.floor((points[start]!.x - first.x) / width);
    let end = start;
    let least = start;
    let greatest = start;
    while (end < points.length && Math.floor((points[end]!.x - first.x) / width) === column) {
      if (points[end]!.y < points[least]!.y) least = end;
      if (points[end]!.y > points[greatest]!.y) greatest = end;
      end += 1;
    }
    const marks = [...new Set([start, least, greatest, end - 1])].sort((a, b) => a - b);
    for (const mark of marks) kept.push(points[mark]!);
    start = end;
  }
  return kept;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Tick {
  at: number;
  label: string;
}

export interface Chart {
  train: string[];
  valid: string[];
  /** Where a restart begins, but for the first. */
  separators: number[];
  /** The middle of each restart on the x axis, for its label. */
  restarts: { at: number; restart: number }[];
  xTicks: Tick[];
  yTicks: Tick[];
  /** The point of least validation loss, as the engine named it. */
  best: { x: number; y: number; valid: number } | null;
}

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** All marks of the chart inside `box`; none without a point. */
export function drawChart(
  points: readonly LossPoint[],
  box: Box,
  bestEpoch: number | null,
  bestRestart: number | null,
): Chart | null {
  const parts = stretches(points);
  const all = parts.flatMap((part) => [...part.train, ...part.valid]);
  if (all.length === 0) return null;

  let lastX = 0;
  let low = Infinity;
  let high = -Infinity;
  for (const { x, y } of all) {
    lastX = Math.max(lastX, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  if (low === high) {
    low -= Math.abs(low) * 0.1 || 0.1;
    high += Math.abs(high) * 0.1 || 0.1;
  }
  const x = scaleLinear().domain([0, Math.max(1, lastX)]).range([box.left, box.right]);
  const y = scaleLinear().domain([low, high]).nice(4).range([box.bottom, box.top]);

  const columns = Math.max(1, Math.floor(box.right - box.left));
  const through = line<CurvePoint>((point) => x(point.x), (point) => y(point.y)).digits(2);
  const path = (points: CurvePoint[]) => through(thin(points, columns)) ?? '';
  const format = y.tickFormat(4);
  const ends = parts.map((_, index) => parts[index + 1]?.offset ?? lastX);

  return {
    train: parts.map((part) => path(part.train)).filter((d) => d !== ''),
    valid: parts.map((part) => path(part.valid)).filter((d) => d !== ''),
    separators: parts.slice(1).map((part) => x(part.offset)),
    restarts: parts.map((part, index) => ({ at: x((part.offset + ends[index]!) / 2), restart: part.restart })),
    // Epochs are counted anew in every restart, so numbers along a common axis would mislead there.
    xTicks:
      parts.length > 1
        ? []
        : x.ticks(5).filter(Number.isInteger).map((value) => ({ at: x(value), label: whole.format(value) })),
    yTicks: y.ticks(4).map((value) => ({ at: y(value), label: format(value) })),
    best: bestMark(points, parts, bestEpoch, bestRestart, x, y),
  };
}

function bestMark(
  points: readonly LossPoint[],
  parts: readonly Stretch[],
  epoch: number | null,
  restart: number | null,
  x: (value: number) => number,
  y: (value: number) => number,
): Chart['best'] {
  const point = points.find((at) => at.epoch === epoch && at.restart === restart);
  const part = parts.find((at) => at.restart === restart);
  if (point === undefined || part === undefined || !Number.isFinite(point.valid)) return null;
  return { x: x(part.offset + point.epoch), y: y(point.valid), valid: point.valid };
}

/** What the chart shows, in a sentence or two. */
export function chartText(
  points: readonly LossPoint[],
  bestEpoch: number | null,
  bestRestart: number | null,
): string {
  const last = points[points.length - 1];
  if (last === undefined) return 'No training yet.';
  const restarts = new Set(points.map((point) => point.restart)).size;
  const loss = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
  const say = (value: number) => (Number.isFinite(value) ? loss.format(value) : 'unknown');
  const where = restarts > 1 ? `Restart ${last.restart}, epoch ${whole.format(last.epoch)}` : `Epoch ${whole.format(last.epoch)}`;
  const best = points.find((point) => point.epoch === bestEpoch && point.restart === bestRestart);
  const bestWhere = restarts > 1 ? `restart ${bestRestart}, epoch ${bestEpoch}` : `epoch ${bestEpoch}`;
  const bestText =
    best !== undefined && Number.isFinite(best.valid)
      ? ` Least validation loss ${say(best.valid)} at ${bestWhere}.`
      : '';
  const valid = Number.isFinite(last.valid) ? `, validation loss ${say(last.valid)}` : '';
  return `${where}: training loss ${say(last.train)}${valid}.${bestText}`;
}
