// One small loss chart per restart, all with the same axes, so that they can be compared at a glance.

import { stretches, thin, type CurvePoint, type Line, type LossPoint } from './curve';
import { throughPoints } from './path';
import { linear } from './scale';

export interface SmallChart {
  restart: number;
  epochs: number;
  /** Least validation loss, or hard, or training loss where there is none; null if no loss is a number. */
  least: number | null;
  train: string;
  valid: string;
  hard: string;
}

/** The charts in a frame of `width` by `height` each, restart by restart. */
export function smallCharts(points: readonly LossPoint[], width: number, height: number): SmallChart[] {
  const parts = stretches(points);
  let [low, high, longest] = [Infinity, -Infinity, 1];
  for (const { epoch, train, valid, hard } of points) {
    longest = Math.max(longest, epoch);
    for (const loss of [train, valid, hard]) {
      if (!Number.isFinite(loss)) continue;
      low = Math.min(low, loss);
      high = Math.max(high, loss);
    }
  }
  if (low > high) return [];
  const margin = 3;
  const x = linear([0, longest], [margin, width - margin]);
  const y = linear([low, low === high ? low + 1 : high], [height - margin, margin]);
  const through = (line: readonly CurvePoint[]) => throughPoints(line.map((point) => ({ x: x(point.x), y: y(point.y) })), 1);
  return parts.map((part) => {
    const own = points.slice(part.from, part.to);
    const alone = { ...part, offset: 0 };
    const path = (which: Line) => through(thin(points, alone, which, longest / width));
    const least = (which: Line) => own.reduce((best, point) => (point[which] < best ? point[which] : best), Infinity);
    const best = [least('valid'), least('hard'), least('train')].find(Number.isFinite) ?? null;
    return { restart: part.restart, epochs: own.at(-1)?.epoch ?? 0, least: best, train: path('train'), valid: path('valid'), hard: path('hard') };
  });
}
