import { describe, expect, it } from 'vitest';
import { answerShares, jitter, planeBorders, planeMap, planeRuns, unchanged } from './plane';

describe('a map', () => {
  const map = planeMap(new Float32Array([0, 1, 10, 20, 0, 0, 0, 1, 1, 1, 1, 1, 0.5, 15, 1]), 2);

  it('is read from the engine’s numbers', () => {
    expect(map).toMatchObject({ x: [0, 1], y: [10, 20], side: 2 });
    expect([...map.cart]).toEqual([0, 0, 0, 1]);
    expect([...map.gradient]).toEqual([1, 1, 1, 1]);
    expect([...map.points]).toEqual([0.5, 15, 1]);
  });

  it('joins cells of one answer and draws the least y at the bottom', () => {
    const runs = planeRuns(map.cart, 2, 100, 100);
    expect(runs.find(({ answer }) => answer === 1)?.d).toBe('M50,-0.3H100V50H50Z');
    expect(runs.find(({ answer }) => answer === 0)?.d).toContain('M0,49.7H100V100');
  });

  it('has a border wherever neighbours differ and nowhere else', () => {
    expect(planeBorders(map.gradient, 2, 100, 100)).toBe('');
    expect(planeBorders(map.cart, 2, 100, 100).match(/M/g)).toHaveLength(2);
  });

  it('is told in shares, and strews rows of one word over their band', () => {
    expect(answerShares(new Float32Array([1, 0, 1, 1]))).toEqual([
      { answer: 1, share: 0.75 },
      { answer: 0, share: 0.25 },
    ]);
    const places = Array.from({ length: 200 }, (_, row) => jitter(row));
    expect(Math.max(...places.map(Math.abs))).toBeLessThanOrEqual(0.35);
    expect(new Set(places).size).toBeGreaterThan(150);
    expect(jitter(7)).toBe(jitter(7));
  });
});

describe('a map after another', () => {
  const numbers = (last: number) => new Float32Array([0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, last, 0.5, NaN, 1]);

  it('keeps what is the same, so that it is not drawn again', () => {
    const before = planeMap(numbers(1), 2);
    const now = unchanged(before, planeMap(numbers(0), 2));
    expect(now.cart).toBe(before.cart);
    expect(now.points).toBe(before.points);
    expect(now.x).toBe(before.x);
    expect(now.gradient).not.toBe(before.gradient);
    expect([...now.gradient]).toEqual([0, 1, 0, 0]);
  });

  it('of another size keeps nothing', () => {
    const now = planeMap(numbers(1), 2);
    expect(unchanged({ ...now, side: 3 }, now)).toBe(now);
    expect(unchanged(null, now)).toBe(now);
  });
});
