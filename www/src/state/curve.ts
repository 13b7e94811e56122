/** From the engine's loss triples to points of the chart. */
import type { LossPoint } from '../draw/curve';

/**
 * Points of the loss curve.
 *
 * @param triples  (epoch, training loss, validation loss), oldest first
 * @param restart  the restart that the newest triple belongs to. Epochs count from the start of each restart, so
 *                 wherever they do not grow, an earlier restart ended.
 */
export function curvePoints(triples: Float32Array, restart: number): LossPoint[] {
  const points: LossPoint[] = [];
  let current = restart;
  let later = Infinity;
  for (let at = triples.length - 3; at >= 0; at -= 3) {
    const epoch = triples[at] as number;
    if (epoch >= later) current--;
    later = epoch;
    points.push({ restart: current, epoch, train: triples[at + 1] as number, valid: triples[at + 2] as number });
  }
  return points.reverse();
}
