import { describe, expect, it } from 'vitest';
import type { LossPoint } from '../messages';
import { smallCharts } from './multiples';

const point = (restart: number, epoch: number, train: number, valid = NaN, hard = NaN): LossPoint => ({
  restart,
  epoch,
  train,
  valid,
  hard,
});
const numbers = (path: string) =>
  [...path.matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe('small charts', () => {
  it('share their axes', () => {
    const charts = smallCharts(
      [point(1, 1, 1, 0.9), point(1, 2, 0.5, 0.6), point(2, 1, 1, 2), point(2, 4, 0, 1)],
      106,
      56,
    );
    expect(charts.map(({ restart, epochs, least }) => [restart, epochs, least])).toEqual([
      [1, 2, 0.6],
      [2, 4, 1],
    ]);
    // Four epochs along 100 pixels, losses from 0 to 2 over 50.
    expect(numbers(charts[0]!.train)).toEqual([
      [28, 28],
      [53, 40.5],
    ]);
    expect(numbers(charts[1]!.train)).toEqual([
      [28, 28],
      [103, 53],
    ]);
    expect(numbers(charts[1]!.valid)).toEqual([
      [28, 3],
      [103, 28],
    ]);
  });

  it('share no axis where losses cannot be compared', () => {
    const points = [point(1, 1, 8), point(1, 4, 6), point(2, 1, 1), point(2, 4, 0)];
    const [greedy, random] = smallCharts(points, 106, 56, (restart) => (restart === 1 ? 0 : 1));
    expect(numbers(greedy!.train)).toEqual([
      [28, 3],
      [103, 53],
    ]);
    expect(numbers(random!.train)).toEqual([
      [28, 3],
      [103, 53],
    ]);
  });

  it('go without validation, and without any number', () => {
    const [chart] = smallCharts([point(1, 1, 0.3), point(1, 2, 0.2)], 100, 50);
    expect(chart).toMatchObject({ least: 0.2, valid: '' });
    expect(smallCharts([point(1, 1, NaN)], 100, 50)).toEqual([]);
    expect(smallCharts([], 100, 50)).toEqual([]);
  });

  it('stay inside their frame when every loss is the same', () => {
    const [chart] = smallCharts([point(1, 1, 5, 5), point(1, 9, 5, 5)], 100, 50);
    for (const [x, y] of numbers(chart!.train)) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(100);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(50);
    }
  });
});
