// The loss curve: restarts one after another along x, thinned to the available pixels.

import { numberFormat } from '../text/locale';
import type { LossPoint } from '../messages';
import { throughPoints } from './path';
import { linear } from './scale';

/** Whether a soft tree is trained, so that the hard tree has a loss of its own. */
export function isSoft(points: readonly LossPoint[]): boolean {
  return points.some(({ hard }) => Number.isFinite(hard));
}

/** A point of one line: `x` counts epochs over all restarts. */
export interface CurvePoint {
  x: number;
  y: number;
}

export type Line = 'train' | 'valid' | 'hard';

/** One restart: the points `from` up to, but not including, `to`. */
export interface Stretch {
  restart: number;
  /** Where the restart's epoch 0 is on the common x axis. */
  offset: number;
  from: number;
  to: number;
}

/** Splits the curve into restarts, one after the other. */
export function stretches(points: readonly LossPoint[]): Stretch[] {
  const result: Stretch[] = [];
  let end = 0;
  let before = 0;
  let current: Stretch | undefined;
  for (const [index, { restart, epoch }] of points.entries()) {
    // A last stage may start again more than once.
    if (current === undefined || restart !== current.restart || epoch < before) {
      current = { restart, offset: end, from: index, to: index };
      result.push(current);
    }
    before = epoch;
    current.to = index + 1;
    end = Math.max(end, current.offset + epoch);
  }
  return result;
}

/**
 * A restart's line with at most four points per column of `epochs` epochs: the first, the lowest, the highest
 * and the last, in order. A line through them covers the same pixels as a line through all points. A long
 * training has a hundred times more epochs than the chart has pixels. Losses that are not finite are left
 * out.
 */
export function thin(
  points: readonly LossPoint[],
  stretch: Stretch,
  line: Line,
  epochs: number,
): CurvePoint[] {
  const kept: CurvePoint[] = [];
  const keep = (index: number) => {
    const point = points[index]!;
    kept.push({ x: stretch.offset + point.epoch, y: point[line] });
  };
  let column = NaN;
  let first = -1;
  let least = -1;
  let greatest = -1;
  let last = -1;
  const flush = () => {
    if (first < 0) return;
    keep(first);
    const [one, other] = least < greatest ? [least, greatest] : [greatest, least];
    if (one > first && one < last) keep(one);
    if (other > one && other > first && other < last) keep(other);
    if (last > first) keep(last);
  };
  // Runs over every epoch in every frame, so it allocates only for kept points.
  for (let index = stretch.from; index < stretch.to; index += 1) {
    const point = points[index]!;
    const y = point[line];
    if (!Number.isFinite(y)) continue;
    const at = Math.floor(point.epoch / epochs);
    if (at !== column) {
      flush();
      column = at;
      first = least = greatest = index;
    }
    if (y < points[least]![line]) least = index;
    if (y > points[greatest]![line]) greatest = index;
    last = index;
  }
  flush();
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
  hard: string[];
  /** The area between the soft and the hard line, for each restart. */
  gaps: string[];
  /** Where each restart but the first begins. */
  separators: number[];
  /** The middle of each restart on the x axis, for its label. */
  restarts: { at: number; restart: number; from: number; to: number }[];
  /** The position of an epoch of a restart; null if it was not drawn. */
  at: (restart: number, epoch: number) => number | null;
  xTicks: Tick[];
  yTicks: Tick[];
  /** Ticks of the second axis, on the right; none if all losses share one. */
  rightTicks: Tick[];
  /** Lines at the ticks, as far as the losses of their axis reach. */
  grid: { at: number; from: number; to: number }[];
  /**
   * The point of the lowest validation loss, or of the lowest hard loss if there is none, as named by the
   * engine.
   */
  best: { x: number; y: number; loss: number } | null;
}

const whole = numberFormat({ maximumFractionDigits: 0 });

/**
 * The axis of a restart's losses. Losses that weigh classes differently cannot be compared, so they never
 * share an axis: the left one is 0, the right one 1.
 */
export type AxisOf = (restart: number) => 0 | 1;

const ONE_AXIS: AxisOf = () => 0;

/** The lowest and the highest loss of each axis; null for one without losses. */
export function lossRanges(points: readonly LossPoint[], axisOf: AxisOf = ONE_AXIS): [Range, Range] {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (const { restart, train, valid, hard } of points) {
    const axis = axisOf(restart);
    for (const loss of [train, valid, hard]) {
      if (!Number.isFinite(loss)) continue;
      if (loss < low[axis]!) low[axis] = loss;
      if (loss > high[axis]!) high[axis] = loss;
    }
  }
  const range = (axis: 0 | 1): Range => (low[axis]! > high[axis]! ? null : [low[axis]!, high[axis]!]);
  return [range(0), range(1)];
}

type Range = readonly [number, number] | null;

/** All marks of the chart inside `box`; null without a point. */
export function drawChart(
  points: readonly LossPoint[],
  box: Box,
  bestEpoch: number | null,
  bestRestart: number | null,
  axisOf: AxisOf = ONE_AXIS,
): Chart | null {
  const parts = stretches(points);
  const lastX = parts.reduce((end, { offset, to }) => Math.max(end, offset + points[to - 1]!.epoch), 0);
  const ranges = lossRanges(points, axisOf);
  if (ranges.every((range) => range === null)) return null;
  const x = linear([0, Math.max(1, lastX)], [box.left, box.right]);
  const scales = ranges.map((range) => {
    if (range === null) return null;
    const [low, high] = range;
    const margin = low === high ? Math.abs(low) * 0.1 || 0.1 : 0;
    return linear([low - margin, high + margin], [box.bottom, box.top], 4);
  });
  // A restart without a number on its axis has no line either.
  const first = scales.find((scale) => scale !== null)!;
  const yOf = (restart: number) => scales[axisOf(restart)] ?? first;

  // A column is a pixel wide, but never less than an epoch.
  const epochs = Math.max(1, lastX / Math.max(1, box.right - box.left));
  const lineOf = (part: Stretch, which: Line) => {
    const y = yOf(part.restart);
    return thin(points, part, which, epochs).map((point) => ({ x: x(point.x), y: y(point.y) }));
  };
  const paths = (which: Line) =>
    parts.map((part) => throughPoints(lineOf(part, which), 2)).filter((d) => d !== '');
  const gapOf = (part: Stretch) => {
    const hard = lineOf(part, 'hard');
    return hard.length < 2 ? '' : `${throughPoints([...hard, ...lineOf(part, 'train').reverse()], 2)}Z`;
  };
  const ticksOf = (scale: typeof first | null) => {
    if (scale === null) return [];
    const format = scale.format(4);
    return scale.ticks(4).map((value) => ({ at: scale(value), label: format(value) }));
  };
  const two = scales.every((scale) => scale !== null);
  const yTicks = ticksOf(two ? scales[0]! : first);
  const rightTicks = two ? ticksOf(scales[1]!) : [];
  const ends = parts.map((_, index) => parts[index + 1]?.offset ?? lastX);

  return {
    train: paths('train'),
    valid: paths('valid'),
    hard: paths('hard'),
    gaps: parts.map(gapOf).filter((d) => d !== ''),
    separators: parts.slice(1).map((part) => x(part.offset)),
    restarts: parts.map((part, index) => ({
      at: x((part.offset + ends[index]!) / 2),
      restart: part.restart,
      from: x(part.offset),
      to: x(ends[index]!),
    })),
    at: (restart, epoch) => {
      const part = parts.find((one) => one.restart === restart);
      return part === undefined ? null : x(part.offset + epoch);
    },
    // Every restart counts its epochs from 0, so numbers along a common axis would mislead.
    xTicks:
      parts.length > 1
        ? []
        : x
            .ticks(5)
            .filter(Number.isInteger)
            .map((value) => ({ at: x(value), label: whole.format(value) })),
    yTicks,
    rightTicks,
    grid: two
      ? parts.flatMap((part, index) =>
          (axisOf(part.restart) === 0 ? yTicks : rightTicks).map(({ at }) => ({
            at,
            from: x(part.offset),
            to: x(ends[index]!),
          })),
        )
      : yTicks.map(({ at }) => ({ at, from: box.left, to: box.right })),
    best: bestMark(points, parts, bestEpoch, bestRestart, x, yOf(bestRestart ?? 1)),
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
  const part = parts.find((at) => at.restart === restart);
  const point = points.find((at) => at.epoch === epoch && at.restart === restart);
  if (point === undefined || part === undefined) return null;
  const loss = [point.valid, point.hard].find(Number.isFinite);
  return loss === undefined ? null : { x: x(part.offset + point.epoch), y: y(loss), loss };
}

/** Labels from left to right, without those that would be closer than `room` to the one before. */
export function spaced<T extends { at: number }>(labels: T[], room: number): T[] {
  const kept: T[] = [];
  for (const label of labels) {
    const before = kept.at(-1);
    if (before === undefined || label.at - before.at >= room) kept.push(label);
  }
  return kept;
}
