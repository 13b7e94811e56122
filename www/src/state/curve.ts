/** From the engine's numbers to points of the chart. */
import type { LossPoint } from '../messages';

/** Points of the loss curve from five numbers each (restart, epoch, training, validation and hard loss). */
export function curvePoints(numbers: Float32Array): LossPoint[] {
  const points: LossPoint[] = [];
  for (let at = 0; at + 4 < numbers.length; at += 5) {
    const [restart, epoch, train, valid, hard] = numbers.subarray(at, at + 5) as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    points.push({ restart, epoch, train, valid, hard });
  }
  return points;
}

/** The curve with points added, restart by restart: those that ran in other workers come later and stand in their place. */
export function withPoints(curve: readonly LossPoint[], points: readonly LossPoint[]): readonly LossPoint[] {
  if (points.length === 0) return curve;
  const last = curve.at(-1)?.restart ?? 0;
  const all = [...curve, ...points];
  return points.every(({ restart }) => restart >= last) ? all : all.sort((a, b) => a.restart - b.restart);
}
