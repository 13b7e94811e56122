// One small loss chart per restart, with the same axes if losses are comparable, so that they can be compared
// at a glance.

import type { LossPoint } from '../messages';
import { lossRanges, stretches, thin, type AxisOf, type CurvePoint, type Line } from './curve';
import { throughPoints } from './path';
import { linear } from './scale';

export interface SmallChart {
  restart: number;
  epochs: number;
  /** Lowest validation loss, or else hard loss, or else training loss; null if no loss is a number. */
  least: number | null;
  train: string;
  valid: string;
  hard: string;
}

/** The charts in a frame of `width` by `height` each, restart by restart. */
export function smallCharts(
  points: readonly LossPoint[],
  width: number,
  height: number,
  axisOf?: AxisOf,
): SmallChart[] {
  const parts = stretches(points);
  const longest = points.reduce((most, { epoch }) => Math.max(most, epoch), 1);
  const ranges = lossRanges(points, axisOf);
  if (ranges.every((range) => range === null)) return [];
  const margin = 3;
  const x = linear([0, longest], [margin, width - margin]);
  const scales = ranges.map((range) => {
    const [low, high] = range ?? [0, 1];
    return linear([low, low === high ? low + 1 : high], [height - margin, margin]);
  });
  return parts.map((part) => {
    const own = points.slice(part.from, part.to);
    const alone = { ...part, offset: 0 };
    const y = scales[axisOf?.(part.restart) ?? 0]!;
    const through = (line: readonly CurvePoint[]) =>
      throughPoints(
        line.map((point) => ({ x: x(point.x), y: y(point.y) })),
        1,
      );
    const path = (which: Line) => through(thin(points, alone, which, longest / width));
    const least = (which: Line) =>
      own.reduce((best, point) => (point[which] < best ? point[which] : best), Infinity);
    const best = [least('valid'), least('hard'), least('train')].find(Number.isFinite) ?? null;
    return {
      restart: part.restart,
      epochs: own.at(-1)?.epoch ?? 0,
      least: best,
      train: path('train'),
      valid: path('valid'),
      hard: path('hard'),
    };
  });
}
